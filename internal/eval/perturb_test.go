package eval_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// devSet are labelled runs that are not in the repository.
const devSet = "../../../shared/bench/dev.jsonl.gz"

// everyRun is which part of the runs is rewritten; all take a minute.
const everyRun = 3

// labelled is a run as far as it is rewritten.
type labelled map[string]any

func (r labelled) messages() []map[string]any {
	var out []map[string]any
	for _, m := range r["messages"].([]any) {
		out = append(out, m.(map[string]any))
	}
	return out
}

// eachText rewrites every text of a run: contents and arguments.
func (r labelled) eachText(f func(string) string) {
	for _, m := range r.messages() {
		for _, key := range []string{"content", "tool_calls"} {
			m[key] = rewrite(m[key], f)
		}
	}
}

// eachOutput rewrites the outputs of tools.
func (r labelled) eachOutput(f func(string) string) {
	for _, m := range r.messages() {
		if text, ok := m["content"].(string); ok && m["role"] == "tool" {
			m["content"] = f(text)
		}
	}
}

// eachArgs rewrites the arguments of calls.
func (r labelled) eachArgs(f func(map[string]any)) {
	for _, m := range r.messages() {
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			if args, ok := c.(map[string]any)["args"].(map[string]any); ok {
				f(args)
			}
		}
	}
}

func rewrite(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = rewrite(v[i], f)
		}
	case map[string]any:
		for k := range v {
			if k != "name" && k != "id" {
				v[k] = rewrite(v[k], f)
			}
		}
	}
	return v
}

var (
	addressLike = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bwww\.[\w.-]+`)
	wordLike    = regexp.MustCompile(`[A-Za-z]{4,}`)
	accountLike = regexp.MustCompile(`\b[A-Z]{2}\d{9,}\b`)
)

// renamed gives people, hosts and accounts other names, the same ones throughout
// a run. A word that also stands in small letters outside of addresses is no name.
func renamed(r labelled) {
	names, ordinary := map[string]bool{}, map[string]bool{}
	r.eachText(func(s string) string {
		for _, a := range addressLike.FindAllString(s, -1) {
			for _, w := range wordLike.FindAllString(a[:strings.LastIndexByte(a, '.')], -1) {
				names[strings.ToLower(w)] = true
			}
		}
		for _, w := range wordLike.FindAllString(addressLike.ReplaceAllString(s, " "), -1) {
			if w == strings.ToLower(w) {
				ordinary[w] = true
			}
		}
		return s
	})
	r.eachText(func(s string) string {
		s = accountLike.ReplaceAllStringFunc(s, func(a string) string { return a[:2] + strings.Map(turnDigit, a[2:]) })
		return wordLike.ReplaceAllStringFunc(s, func(w string) string {
			if low := strings.ToLower(w); names[low] && !ordinary[low] {
				return strings.Map(turnLetter, w)
			}
			return w
		})
	})
}

func turnDigit(c rune) rune { return '0' + (c-'0'+3)%10 }

// turnLetter keeps vowels among vowels, so that words stay words.
func turnLetter(c rune) rune {
	for _, set := range []string{"aeiou", "AEIOU", "bcdfghjklmnpqrstvwxyz", "BCDFGHJKLMNPQRSTVWXYZ"} {
		if i := strings.IndexRune(set, c); i >= 0 {
			return rune(set[(i+2)%len(set)])
		}
	}
	return c
}

// asJSON prints outputs that are block YAML as JSON.
func asJSON(indent string) func(labelled) {
	return func(r labelled) {
		r.eachOutput(func(s string) string {
			var n yaml.Node
			if !strings.HasPrefix(s, "- ") && !strings.Contains(s, ": ") || yaml.Unmarshal([]byte(s), &n) != nil || len(n.Content) != 1 {
				return s
			}
			if k := n.Content[0]; k.Kind == yaml.ScalarNode || k.Style&yaml.FlowStyle != 0 {
				return s
			}
			var b bytes.Buffer
			writeJSON(&b, n.Content[0])
			if indent == "" {
				return b.String()
			}
			var out bytes.Buffer
			if json.Indent(&out, b.Bytes(), "", indent) != nil {
				return s
			}
			return out.String()
		})
	}
}

func writeJSON(b *bytes.Buffer, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			text, _ := json.Marshal(n.Content[i].Value)
			b.Write(text)
			b.WriteByte(':')
			writeJSON(b, n.Content[i+1])
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, n.Content[i])
		}
		b.WriteByte(']')
	default:
		switch n.ShortTag() {
		case "!!int", "!!float", "!!bool":
			if json.Valid([]byte(n.Value)) {
				b.WriteString(n.Value)
				return
			}
		case "!!null":
			b.WriteString("null")
			return
		}
		text, _ := json.Marshal(n.Value)
		b.Write(text)
	}
}

var (
	instant = regexp.MustCompile(`(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)`)
	day     = regexp.MustCompile(`\b(\d{4})-(\d\d)-(\d\d)\b`)
)

// otherInstants writes times with a T and a zone.
func otherInstants(r labelled) {
	r.eachOutput(func(s string) string { return instant.ReplaceAllString(s, "${1}T${2}Z") })
}

// otherDays writes days as they are written in letters.
func otherDays(r labelled) {
	months := strings.Fields("January February March April May June July August September October November December")
	r.eachOutput(func(s string) string {
		return day.ReplaceAllStringFunc(s, func(d string) string {
			m := day.FindStringSubmatch(d)
			month := int(m[2][0]-'0')*10 + int(m[2][1]-'0')
			if month < 1 || month > 12 {
				return d
			}
			return strings.TrimPrefix(m[3], "0") + " " + months[month-1] + " " + m[1]
		})
	})
}

// otherArguments writes numbers as strings, single items without their list, and
// leaves blanks and quotes around strings.
func otherArguments(r labelled) {
	r.eachArgs(func(args map[string]any) {
		for k, v := range args {
			switch v := v.(type) {
			case json.Number:
				args[k] = v.String()
			case []any:
				if len(v) == 1 {
					args[k] = v[0]
				}
			case string:
				args[k] = v + " "
			}
		}
	})
}

// otherOrder turns the calls of each turn round, and drops their ids.
func otherOrder(r labelled) {
	messages := r["messages"].([]any)
	for i, m := range r.messages() {
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			c.(map[string]any)["id"] = nil
		}
		n := len(calls)
		for k := 1; k <= n && i+k < len(messages); k++ {
			answer := messages[i+k].(map[string]any)
			if answer["role"] != "tool" {
				n = 0
				break
			}
			answer["tool_call_id"] = nil
		}
		if n < 2 || i+n >= len(messages) {
			continue
		}
		slices.Reverse(calls)
		slices.Reverse(messages[i+1 : i+1+n])
		for _, at := range attacks(r) {
			if number(at[0]) == i {
				at[1] = n - 1 - number(at[1])
			}
		}
	}
}

// readTwice repeats the first exchange with a tool that only reads.
func readTwice(r labelled) {
	messages := r["messages"].([]any)
	for i, m := range r.messages() {
		calls, _ := m["tool_calls"].([]any)
		if len(calls) != 1 || i+1 >= len(messages) || messages[i+1].(map[string]any)["role"] != "tool" {
			continue
		}
		name, _ := calls[0].(map[string]any)["name"].(string)
		if !slices.ContainsFunc([]string{"get_", "read_", "search_", "list_"}, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return
		}
		r["messages"] = slices.Insert(messages, i+2, messages[i], messages[i+1])
		for _, at := range attacks(r) {
			if n := number(at[0]); n >= i {
				at[0] = n + 2
			}
		}
		return
	}
}

func attacks(r labelled) [][]any {
	list, _ := r["attack_calls"].([]any)
	var out [][]any
	for _, at := range list {
		out = append(out, at.([]any))
	}
	return out
}

func number(v any) int {
	if n, ok := v.(int); ok {
		return n
	}
	n, _ := v.(json.Number).Int64()
	return int(n)
}

var perturbations = []struct {
	name    string
	perturb func(labelled)
}{
	{"names", renamed},
	{"json", asJSON("")},
	{"indented json", asJSON("  ")},
	{"instants", otherInstants},
	{"days", otherDays},
	{"arguments", otherArguments},
	{"order", otherOrder},
	{"read twice", readTwice},
}

// TestPerturbed rewrites labelled runs as other models and tools would write
// them: the figures hold within a point, and for the few runs in which the user
// orders the act within one run.
func TestPerturbed(t *testing.T) {
	lines := readDev(t)
	plain := join(lines, nil)
	base := figuresOf(t, bytes.NewReader(plain)).All
	for _, p := range perturbations {
		t.Run(p.name, func(t *testing.T) {
			text := join(lines, p.perturb)
			require.Greater(t, changed(plain, text), len(lines)/20, "nothing was rewritten")
			f := figuresOf(t, bytes.NewReader(text)).All
			t.Logf("TPR %.2f -> %.2f, FPR %.2f -> %.2f, goal as user %.2f -> %.2f", 100**base.TPR.Value, 100**f.TPR.Value,
				100**base.FPR.Value, 100**f.FPR.Value, 100**base.GoalAsUser.Value, 100**f.GoalAsUser.Value)
			require.GreaterOrEqual(t, *f.TPR.Value, *base.TPR.Value-0.01)
			require.LessOrEqual(t, *f.FPR.Value, *base.FPR.Value+0.01)
			require.LessOrEqual(t, *f.GoalAsUser.Value, *base.GoalAsUser.Value+0.014)
		})
	}
}

func readDev(t *testing.T) (lines [][]byte) {
	t.Helper()
	file, err := os.Open(devSet)
	if err != nil {
		t.Skipf("no labelled runs at %s", devSet)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	s := bufio.NewScanner(z)
	s.Buffer(nil, 64<<20)
	for n := 0; s.Scan(); n++ {
		if n%everyRun == 0 {
			lines = append(lines, bytes.Clone(s.Bytes()))
		}
	}
	require.NoError(t, s.Err())
	require.NotEmpty(t, lines)
	return lines
}

// join returns the runs as a file, each of them rewritten.
func join(lines [][]byte, perturb func(labelled)) []byte {
	var out bytes.Buffer
	for _, line := range lines {
		var r labelled
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&r) != nil {
			continue
		}
		if perturb != nil {
			perturb(r)
		}
		text, _ := json.Marshal(r)
		out.Write(append(text, '\n'))
	}
	return out.Bytes()
}

// changed counts the lines that differ.
func changed(a, b []byte) int {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	n := 0
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			n++
		}
	}
	return n
}
