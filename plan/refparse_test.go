package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var refTexts = []struct {
	text string
	want []string // canonical form of each reference
}{
	{"no reference", nil},
	{"${creds.output}", []string{"${creds.output}"}},
	{"${ creds.output }", []string{"${creds.output}"}},
	{"key: ${creds.output.key}!", []string{"${creds.output.key}"}},
	{"${a.output.items[0].id} and ${b.output}", []string{"${a.output.items[0].id}", "${b.output}"}},
	{"${a.output.items.0.id}", []string{"${a.output.items[0].id}"}},
	{`${a.output["two words"].x}`, []string{`${a.output["two words"].x}`}},
	{`${a.output['it]}']}`, []string{`${a.output["it]}"]}`}},
	{"${a.output[*].to}", []string{"${a.output[*].to}"}},
	{"${a.output#/a/0}", []string{"${a.output.a[0]}"}},
	{"${a.output#/a~1b/c~0d}", []string{`${a.output["a/b"]["c~d"]}`}},
	{"${a.output#}", []string{"${a.output}"}},
	{"${a.output#/}", []string{`${a.output[""]}`}},
	{"${a.output[01]}", nil},
	{"${1.output}", []string{"${1.output}"}},
	{`${"functions.read:0".output.x}`, []string{`${"functions.read:0".output.x}`}},
	{"${vendor}", []string{"${vendor}"}},
	{"${item.outputs.x}", []string{"${item.outputs.x}"}},
	{"$${creds.output}", nil},
	{"$$${creds.output}", []string{"${creds.output}"}},
	{"$$$${creds.output}", nil},
	{"a$b ${a.output}$", []string{"${a.output}"}},
	{"${a.output}${a.output}", []string{"${a.output}", "${a.output}"}},
}

func TestParseRefs(t *testing.T) {
	for _, tt := range refTexts {
		if tt.text == "${a.output[01]}" {
			continue // an error, see below
		}
		refs, err := ParseRefs(tt.text)
		require.NoError(t, err, tt.text)
		var got []string
		for i := range refs {
			require.Equal(t, "${", tt.text[refs[i].Start:refs[i].Start+2])
			require.Equal(t, byte('}'), tt.text[refs[i].End-1])
			require.Equal(t, -1, refs[i].Call)
			got = append(got, refs[i].String())
		}
		require.Equal(t, tt.want, got, tt.text)
	}
}

func TestParseRefsWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"${a.output}": true, " ${a.output}": false, "${a.output}.": false, "${a.output}${b.output}": false, "$$${a.output}": false,
	} {
		refs, err := ParseRefs(text)
		require.NoError(t, err)
		require.Equal(t, want, refs[0].Whole, text)
	}
}

func TestParseRefsErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		{"x ${", 2, `expected a call's id in a reference, not ""`},
		{"${}", 0, `expected a call's id in a reference, not "}"`},
		{"${a.output", 0, `expected "}" at the end of a reference, not ""`},
		{"${HOME:-/tmp}", 0, `expected "}" at the end of a reference, not ":-/tmp}"`},
		{"${a.output.}", 0, `expected a key after "." in a reference, not "}"`},
		{"${a.output[}", 0, `expected an index, a quoted key or * in brackets, not "}"`},
		{"${a.output[01]}", 0, `expected an index, a quoted key or * in brackets, not "01]}"`},
		{"${a.output[1}", 0, `expected "]" in a reference, not "}"`},
		{"${a.output['x}", 0, "a quoted key without its end in a reference"},
		{`${a.output["x}`, 0, `a quoted key that can't be read in a reference: "\"x}"`},
		{"${a.output#x}", 0, `a JSON Pointer begins with "/", not "x"`},
		{"${a.output" + strings.Repeat(".b", MaxRefSteps+1) + "}", 0, "a reference with more than 64 steps"},
		{"${" + strings.Repeat("a", MaxRefLength) + ".output}", 0, "a reference over the limit of 4096 bytes"},
	}
	for _, tt := range tests {
		_, err := ParseRefs(tt.text)
		var errs RefErrors
		require.ErrorAs(t, err, &errs, tt.text)
		require.Equal(t, tt.want, errs[0].Message)
		require.Equal(t, tt.offset, errs[0].Offset, tt.text)
		require.NotEmpty(t, errs[0].Hint)
	}
}

func TestParseRefsReportsAllAndKeepsTheGood(t *testing.T) {
	refs, err := ParseRefs("${} ${a.output} ${b.")
	var errs RefErrors
	require.True(t, errors.As(err, &errs))
	require.Len(t, errs, 2)
	require.Len(t, refs, 1)
	require.Contains(t, err.Error(), "(and 1 more)")
}

func TestParseRefsIsBounded(t *testing.T) {
	_, err := ParseRefs(strings.Repeat("${a.output}", MaxRefs+1))
	require.EqualError(t, err, "more than 10000 references in one text")
	_, err = ParseRefs(strings.Repeat("${", 1<<20)) // linear, and stops
	require.Error(t, err)
}

func TestParseRef(t *testing.T) {
	ref, err := ParseRef("creds.output.key")
	require.NoError(t, err)
	require.True(t, ref.Whole)
	require.Equal(t, "${creds.output.key}", ref.String())
	for _, bad := range []string{"", "a.output}", "a b", "${a.output}", strings.Repeat("a", MaxRefLength+1)} {
		_, err := ParseRef(bad)
		require.Error(t, err, "%.20q", bad)
	}
}

func TestUnescape(t *testing.T) {
	tests := []struct{ text, want string }{
		{"$${x}", "${x}"},
		{"$$$${x}", "$${x}"},
		{"costs $$${a.output} $$", "costs $${a.output} $$"},
		{"$$ {x} $${", "$$ {x} ${"},
		{"$${x}${a.output}", "${x}${a.output}"},
	}
	for _, tt := range tests {
		refs, err := ParseRefs(tt.text)
		require.NoError(t, err)
		got, refs := Unescape(tt.text, refs)
		require.Equal(t, tt.want, got)
		for i := range refs {
			require.Equal(t, "${a.output}", got[refs[i].Start:refs[i].End])
		}
	}
}

func TestPathOverlaps(t *testing.T) {
	path := func(s string) Path {
		ref, err := ParseRef("a.output" + s)
		require.NoError(t, err)
		return ref.Path
	}
	tests := []struct {
		a, b string
		want bool
	}{
		{".a", ".a.b", true}, {".a.b", ".a.c", false}, {"[*]", "[3]", true}, {"[*]", ".x", false},
		{"#/3", `["3"]`, true}, {"[3]", `["03"]`, false}, {"", ".x", true},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, path(tt.a).Overlaps(path(tt.b)), "%s %s", tt.a, tt.b)
		require.Equal(t, tt.want, path(tt.b).Overlaps(path(tt.a)), "%s %s", tt.b, tt.a)
	}
}

// FuzzParseRefs holds: no panic; offsets are in order and inside the text; a
// reference's canonical form reads back as the same reference; a printed value
// reads back as the same text and references.
func FuzzParseRefs(f *testing.F) {
	for _, tt := range refTexts {
		f.Add(tt.text)
	}
	f.Add("${a.output[\"\\xff\"]}")
	f.Add("$$$$$${a.output}$${$")
	f.Fuzz(func(t *testing.T, text string) {
		refs, err := ParseRefs(text)
		at := 0
		for i := range refs {
			require.True(t, at <= refs[i].Start && refs[i].Start < refs[i].End && refs[i].End <= len(text))
			at = refs[i].End
			if len(refs[i].String()) > MaxRefLength {
				return
			}
			again, err := ParseRefs(refs[i].String())
			require.NoError(t, err)
			require.Len(t, again, 1)
			require.Equal(t, refs[i].Path, again[0].Path)
			require.Equal(t, refs[i].Name, again[0].Name)
		}
		if err != nil {
			return
		}
		plain, refs := Unescape(text, refs)
		v := Value{Kind: String, Text: plain, Ext: &Ext{Refs: refs}}
		printed := printedText(&v)
		again, err := ParseRefs(printed)
		require.NoError(t, err)
		back, again := Unescape(printed, again)
		require.Equal(t, plain, back)
		require.Equal(t, refs, again)
	})
}

// printedText is what template writes, before it becomes a JSON string.
func printedText(v *Value) string {
	w := &writer{}
	return w.templateText(v)
}
