package match

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

func words(text string) []fields.Word { return fields.AppendWords(nil, text) }

func outputs(values ...plan.Value) *plan.Plan {
	p := &plan.Plan{}
	for i, v := range values {
		p.Calls = append(p.Calls, plan.Call{Index: i, OutputState: plan.OutputRecorded, Outcome: plan.Ran, Output: v})
	}
	return p
}

// places writes the occurrences of a run: source, path, and ~ for a part.
func places(c *Corpus, h Run) []string {
	var out []string
	f := c.Of(h)
	if f == nil {
		return nil
	}
	for at := f.First; at > 0; at = c.Occurrences[at-1].Next {
		o := &c.Occurrences[at-1]
		mark := ""
		if o.Part {
			mark = "~"
		}
		out = append(out, fmt.Sprintf("%s%d %s", mark, o.Source, c.Path(o.Leaf)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name, run string
		output    plan.Value
		want      []string
	}{
		{"text", "green door", plan.Str("by the Green-door, left"), []string{"0 "}},
		{"not there", "green window", plan.Str("a green door, a window"), nil},
		{"json field", "kim lee", plan.Str(`{"from": {"name": "Kim Lee"}, "to": "Lee Kim"}`), []string{"0 from.name"}},
		{"two fields", "kim", plan.Str(`[{"a": "kim"}, {"a": "to Kim"}]`), []string{"0 [0].a", "0 [1].a"}},
		{"across fields", "one two three", plan.Str(`{"a": "one", "b": "x", "c": "one"}` + " two three"), []string{"0 "}},
		{"across a key", "one b two", plan.Str(`{"a": "one", "b": "two"}`), []string{"~0 a", "~0 b"}},
		{"a key", "secret name", plan.Str(`{"a": "x", "secret-name": "two"}`), []string{"0 secret-name"}},
		{"behind the last field", "secret name", plan.Str(`{"a": "x", "secret_name": {}}`), []string{"~0 a"}},
		{"no field", "secret name", plan.Str(`{"secret_name": {}}`), []string{"0 "}},
		{"an identifier", "secret name", plan.Str(`{"a": "x", "b": {"secret name is": 3}}`), []string{`0 b["secret name is"]`}},
		{"cells of a row", "ann", plan.Str("name,mail,age\nAnn,a@x.example,41\nBob,b@x.example,\"Ann, 2\"\n"), []string{"0 [0].name", "0 [1].age"}},
		{"document in a string", "kim lee", plan.Str(`[{"type": "text", "text": "{\"who\": \"Kim Lee\", \"n\": 1}"}]`), []string{"0 [0].text.who"}},
		{"escapes", "café kim", plan.Str(`{"a": "caf\u00e9 Kim", "b": 1}`), []string{"0 a"}},
		{"line break in a string", "one next two", plan.Str(`{"a": "one\nnext two"}`), []string{"0 a"}},
		{"values", "kim lee", plan.Obj([]string{"a", "kim lee"}, plan.Str("x"), plan.Str("Kim Lee")), []string{`0 ["kim lee"]`}},
		{"document in a value", "kim", plan.Obj([]string{"text"}, plan.Str(`{"who": "kim"}`)), []string{"0 text.who"}},
		{"long run", "one two three four five six seven eight", plan.Str("zero one two three four five six seven eight nine"), []string{"0 "}},
		{"long run that breaks off", "one two three four five six seven eight", plan.Str("one two three four five six seven nine eight"), nil},
		{"across cells", "ann a x example 41", plan.Str("name,mail,age\nAnn,a@x.example,41\nBob,b@x.example,42\n"), []string{"~0 [0].age", "~0 [0].mail", "~0 [0].name"}},
		{"entities", "a b", plan.Str("<p>a &amp; b</p>"), []string{"0 p"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			corpus := New(outputs(c.output))
			h := corpus.Add(words(c.run))
			corpus.ReadAll()
			require.Equal(t, c.want, places(corpus, h))
		})
	}
}

func TestValuesOfNumbersAndDates(t *testing.T) {
	c := New(outputs(plan.Str("Total: 1,200.50\nDue: 2nd of April\n"), plan.Str(`{"total": 1200.5}`)))
	n, d, other := c.AddNumber(1200.5), c.AddDate(fields.Date{Month: 4, Day: 2}), c.AddNumber(7)
	c.ReadAll()
	require.Equal(t, []string{"0 Total", "1 total"}, places(c, n))
	require.Equal(t, []string{"0 Due"}, places(c, d))
	require.Nil(t, c.Of(other))
}

func TestSources(t *testing.T) {
	p := outputs(plan.Str("blue door"), plan.Str("blue door"), plan.Str("blue door"))
	p.Texts = []plan.Text{{Kind: plan.TextUser, Text: "the blue door", Before: 0}, {Kind: plan.TextUser, Text: "blue door", Before: 2}}
	c := New(p)
	c.Echo = func(call int32, _ Run) bool { return call == 1 }
	h := c.Add(words("blue door"))
	c.ReadAll()
	f := c.Of(h)
	require.EqualValues(t, 2, f.Sources, "neither the user's nor an echo")
	require.True(t, c.Sources[c.Occurrences[f.User-1].Source].User)
	var others []int32
	for at := f.FirstOther; at > 0; at = c.Occurrences[at-1].NextOther {
		others = append(others, c.Sources[c.Occurrences[at-1].Source].Call)
	}
	require.Equal(t, []int32{0, 2}, others)
	require.Len(t, places(c, h), 4, "the user's words count once")
	for k, s := range c.Sources {
		for at := s.FirstFound; at < s.EndFound; at++ {
			require.EqualValues(t, k, c.Occurrences[at].Source)
		}
	}
}

// TestManyFields: one source does not fill the memory, and says what it drops.
func TestManyFields(t *testing.T) {
	c := New(outputs(plan.Str("[" + strings.Repeat(`"green", `, 10*maxInSource) + `"green"]`)))
	h := c.Add(words("green"))
	c.ReadAll()
	require.Len(t, places(c, h), maxInSource)
	require.True(t, c.Capped)
}

// TestAgainstSearch compares with a search through the words of every leaf.
func TestAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	vocabulary := strings.Fields("a bb ccc dddd e5 ff66 gg Hh éa 東京")
	text := func(n int) string {
		var list []string
		for range 1 + r.Intn(n) {
			list = append(list, vocabulary[r.Intn(len(vocabulary))])
		}
		return strings.Join(list, []string{" ", ", ", "-", `\n`}[r.Intn(4)])
	}
	for round := range 400 {
		var values []plan.Value
		for range 1 + r.Intn(4) {
			switch r.Intn(4) {
			case 0:
				values = append(values, plan.Str(text(30)))
			case 1:
				values = append(values, plan.Str(fmt.Sprintf(`{"x": %q, "y": [%q, {"z z": %q}]}`, text(9), text(3), text(9))))
			case 2:
				values = append(values, plan.Str("- k: "+text(5)+"\n  l: "+text(5)+"\n- k: "+text(5)+"\n"))
			default:
				values = append(values, plan.Obj([]string{"k", "l l"}, plan.Str(text(9)), plan.Str(text(9))))
			}
		}
		c := New(outputs(values...))
		runs := map[Run][]fields.Word{}
		for range 30 {
			w := words(text(1 + r.Intn(12)))
			runs[c.Add(w)] = w
		}
		c.ReadAll()
		for h, run := range runs {
			var want, got []int32
			for l := range c.Doc.Leaves {
				if leaf := &c.Doc.Leaves[l]; leaf.Kind != fields.Null && leaf.Kind != fields.Bool && holds(words(leaf.Text), run) {
					want = append(want, int32(l))
				}
			}
			c.Leaves(h, func(l int32) bool { got = append(got, l); return true })
			slices.Sort(got)
			require.Equal(t, want, slices.Compact(got), "round %d", round)
		}
		c.Release() // the next round reads with its memory
	}
}

// TestBlocks: runs are found wherever they stand in a text of many blocks, whatever
// place they have in the text that they are from, and nothing else is.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	var vocabulary []string
	for k := range 60 {
		vocabulary = append(vocabulary, fmt.Sprint("word", k))
	}
	text := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = vocabulary[r.Intn(len(vocabulary))]
		}
		return strings.Join(list, " ")
	}
	for range 20 {
		output := text(3*block + r.Intn(10))
		all := words(output)
		c := New(outputs(plan.Str(output)))
		want := map[Run]bool{}
		add := func(of []fields.Word, from, to int) {
			h := Hash(of[from:to])
			c.AddRun(h, of, from, to)
			want[h] = holds(all, of[from:to])
		}
		for range 60 {
			at, n := r.Intn(len(all)-20), 1+r.Intn(20)
			piece := words(text(1+r.Intn(4)) + " " + output[all[at].Start:all[at+n-1].End] + " " + text(1+r.Intn(4)))
			for i := range piece {
				if n := 1 + r.Intn(Gram); i+n <= len(piece) {
					add(piece, i, i+n)
				}
				if i+Gram <= len(piece) {
					add(piece, i, i+Gram)
				}
			}
		}
		c.ReadAll()
		for h, stands := range want {
			require.Equal(t, stands, c.Of(h) != nil)
		}
		known := 0
		for _, f := range c.Found {
			if f.First > 0 {
				known++
			}
		}
		for _, stands := range want {
			if stands {
				known--
			}
		}
		require.Zero(t, known, "nothing is known that nobody asked for")
		c.Release()
	}
}

func holds(text, run []fields.Word) bool {
	for at := 0; at+len(run) <= len(text); at++ {
		same := true
		for k := range run {
			same = same && text[at+k].Hash == run[k].Hash
		}
		if same {
			return true
		}
	}
	return false
}

// FuzzRead: whatever an output holds, each leaf holds its own words, places lie in
// their leaves, and nothing panics.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"a": "one two", "b": ["three", {"c": "{\"d\": \"four\"}"}]}`, "name,mail\nAnn,a@x.example\nBob,\"b, c\"\n",
		"- k: one\n  l: 'two\n    three'\n", "<p title=\"a &amp; b\">one <b>two</b></p>", "k: v\nl = w\nplain line\n", "one\\ntwo \u200bthree ＡＢ",
	} {
		f.Add(text, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, pick uint8) {
		var d fields.Document
		d.Add(text)
		if len(d.Leaves) == 0 {
			return
		}
		leaf := int(pick) % len(d.Leaves)
		run := words(d.Leaves[leaf].Text)
		run = run[:min(len(run), MaxWords)]
		if len(run) == 0 {
			return
		}
		c := New(outputs(plan.Str(text)))
		h := c.Add(run)
		c.ReadAll()
		found := false
		c.Leaves(h, func(l int32) bool {
			found = found || int(l) == leaf
			require.True(t, holds(words(c.Doc.Leaves[l].Text), run))
			return true
		})
		require.True(t, found || c.Capped)
		c.Release()
	})
}
