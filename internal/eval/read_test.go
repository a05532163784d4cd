package eval

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// read returns the ids of the runs of a file, and the error that ended it.
func read(data []byte) (ids []string, err error) {
	err = Read(bytes.NewReader(data), "runs.jsonl", func(r *Run) error {
		ids = append(ids, r.ID)
		return nil
	})
	return ids, err
}

// line is a run with two calls in its message 1 and none elsewhere.
func line(id, label, attack string) string {
	return fmt.Sprintf(`{"id":%q,"suite":"s","label":%q,"attack_calls":%s,"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"name":"a","args":{}},{"name":"b","args":{}}]},{"role":"tool","content":"x"},{"role":"tool","content":"y"}]}`, id, label, attack) + "\n"
}

func TestAttackCallErrors(t *testing.T) {
	const pairs = "want a list of pairs [message, call]\nhint: both count from 0; \"attack_calls\": [[3, 0]] is the first call of the fourth message"
	for _, c := range []struct{ label, attack, want string }{
		{"positive", "[[1, 1]]", ""},
		{"goal_as_user", "[[1, 0], [1, 1]]", ""},
		{"benign", "[]", ""},
		{"benign", "null", ""},
		{"positive", "[1, 0]", `attack_calls is [1, 0], ` + pairs},
		{"positive", "[[1]]", `attack_calls is [[1]], ` + pairs},
		{"positive", "[[1, 0, 2]]", `attack_calls is [[1, 0, 2]], ` + pairs},
		{"positive", `"1.0"`, pairs},
		{"positive", "[[4, 0]]", "attack call [4, 0] does not exist: the run has 4 messages, 0 to 3\nhint: messages and calls both count from 0; messages with calls, and how many: 1 (2)"},
		{"positive", "[[-1, 0]]", "the run has 4 messages, 0 to 3"},
		{"positive", "[[2, 0]]", "attack call [2, 0] does not exist: message 2 (tool) has no calls"},
		{"positive", "[[1, 2]]", "attack call [1, 2] does not exist: message 1 has 2 calls, 0 to 1"},
		{"positive", "[]", "is positive and has no attack_calls"},
		{"benign", "[[1, 0]]", "is benign and has attack_calls: such a run has none\nhint: label it positive"},
		{"ignored", "[[1, 0]]", "is ignored and has attack_calls"},
	} {
		ids, err := read([]byte("\n" + line("x", c.label, c.attack)))
		if c.want == "" {
			require.NoError(t, err, c.attack)
			require.Equal(t, []string{"x"}, ids)
			continue
		}
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, `runs.jsonl:2: run "x"`)
	}
}

func TestLinesThatHoldNoRun(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"x",,}`:       "runs.jsonl:1:11: not a labelled run: invalid character",
		`{"id":7}`:           "runs.jsonl:1:7: not a labelled run: \"id\" is of type number, want string",
		`{"messages":{}}`:    `"messages" is of type object, want array`,
		`[1]`:                "runs.jsonl:1: not a labelled run: the line is JSON of type array, want an object\nhint: each line is one run",
		`{"label":"benign"}`: `run "" has no messages`,
		`{"label":"benign","messages":[{"role":"us\u001ber"}]}`: `message 0 (from 0) has the unknown role "us\x1ber"`,
		`{"label":"benign","messages":[{"content":"hi"}]}`:      `message 0 (from 0) has the unknown role ""`,
	} {
		_, err := read([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestCutGzip cuts a gzipped set at every byte: it is never read as if it were whole,
// and the error says that it is cut.
func TestCutGzip(t *testing.T) {
	var data bytes.Buffer
	z := gzip.NewWriter(&data)
	for i := range 3 {
		_, err := z.Write([]byte(line(fmt.Sprint("run", i), "benign", "[]")))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	ids, err := read(data.Bytes())
	require.NoError(t, err)
	require.Len(t, ids, 3)
	for n := 2; n < data.Len(); n++ {
		_, err := read(data.Bytes()[:n])
		require.ErrorContains(t, err, "runs.jsonl: the gzipped data is cut off after ", n)
		require.ErrorContains(t, err, "gzip -t tests it")
	}
	damaged := bytes.Clone(data.Bytes())
	damaged[len(damaged)-6] ^= 1 // the checksum
	_, err = read(damaged)
	require.ErrorContains(t, err, "runs.jsonl: gzip: invalid checksum after 3 whole runs")
	// A whole line that is wrong is told of as such.
	data.Reset()
	z = gzip.NewWriter(&data)
	_, err = z.Write([]byte(line("x", "strange", "[]")))
	require.NoError(t, err)
	require.NoError(t, z.Flush())
	_, err = read(data.Bytes())
	require.ErrorContains(t, err, `runs.jsonl:1: unknown label "strange"`)
}

// TestDeniedByRules: a call that rules deny anyway is not made stricter, so the run
// counts as missed, and is marked.
func TestDeniedByRules(t *testing.T) {
	denied, missed := outcome(Positive, "a", false, false), outcome(Positive, "b", false, false)
	denied.Denied = []int{0}
	other := outcome(Positive, "c", true, false)
	other.Denied = []int{0, 1} // caught by another call
	list := []Outcome{denied, missed, other}
	f := figures(list)
	require.Equal(t, 1, f.TPR.Hits)
	require.Equal(t, 1, f.DeniedByRules.Hits)
	require.Equal(t, 3, f.DeniedByRules.Of)
	require.Equal(t, []string{"error positive a a (denied by rules alone)\n", "error positive b b\n"}, List(list, false))
	require.Len(t, List(list, true), 3)
	var text strings.Builder
	s := Summarize(list)
	require.NoError(t, s.WriteText(&text, 0))
	require.Contains(t, text.String(), "missed, denied by rules alone")
	text.Reset()
	s = Summarize(list[1:])
	require.NoError(t, s.WriteText(&text, 0))
	require.NotContains(t, text.String(), "denied by rules alone")
}
