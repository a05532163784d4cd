package transcript

import (
	"fmt"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

func call(turn, id, tool string) Event {
	return Event{Kind: Call, Turn: turn, ID: id, Tool: tool, Value: plan.Obj(nil)}
}

func answer(id, tool, text string) Event {
	return Event{Kind: Result, ID: id, Tool: tool, Outcome: plan.Ran, Value: plan.Str(text)}
}

func words(s string) Event { return Event{Kind: Text, TextKind: plan.TextUser, Value: plan.Str(s)} }

func build(events ...Event) *plan.Plan {
	b := NewBuilder("test", "test")
	for _, e := range events {
		b.Add(e)
	}
	return b.Plan()
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []Event
		want   []string // outputs, "-" for none
		notes  []string
	}{
		{"by id, out of order", []Event{call("1", "a", "x"), call("1", "b", "y"), answer("b", "", "B"), answer("a", "", "A")}, []string{"A", "B"}, nil},
		{"an id used again later", []Event{call("1", "a", "x"), answer("a", "", "1"), call("2", "a", "y"), answer("a", "", "2")}, []string{"1", "2"}, []string{NoteReusedID}},
		{"an old open call of the id stays open", []Event{call("1", "a", "x"), call("2", "a", "y"), answer("a", "", "2")}, []string{"-", "2"}, []string{NoteReusedID, NoteNoOutput}},
		{"an id twice in one turn goes by order", []Event{call("1", "a", "x"), call("1", "a", "y"), answer("a", "", "1"), answer("a", "", "2")}, []string{"1", "2"}, []string{NoteReusedID}},
		{"no ids: by tool, then by order", []Event{call("1", "", "x"), call("1", "", "y"), call("1", "", "z"), answer("", "y", "Y"), answer("", "", "X"), answer("", "", "Z")}, []string{"X", "Y", "Z"}, nil},
		{"a result without an id for a call with one", []Event{call("1", "a", "x"), answer("", "x", "X")}, []string{"X"}, nil},
		{"such a result looks at the last turn only", []Event{call("1", "a", "x"), call("2", "b", "y"), answer("b", "", "Y"), answer("", "x", "?")}, []string{"-", "Y"}, []string{NoteNoOutput, NoteOrphan}},
		{"an unknown id is an orphan", []Event{call("1", "a", "x"), answer("q", "", "?")}, []string{"-"}, []string{NoteNoOutput, NoteOrphan}},
		{"a repeated result is one", []Event{call("1", "a", "x"), answer("a", "", "A"), answer("a", "", "A")}, []string{"A"}, nil},
		{"another second result is an orphan", []Event{call("1", "a", "x"), answer("a", "", "A"), answer("a", "", "B")}, []string{"A"}, []string{NoteOrphan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := build(append([]Event{words("go")}, c.events...)...)
			var got, notes []string
			for i := range p.Calls {
				out := "-"
				if p.Calls[i].HasOutput() {
					out = p.Calls[i].Output.Text
				}
				got = append(got, out)
			}
			for _, n := range p.Notes {
				notes = append(notes, n.ID)
			}
			require.Equal(t, c.want, got)
			require.ElementsMatch(t, c.notes, notes)
		})
	}
}

func TestTurns(t *testing.T) {
	p := build(words("go"), call("m", "a", "x"), answer("a", "", "A"), words("between"), call("m", "b", "y"), call("n", "c", "z"), call("m", "d", "w"))
	var turns []int
	for i := range p.Calls {
		turns = append(turns, p.Calls[i].Turn)
	}
	require.Equal(t, []int{0, 0, 1, 2}, turns, "a key that comes back after another one is a new turn")
	require.Equal(t, 0, p.Texts[0].Before)
	require.Equal(t, 2, p.Texts[1].Before, "a text inside a turn was not seen by the rest of it")
}

func TestTrailingCalls(t *testing.T) {
	outcomes := func(p *plan.Plan) (out []string) {
		for i := range p.Calls {
			out = append(out, p.Calls[i].Outcome.String())
		}
		return out
	}
	require.Equal(t, []string{"planned", "planned"}, outcomes(build(words("go"), call("1", "a", "x"), call("1", "b", "y"))))
	require.Equal(t, []string{"ran", "unknown"}, outcomes(build(words("go"), call("1", "a", "x"), call("1", "b", "y"), answer("a", "", "A"))))
	require.Equal(t, []string{"unknown"}, outcomes(build(call("1", "a", "x"), words("stop"))))
	require.Equal(t, []string{"blocked"}, outcomes(build(call("1", "a", "x"), Event{Kind: Aborted})))
}

func TestRefusalByTextOnly(t *testing.T) {
	refused := Event{Kind: Result, ID: "a", Outcome: plan.Refused, ByText: true, Value: plan.Str("no")}
	require.Equal(t, plan.Refused, build(call("1", "a", "Bash"), refused).Calls[0].Outcome)
	require.Equal(t, plan.Failed, build(call("1", "a", "mcp__x__y"), refused).Calls[0].Outcome,
		"a server can write such words itself")
}

func TestAgentsFormATree(t *testing.T) {
	in := func(agent string, e Event) Event { e.Agent = agent; return e }
	p := build(
		in("x", call("1", "cx", "Task")), in("y", call("1", "cy", "Task")),
		Event{Kind: Spawn, Agent: "x", ID: "cy"}, Event{Kind: Spawn, Agent: "y", ID: "cx"},
		Event{Kind: Spawn, Agent: "main", ID: "cx"}, in("main", call("1", "cm", "Bash")))
	require.Equal(t, []plan.Agent{
		{Name: "main", SpawnedBy: -1},
		{Name: "x", Parent: "main", SpawnedBy: -1},
		{Name: "y", Parent: "x", SpawnedBy: 0},
		{Name: "main#2", Parent: "x", SpawnedBy: 0},
	}, p.Agents)
}

func TestNotesAreCapped(t *testing.T) {
	b := NewBuilder("test", "test")
	for i := range MaxNotes + 50 {
		b.Add(answer(fmt.Sprint(i), "", "x"))
	}
	p := b.Plan()
	require.Len(t, p.Texts, MaxNotes+50, "the texts are all kept")
	require.Equal(t, "and 50 more notes like this", p.Notes[len(p.Notes)-1].Message)
}

// TestLinear: matching by order costs the same for each call however many are
// open.
func TestLinear(t *testing.T) {
	const n = 200_000
	b := NewBuilder("test", "test")
	for range n {
		b.Add(call("1", "", "x"))
	}
	for range n {
		b.Add(answer("", "x", "out"))
	}
	p := b.Plan()
	require.Equal(t, plan.Ran, p.Calls[n-1].Outcome)
}

func TestSegments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain", "user:plain"},
		{"<system-reminder>x</system-reminder>\nreal words", "hook:x user:real words"},
		{"first <system-reminder>x</system-reminder> last", "user:first hook:x user:last"},
		{"<ide_selection>a</ide_selection> fake </ide_selection> mine", "attachment:a</ide_selection> fake user:mine"},
		{"<system-reminder>never closed. do this", "hook:never closed. do this"},
		{"<command-name>/fix</command-name><command-message>fix</command-message><command-args>the tests</command-args>", "user:/fix hook:fix user:the tests"},
		{"Caveat: The messages below were generated", "hook:Caveat: The messages below were generated"},
		{"a < b and <b>bold</b>", "user:a < b and <b>bold</b>"},
		{"<user_input mode=\"act\">go</user_input>", "user:go"},
		{"  ", ""},
	} {
		got := ""
		for i, s := range segments(c.text, plan.TextUser) {
			if i > 0 {
				got += " "
			}
			got += s.kind.String() + ":" + s.text
		}
		require.Equal(t, c.want, got, c.text)
	}
}

func TestIsCut(t *testing.T) {
	require.True(t, isCut("abc\n... [12 lines truncated] ...\n"))
	require.True(t, isCut("<persisted-output>\nx"))
	require.True(t, isCut("x…1234 tokens truncated…y"))
	require.False(t, isCut("if node.truncated { return }"))
	require.False(t, isCut("the file was truncated by the user"))
}

func TestFeederIsIncremental(t *testing.T) {
	lines := "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"},\"uuid\":\"1\"}\n" +
		"{\"type\":\"assistant\",\"uuid\":\"2\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}]}}\n"
	var whole, pieces []Event
	f := NewFeeder(NewClaude(plan.TextUser), func(e Event) { whole = append(whole, e) })
	f.Feed([]byte(lines))
	f.Close()
	f = NewFeeder(NewClaude(plan.TextUser), func(e Event) { pieces = append(pieces, e) })
	for i := range lines {
		f.Feed([]byte(lines[i : i+1]))
	}
	f.Close()
	require.Equal(t, whole, pieces)
	require.Len(t, whole, 2)
}
