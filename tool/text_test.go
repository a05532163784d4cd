package tool

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

var addressCases = []struct {
	text string
	want []string
	ok   bool
}{
	{"", nil, true},
	{"a@x.example", []string{"a@x.example"}, true},
	{" A@X.Example ", []string{"a@x.example"}, true},
	{"a@x.example, b@y.example;c@z.example,", []string{"a@x.example", "b@y.example", "c@z.example"}, true},
	{"Ann <a@x.example>", []string{"a@x.example"}, true},
	{`"Ann, of <b@y.example>" <a@x.example>`, []string{"a@x.example"}, true},
	{"b@y.example <a@x.example>", []string{"a@x.example"}, true},
	{"mailto:a@x.example", []string{"a@x.example"}, true},
	{"#general", []string{"#general"}, true},
	{"@ann", []string{"@ann"}, true},
	{"Team Room", []string{"team room"}, true},
	{"<a@x.example", nil, false},
	{"a@x.example>", nil, false},
	{"<<a@x.example>>", nil, false},
	{"a@x.example <b@y.example> c", nil, false},
	{"a@x.example b@y.example", nil, false},
	{"a@b@x.example", nil, false},
	{"a@", nil, false},
	{"a@x.example(evil@y.example)", nil, false},
	{"a@x.example?bcc=b@y.example", nil, false},
	{"a@х.example", nil, false},
	{"a@x.example\nBcc: b@y.example", nil, false},
	{`"a@x.example`, nil, false},
	{`a\@b@x.example`, nil, false},
	{"<@r.example:a@x.example>", nil, false},
}

func TestSplitAddresses(t *testing.T) {
	for _, tc := range addressCases {
		got, ok := SplitAddresses(tc.text)
		require.Equal(t, tc.ok, ok, tc.text)
		require.Equal(t, tc.want, got, tc.text)
	}
}

func FuzzSplitAddresses(f *testing.F) {
	for _, tc := range addressCases {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := SplitAddresses(text)
		if !ok {
			require.Empty(t, got)
			return
		}
		// What was taken apart is taken apart in the same way again.
		again, ok := SplitAddresses(strings.Join(got, ","))
		require.True(t, ok, "%q", got)
		require.Equal(t, got, again)
		for _, a := range got {
			require.NotContains(t, a, "\n")
			require.LessOrEqual(t, strings.Count(a, "@"), 1)
		}
	})
}

var patchCases = []struct {
	name, text string
	want       []PatchFile
	err        string
}{
	{"all kinds", "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n@@\n-old\n+new\n*** Delete File: c.txt\n*** End Patch\n",
		[]PatchFile{{"a.txt", Write, false}, {"b.txt", Write, true}, {"c.txt", Delete, false}}, ""},
	{"move", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n ctx\n*** End of File\n*** End Patch",
		[]PatchFile{{"a", Delete, false}, {"b", Write, false}}, ""},
	{"windows lines", "*** Begin Patch\r\n*** Delete File: a b.txt\r\n*** End Patch\r\n", []PatchFile{{"a b.txt", Delete, false}}, ""},
	{"here-document", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n", []PatchFile{{"a", Delete, false}}, ""},
	{"added text is no directive", "*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n*** End Patch", []PatchFile{{"a", Write, false}}, ""},
	{"with leading space", "*** Begin Patch\n *** Add File: a\n+x\n*** End Patch", []PatchFile{{"a", Write, false}}, ""},
	{"no beginning", "*** Delete File: a", []PatchFile{{"a", Delete, false}}, "no line *** Begin Patch"},
	{"no end", "*** Begin Patch\n*** Delete File: a", []PatchFile{{"a", Delete, false}}, "no line *** End Patch"},
	{"empty", "", nil, "no line *** Begin Patch"},
	{"no file", "*** Begin Patch\n*** End Patch", nil, "it names no file"},
	{"unknown line", "*** Begin Patch\n*** Rename File: a\n*** Delete File: b\n*** End Patch", []PatchFile{{"b", Delete, false}}, `line 1: "*** Rename File: a" is not understood`},
	{"no name", "*** Begin Patch\n*** Delete File: \n*** End Patch", nil, `line 1: "*** Delete File: " is not understood`},
	{"move of nothing", "*** Begin Patch\n*** Move to: b\n*** End Patch", []PatchFile{{"b", Write, false}}, `line 1: "*** Move to: b" is not understood`},
	{"text after the end", "*** Begin Patch\n*** Delete File: a\n*** End Patch\nrm -rf x; y", []PatchFile{{"a", Delete, false}}, `line 3: "rm -rf x; y" is not understood`},
	{"second patch", "*** Begin Patch\n*** Delete File: a\n*** Begin Patch\n*** End Patch", []PatchFile{{"a", Delete, false}}, `line 2: "*** Begin Patch" is not understood`},
}

func TestParsePatch(t *testing.T) {
	for _, tc := range patchCases {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParsePatch(tc.text)
			require.Equal(t, tc.want, got)
			if tc.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tc.err)
			}
		})
	}
}

func FuzzParsePatch(f *testing.F) {
	for _, tc := range patchCases {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files, err := ParsePatch(text)
		for _, file := range files {
			require.NotEmpty(t, file.Path)
			require.NotContains(t, file.Path, "\n")
			require.NotZero(t, file.Access)
		}
		if err == nil {
			require.NotEmpty(t, files)
		}
	})
}

func TestParsePathIsTheInverseOfString(t *testing.T) {
	for _, text := range []string{"", "to", "emails[*].to", "a[0][1].b", `["a key"]`, `a["b.c"].d-e`, "[*]"} {
		p, err := ParsePath(text)
		require.NoError(t, err, text)
		require.Equal(t, text, p.String())
	}
	for _, text := range []string{".a", "a.", "a..b", "a[", "a[x]", "a[-1]", `a["b]`, "a b", "1a", "a[99999999999]"} {
		_, err := ParsePath(text)
		require.Error(t, err, text)
	}
}

func FuzzParsePath(f *testing.F) {
	f.Add("emails[*].to")
	f.Add(`a["b\"c"][3]`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			return
		}
		again, err := ParsePath(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

func TestLookup(t *testing.T) {
	recorded := func(v plan.Value) plan.Call { return plan.Call{Output: v, OutputState: plan.OutputRecorded} }
	p := planOf(plan.Env{},
		recorded(obj("id", "7", "list", list(obj("n", "a"), obj("n", "b")))),
		recorded(str(`{"id": "7", "list": [{"n": "a"}, {"n": "b"}], "deep": {"x": [1, true, null]}}`)),
		recorded(str("plain text")),
		plan.Call{Output: str("x"), OutputState: plan.OutputPredicted},
		recorded(str(`{"id": 1, "id": 2}`)),
		recorded(str(`{"id": 1} trailing`)),
	)
	out := NewOutputs(p)
	for _, tc := range []struct {
		call int
		path string
		want []string
		ok   bool
	}{
		{0, "id", []string{"7"}, true},
		{0, "list[1].n", []string{"b"}, true},
		{0, "list[*].n", []string{"a", "b"}, true},
		{0, "missing", nil, false},
		{0, "list[2].n", nil, false},
		{1, "id", []string{"7"}, true},
		{1, "list[*].n", []string{"a", "b"}, true},
		{1, "deep.x", []string{"1", "true"}, true},
		{1, "deep", nil, false},
		{2, "", []string{"plain text"}, true},
		{2, "x", nil, false},
		{3, "", nil, false},
		{4, "id", nil, false},
		{5, "id", nil, false},
	} {
		v := ref(tc.call, tc.path)
		got, ok := out.Texts(&v)
		require.Equal(t, tc.ok, ok, "%d %s", tc.call, tc.path)
		if ok {
			require.Equal(t, tc.want, got)
		}
	}
}

func TestTextsFillsReferencesInText(t *testing.T) {
	p := planOf(plan.Env{}, plan.Call{Output: obj("user", "ann", "all", list(str("x"), str("y"))), OutputState: plan.OutputRecorded})
	text := func(path string) plan.Value {
		v := str("<${c.output}@x.example>")
		v.Ext = &plan.Ext{Refs: []plan.Ref{{Call: 0, Path: pathOf(t, path), Start: 1, End: 12}}}
		return v
	}
	v := text("user")
	got, ok := NewOutputs(p).Texts(&v)
	require.True(t, ok)
	require.Equal(t, []string{"<ann@x.example>"}, got)
	for _, path := range []string{"all", "none"} {
		v = text(path)
		got, ok = NewOutputs(p).Texts(&v)
		require.False(t, ok)
		require.Equal(t, []string{"<" + Hole + "@x.example>"}, got)
	}
}

func TestTextsIsBounded(t *testing.T) {
	p := planOf(plan.Env{}, plan.Call{Output: str(strings.Repeat("x", MaxResolved)), OutputState: plan.OutputRecorded})
	v := ref(0, "")
	_, ok := NewOutputs(p).Texts(&v)
	require.False(t, ok)
}

func TestHostOf(t *testing.T) {
	for _, tc := range []struct {
		url, host string
		ok        bool
	}{
		{"https://x.example/a", "x.example", true},
		{"HTTP://X.Example.", "x.example", true},
		{"https://[2001:DB8::1]:80/", "2001:db8::1", true},
		{"//x.example/a", "x.example", true},
		{"ftp://u:p@x.example:21/a", "x.example", true},
		{"https://a@b@x.example/", "x.example", false},
		{"https:///x.example/", "x.example", false},
		{"https://x%2eexample/", "x%2eexample", false},
		{"https://x.exa\tmple/", "x.example", false},
		{"mailto:a@x.example", "", false},
		{"/local/path", "", false},
		{"javascript:alert(1)", "", false},
		{"https://", "", false},
	} {
		host, ok := HostOf(tc.url)
		require.Equal(t, tc.ok, ok, tc.url)
		if ok {
			require.Equal(t, tc.host, host, tc.url)
		}
	}
}
