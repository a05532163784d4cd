package transcript

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

var decodeCases = []struct {
	name, src, want string
	odd             Irregular
	err             string
}{
	{"scalars", `{"a":1.5e-3,"b":true,"c":null,"d":"x"}`, `{"a":1.5e-3,"b":true,"c":null,"d":"x"}`, 0, ""},
	{"escapes", `["\u00e9\n\t\"\\\/","\ud83d\ude00"]`, `["é\n\t\"\\/","😀"]`, 0, ""},
	{"many escapes", `["` + strings.Repeat(`\"`, 40) + `x"]`, `["` + strings.Repeat(`\"`, 40) + `x"]`, 0, ""},
	{"lone surrogate", `["a\ud83dz"]`, `["a�z"]`, LoneSurrogate, ""},
	{"invalid utf-8", "[\"a\xffz\"]", "[\"a\xffz\"]", BadUTF8, ""},
	{"last of a key comes first", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2,"a":1}`, DuplicateKey, ""},
	{"not a number", `[NaN,-Infinity]`, `["NaN","-Infinity"]`, OddLiteral, ""},
	{"nothing", ``, ``, 0, "no value"},
	{"torn string", `{"a":"b`, ``, 0, "1:8: the text ends inside a string"},
	{"torn escape", `["a\`, ``, 0, "1:5: the text ends inside a string"},
	{"torn list", `[1,`, ``, 0, "1:4: the text ends inside a value"},
	{"bad escape", `["\q"]`, ``, 0, "1:6: invalid escape in a string"},
	{"bad number", `[01]`, ``, 0, "1:2: unexpected word"},
	{"bad word", `[truth]`, ``, 0, "1:2: unexpected word"},
	{"no colon", `{"a" 1}`, ``, 0, "1:6: expected ':' after a key"},
	{"no comma", "[1\n 2]", ``, 0, "2:2: expected ',' or ']'"},
	{"two values", `{} {}`, ``, 0, "1:4: something follows the value"},
	{"bracket", `[}`, ``, 0, "1:2: unexpected character '}'"},
	{"key without quotes", `{a:1}`, ``, 0, "1:2: expected a key in quotes"},
	{"key without a value", `{"a":`, ``, 0, "1:6: the value is missing"},
}

func render(v *plan.Value) string {
	switch v.Kind {
	case plan.String:
		if strings.ContainsRune(v.Text, 0xff) || !json.Valid([]byte(`"`+strings.ToValidUTF8(v.Text, "")+`"`)) || strings.Contains(v.Text, "\xff") {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(v.Text) + `"`
		}
		return `"` + v.Text + `"`
	case plan.Null:
		return "null"
	case plan.List, plan.Object:
		var parts []string
		for i := range v.Items {
			s := render(&v.Items[i])
			if v.Kind == plan.Object {
				s = `"` + v.Keys[i] + `":` + s
			}
			parts = append(parts, s)
		}
		if v.Kind == plan.Object {
			return "{" + strings.Join(parts, ",") + "}"
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return v.Text
}

func TestDecode(t *testing.T) {
	for _, c := range decodeCases {
		t.Run(c.name, func(t *testing.T) {
			d := NewDecoder(c.src, 1)
			v, err := d.One(nil)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, render(&v))
			require.Equal(t, c.odd, d.Irregular())
		})
	}
}

func TestDecodePositions(t *testing.T) {
	d := NewDecoder("{\n  \"a\": [\"x\",\n   {\"b\": \"yy\"}]\n}", 5)
	v, err := d.One(nil)
	require.NoError(t, err)
	a := v.Get("a")
	require.Equal(t, plan.Position{Line: 6, Column: 8, Length: 21}, a.Pos)
	require.Equal(t, plan.Position{Line: 6, Column: 9, Length: 3}, a.Items[0].Pos)
	require.Equal(t, plan.Position{Line: 7, Column: 10, Length: 4}, a.Items[1].Get("b").Pos)
}

func TestDecodeDepth(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	d := NewDecoder(`{"a":`+deep+`}`, 1)
	v, err := d.One(nil)
	require.NoError(t, err)
	require.Equal(t, TooDeep, d.Irregular())
	levels := 0
	v.Walk(func(plan.Path, *plan.Value) bool { levels++; return true })
	require.LessOrEqual(t, levels, plan.MaxDepth+2)
}

func TestShape(t *testing.T) {
	d := NewDecoder(`{"keep":{"x":1,"y":[{"z":2,"q":3}]},"drop":{"deep":["]}",{"a":"\""}]},"all":{"x":1}}`, 1)
	v, err := d.One(Shape{"keep": {"y": {"z": nil}}, "all": nil})
	require.NoError(t, err)
	require.Equal(t, `{"keep":{"y":[{"z":2}]},"all":{"x":1}}`, render(&v))
}

// FuzzDecode holds the decoder to its laws: no panic; what encoding/json takes
// it takes too; positions lie inside the text.
func FuzzDecode(f *testing.F) {
	for _, c := range decodeCases {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d := NewDecoder(src, 1)
		v, err := d.One(nil)
		if json.Valid([]byte(src)) {
			require.NoError(t, err)
		}
		lines := strings.Split(src, "\n")
		v.Walk(func(_ plan.Path, v *plan.Value) bool {
			if v.Pos.Known() {
				require.LessOrEqual(t, int(v.Pos.Line), len(lines))
				require.LessOrEqual(t, int(v.Pos.Column)-1, len(lines[v.Pos.Line-1]))
			}
			return true
		})
		d.Reset(src, 1)
		if json.Valid([]byte(src)) {
			require.NoError(t, d.Skip())
		}
	})
}
