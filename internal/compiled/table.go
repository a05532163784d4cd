package compiled

import (
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/tool"
)

// table compiles the per-call rules; from are the rules as they were written.
func (b *builder) table(list []rules.Rule, from []Rule, s rules.Settings) *rules.Table {
	t, wrong := rules.Compile(list, s)
	for _, w := range wrong {
		p := Problem{At: w.Pos, Message: w.Message, Hint: w.Hint, Entry: w.Pos}
		if text, ok := fieldAt(from, w.Pos, w.Field); ok {
			p.At, p.Length, p.Entry = text.At, len(text.S), tool.Origin{}
		}
		b.problems = append(b.problems, p)
	}
	return t
}

// places compiles the protected places.
func (b *builder) places(list []Protected) *rules.Places {
	places := make([]rules.Place, len(list))
	for i := range list {
		e := &list[i]
		places[i] = rules.Place{Name: e.Name.S, Paths: Strings(e.Paths), Authority: e.Authority, Content: e.Content.S, Deny: e.Decision.S == "deny", Whole: e.Whole, Checked: e.Builtin, Pos: e.Pos}
	}
	compiled, wrong := rules.CompilePlaces(places)
	for _, w := range wrong {
		b.problems = append(b.problems, Problem{At: w.Pos, Message: w.Message, Hint: w.Hint, Entry: w.Pos})
	}
	return compiled
}

// fieldAt returns the text that a problem of a rule is about.
func fieldAt(list []Rule, pos tool.Origin, field string) (Text, bool) {
	for i := range list {
		r := &list[i]
		if r.Pos != pos || pos.Line == 0 {
			continue
		}
		t := map[string]Text{
			"decision": r.Decision, "tool": r.Tool, "path": r.Path, "command": r.Command, "host": r.Host,
			"server": r.Server, "agent": r.Agent, "when": r.When, "reason": r.Reason,
		}[field]
		if field == "accepts" && len(r.Accepts) > 0 {
			t = r.Accepts[0]
		}
		return t, t.At.Line > 0
	}
	return Text{}, false
}
