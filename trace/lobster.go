package trace

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// shellTool is the name under which a command line of a file becomes a call.
const shellTool = "run_command"

var lobsterKeys = []string{"run", "command", "pipeline", "approval", "workflow"}

// isLobster reports whether steps are those of a Lobster file.
func isLobster(v *plan.Value) bool {
	list := transcript.Items(transcript.Member(v, "steps"))
	for i := range list {
		if has(&list[i], "id") && firstOf(&list[i], lobsterKeys) != nil && toolOf(&list[i]) == "" {
			return true
		}
	}
	return false
}

// lobster reads a Lobster workflow: command lines whose references are put into
// the text before the shell sees it, so they count as parts of the command.
func (r *reader) lobster(values []plan.Value) []*plan.Plan {
	s := newSteps()
	s.inputs = make(map[string]bool)
	var inputs []plan.Input
	for i := range values {
		for j, key := range argsOf(&values[i]).Keys {
			s.inputs[key] = true
			inputs = append(inputs, plan.Input{Name: key, Pos: argsOf(&values[i]).Items[j].Pos})
		}
		list := transcript.Items(transcript.Member(&values[i], "steps"))
		for j := range list {
			s.lobsterStep(&list[j], "")
		}
	}
	plans := r.ofSteps(s)
	for _, p := range plans {
		p.Fixed = true
		for _, in := range inputs {
			if !slices.ContainsFunc(p.Calls, func(c plan.Call) bool { return c.ID == in.Name }) {
				p.Inputs = append(p.Inputs, in)
			}
		}
	}
	return plans
}

func argsOf(v *plan.Value) *plan.Value {
	if args := transcript.Member(v, "args"); isObject(args) {
		return args
	}
	return &plan.Value{}
}

func (s *steps) lobsterStep(item *plan.Value, group string) {
	st := &step{id: transcript.Str(item, "id"), pos: item.Pos, when: wordOf(item, guardKeys), kind: plan.Tool, group: group}
	stdin := transcript.Member(item, "stdin")
	switch {
	case firstOf(item, []string{"run", "command"}) != nil:
		st.tool = shellTool
		st.args = object("command", firstOf(item, []string{"run", "command"}), stdin)
	case has(item, "pipeline"):
		st.pipeline(transcript.Member(item, "pipeline"), stdin)
	case has(item, "approval"):
		// Somebody approves what is shown, not what is put in later: audit only.
		st.kind, st.approval = plan.Model, transcript.Leaves(transcript.Member(item, "approval"))
		st.args = object("shown", transcript.Member(item, "approval"), stdin)
	case has(item, "workflow"):
		st.kind = plan.Opaque
		st.args = object("workflow", transcript.Member(item, "workflow"), transcript.Member(item, "workflow_args"))
	case has(item, "parallel"):
		branches := transcript.Items(transcript.Member(transcript.Member(item, "parallel"), "branches"))
		for i := range branches {
			s.lobsterStep(&branches[i], "parallel-"+st.id)
		}
		return
	case has(item, "for_each"):
		inner := transcript.Items(transcript.Member(item, "steps"))
		for i := range inner {
			s.lobsterStep(&inner[i], "")
		}
		return
	default:
		st.kind = plan.Opaque
		st.args = *item
	}
	s.add(st)
}

func object(key string, value, stdin *plan.Value) plan.Value {
	out := plan.Value{Kind: plan.Object, Pos: value.Pos, Keys: []string{key}, Items: []plan.Value{*value}}
	if stdin != nil {
		out.Keys, out.Items = append(out.Keys, "stdin"), append(out.Items, *stdin)
	}
	return out
}

var invoke = lazily(`^\s*openclaw\.invoke\b(.*)$`)
var invokeFlag = lazily(`--(tool|action|args-json)[ =]+('[^']*'|"[^"]*"|\S+)`)

// pipeline reads a pipeline of one openclaw.invoke as the call that it makes;
// anything else is a command line.
func (st *step) pipeline(text, stdin *plan.Value) {
	st.tool = shellTool
	st.args = object("command", text, stdin)
	m := invoke.get().FindStringSubmatch(text.Text)
	if m == nil || strings.Contains(text.Text, "|") {
		return
	}
	args := plan.Value{Kind: plan.Object, Pos: text.Pos}
	for _, f := range invokeFlag.get().FindAllStringSubmatch(m[1], 20) {
		word := strings.Trim(f[2], `'"`)
		switch f[1] {
		case "tool":
			st.tool = word
		case "action":
			args.Keys = append(args.Keys, "action")
			args.Items = append(args.Items, plan.Value{Kind: plan.String, Text: word, Pos: text.Pos})
		default:
			inner := parsed(plan.Value{Kind: plan.String, Text: word, Pos: text.Pos})
			args.Keys, args.Items = append(args.Keys, inner.Keys...), append(args.Items, inner.Items...)
		}
	}
	if stdin != nil {
		args.Keys, args.Items = append(args.Keys, "stdin"), append(args.Items, *stdin)
	}
	if st.tool != shellTool {
		st.args = args
	}
}
