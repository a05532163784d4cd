package fields

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shown writes the leaves of a document as path=text.
func shown(d *Document) []string {
	var out []string
	for _, l := range d.Leaves {
		if l.Kind != Key {
			out = append(out, fmt.Sprintf("%s=%s", d.pathOf(l.Node), l.Text))
		}
	}
	return out
}

func (d *Document) pathOf(node int32) string {
	var steps []string
	for ; node >= 0; node = d.Nodes[node].Parent {
		switch n := d.Nodes[node]; {
		case n.Index >= 0:
			steps = append(steps, fmt.Sprintf("[%d]", n.Index))
		case n.Key != "":
			steps = append(steps, "."+n.Key)
		}
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return strings.Join(steps, "")
}

var cases = []struct {
	name, text string
	format     Format
	want       []string
}{
	{"json", `{"a": [1, {"b": "x\u0041\n"}], "c": null}`, JSON, []string{".a[0]=1", ".a[1].b=xA\n", ".c=null"}},
	{"json in text", `[{"type":"text","text":"{\"k\": \"v\", \"n\": 2}"}]`, JSON, []string{"[0].type=text", "[0].text.k=v", "[0].text.n=2"}},
	{"python", `[{'who': "O'Neil", 'when': datetime.date(2031, 4, 2), 'ok': True, 'none': None, 't': (1, 2)}]`, Python,
		[]string{"[0].who=O'Neil", "[0].when=datetime.date(2031, 4, 2)", "[0].ok=True", "[0].none=None", "[0].t[0]=1", "[0].t[1]=2"}},
	{"yaml records", "- body: 'It''s\n    late.\n\n\n    Bye'\n  tags: []\n  to:\n  - a@b.example\n  - c@d.example\n- body: \"one\\\n    \\ two\"\n  n: 3\n", YAML,
		[]string{"[0].body=It's late.\n\nBye", "[0].to[0]=a@b.example", "[0].to[1]=c@d.example", "[1].body=one two", "[1].n=3"}},
	{"yaml plain over lines", "a: first\n  second\nb: |\n  x\n   y\nc:\n  d: 1\n", YAML, []string{".a=first second", ".b=x\n y", ".c.d=1"}},
	{"yaml list of scalars", "- one\n- 'two\n\n  three'\n", YAML, []string{"[0]=one", "[1]=two\nthree"}},
	{"markup", `<p title="a &amp; b">Hi <a href='http://x.example/q?a=1'>you</a><!-- hidden --><br>end</p>`, Markup,
		[]string{".p.@title=a & b", ".p=Hi", ".p.a.@href=http://x.example/q?a=1", ".p.a=you", ".p.#comment=hidden", ".p=end"}},
	{"table", "name,mail,note\nKim,kim@x.example,\"fine, thanks\"\nLee,lee@x.example,a, b\n", Table,
		[]string{"[0].name=Kim", "[0].mail=kim@x.example", "[0].note=fine, thanks", "[1].name=Lee", "[1].mail=lee@x.example", "[1].note=a,b"}},
	{"key-value", "Order=17\nsome line\nTotal = 12.50\nPayee: Kim\n", KeyValue, []string{".Order=17", "=some line", ".Total=12.50", ".Payee=Kim"}},
	{"text", "Dear Kim, see you.\nBye", Text, []string{"=Dear Kim, see you.\nBye"}},
	{"broken json", `{"a": [1, 2`, Text, []string{`={"a": [1, 2`}},
	{"broken yaml", "- a\n b: [2\nc d\n", Text, []string{"=- a\n b: [2\nc d\n"}},
	{"yaml anchors are not followed", "a: &x 1\nb: *x\n", KeyValue, []string{".a=&x 1", ".b=*x"}},
	{"empty", "", Text, nil},
}

func TestParse(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(c.text)
			require.Equal(t, c.format.String(), d.Format.String())
			require.Equal(t, c.want, shown(d))
		})
	}
}

// TestOneLine: what is taken for a plain line without a look is what the readers
// find it to be.
func TestOneLine(t *testing.T) {
	pieces := []string{"a", ": ", "b", "- ", ",", "=", "\t", "|", "'x'", "#", "&", "1", ".", " ", "http://x.example/a?b=c"}
	r := rand.New(rand.NewSource(1))
	for range 20000 {
		text := ""
		for range 1 + r.Intn(7) {
			text += pieces[r.Intn(len(pieces))]
		}
		if !oneLine(text) {
			continue
		}
		d := &Document{}
		d.begin()
		d.parse(text, -1, nil)
		require.Equal(t, Text, d.Format, text)
		require.Equal(t, []string{"=" + text}, shown(d))
	}
}

func TestDepthFallsBackToText(t *testing.T) {
	text := strings.Repeat("[", MaxDepth+5) + strings.Repeat("]", MaxDepth+5)
	d := Parse(text)
	require.True(t, d.Cut)
	require.Equal(t, []string{"=" + text}, shown(d))
}

func TestRecord(t *testing.T) {
	d := Parse(`[{"id": 1, "to": ["x", "y"]}, {"id": 2}]`)
	records := map[string]int32{}
	for _, l := range d.Leaves {
		if l.Kind != Key {
			records[l.Text] = d.Record(l.Node)
		}
	}
	require.Equal(t, records["1"], records["y"])
	require.NotEqual(t, records["1"], records["2"])
}

// FuzzParse holds: no panic; spans lie in the source; no mail address is lost that no
// escape is near.
func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse(text)
		for _, l := range d.Leaves {
			require.True(t, 0 <= l.Start && l.Start <= l.End && int(l.End) <= len(text), "%d %d", l.Start, l.End)
			require.True(t, int(l.Node) < len(d.Nodes))
			d.Record(l.Node)
		}
		if len(text) > 1<<12 || strings.ContainsAny(text, `\&`) {
			return
		}
		Atoms(text, func(at Atom) {
			if at.Kind == Address {
				require.True(t, holds(d, text[at.Start:at.End]), "%q in %q", text[at.Start:at.End], text)
			}
		})
	})
}

func BenchmarkParse(b *testing.B) {
	var sb strings.Builder
	for i := 0; sb.Len() < 1<<20; i++ {
		fmt.Fprintf(&sb, "- body: 'Dear all, the parcel number %d has arrived\n    at the office.'\n  id_: '%d'\n  sender: kim%d@corp.example\n", i, i, i)
	}
	text := sb.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(text)
	}
}

// TestPlacesOfLeaves: a leaf that says its words stand in the text as they are
// stands there.
func TestPlacesOfLeaves(t *testing.T) {
	for _, text := range []string{"- a: 0 ", "a: one \nb: two  \n", "- a: 'x y'\n", "k: v \nl = w\t\nm: n\n", "a,b\n1 , 2\n3,4\n", `{"a": "b c", "d": [1, true]}`, "<a b='c'> d </a>"} {
		d := Parse(text)
		for _, l := range d.Leaves {
			if !l.Decoded {
				require.Equal(t, l.Text, text[l.At:l.To], text)
			}
		}
		require.NotEmpty(t, d.Leaves)
	}
	d := Parse("a: one \nb: two  \n")
	require.Equal(t, "one", "a: one \nb: two  \n"[d.Leaves[0].Start:d.Leaves[0].End])
}
