package trace

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// Planners of all makes write a list of steps, each with its own words for the
// same things. This table is those words.
var (
	listKeys   = []string{"steps", "tasks", "calls", "actions", "operations", "plan", "nodes"}
	idKeys     = []string{"id", "step_id", "stepId", "label", "step", "idx"}
	toolKeys   = []string{"tool", "tool_name", "toolName", "tool_id", "function", "_tool", "action"}
	serverKeys = []string{"server", "mcp_server", "mcpServer"}
	argKeys    = []string{"args", "arguments", "params", "parameters", "input", "inputs", "tool_input", "tool_args"}
	afterKeys  = []string{"depends_on", "dependsOn", "dependencies", "deps", "dep", "needs", "after"}
	outputKeys = []string{"output", "outputs", "save_as", "result", "_outputPath", "label"}
	guardKeys  = []string{"condition", "when", "if"}
	agentKeys  = []string{"agent", "agent_name", "assignee"}
	proseKeys  = []string{"task", "description", "prompt", "goal", "title", "content", "text"}
)

func firstOf(v *plan.Value, keys []string) *plan.Value {
	for _, k := range keys {
		if m := transcript.Member(v, k); m != nil && m.Kind != plan.Null {
			return m
		}
	}
	return nil
}

func wordOf(v *plan.Value, keys []string) string {
	if m := firstOf(v, keys); m != nil && (m.Kind == plan.String || m.Kind == plan.Number) {
		return m.Text
	}
	return ""
}

// stepList finds the list of steps, nil where there is none.
func stepList(v *plan.Value) *plan.Value {
	if v.Kind == plan.List {
		return v
	}
	for _, k := range listKeys {
		m := transcript.Member(v, k)
		switch {
		case m == nil:
		case m.Kind == plan.List && len(m.Items) > 0:
			return m
		case m.Kind == plan.Object:
			if inner := stepList(m); inner != nil {
				return inner
			}
		}
	}
	return nil
}

// isSteps reports whether a value is a list of steps of which at least one names
// a tool and has something like arguments or an order.
func isSteps(v *plan.Value) bool {
	list := stepList(v)
	if list == nil || has(v, "connections") || has(v, "edges") || has(v, "workflow") {
		return false // n8n, Flowise, microsoft/conductor: graphs with an order of their own
	}
	for i := range list.Items[:min(len(list.Items), sampled)] {
		item := &list.Items[i]
		if item.Kind != plan.Object {
			return false
		}
		if operations(item) != nil || toolOf(item) != "" && (firstOf(item, argKeys) != nil || firstOf(item, afterKeys) != nil) && !isCatalogue(item) {
			return true
		}
	}
	return false
}

// isCatalogue reports whether an entry describes a tool instead of calling it:
// its arguments are schemas.
func isCatalogue(item *plan.Value) bool {
	args := firstOf(item, argKeys)
	if args == nil || args.Kind != plan.Object || len(args.Items) == 0 {
		return false
	}
	for i := range args.Items {
		if a := &args.Items[i]; a.Kind != plan.Object || !has(a, "type") && !has(a, "description") {
			return has(args, "type", "properties")
		}
	}
	return true
}

func toolOf(item *plan.Value) string {
	for _, k := range toolKeys {
		m := transcript.Member(item, k)
		switch {
		case m == nil:
		case m.Kind == plan.String && m.Text != "":
			return m.Text
		case m.Kind == plan.Object:
			if name := transcript.Str(m, "name"); name != "" {
				return name
			}
		}
	}
	if has(item, "name") && firstOf(item, argKeys) != nil {
		return transcript.Str(item, "name")
	}
	// HuggingGPT and TaskBench: the task is the tool.
	if has(item, "task") && (has(item, "dep") || has(item, "args") || has(item, "arguments")) {
		return transcript.Str(item, "task")
	}
	return ""
}

func operations(item *plan.Value) []plan.Value {
	for _, k := range []string{"operations", "actions", "calls"} {
		list := transcript.Items(transcript.Member(item, k))
		if len(list) > 0 && list[0].Kind == plan.Object && toolOf(&list[0]) != "" {
			return list
		}
	}
	return nil
}

// proseHint says what to do with a plan that holds no calls.
const proseHint = "there is nothing to decide before an agent turns it into calls; review those"

// isProse reports whether an object holds a plan of sentences: steps or todos of
// which none names a tool.
func isProse(v *plan.Value) bool {
	list := firstOf(v, []string{"steps", "tasks", "plan", "todos"})
	if list == nil || list.Kind != plan.List || len(list.Items) == 0 {
		return false
	}
	for i := range list.Items[:min(len(list.Items), sampled)] {
		item := &list.Items[i]
		if item.Kind != plan.String && (item.Kind != plan.Object || toolOf(item) != "" || wordOf(item, proseKeys) == "") {
			return false
		}
	}
	return true
}

// generic reads a list of steps.
func (r *reader) generic(values []plan.Value) []*plan.Plan {
	s := newSteps()
	var goal string
	for i := range values {
		v := &values[i]
		list := stepList(v)
		if list == nil {
			if v.Kind == plan.Object { // one step a line, or items of a list
				s.entry(v, len(s.list))
			}
			continue
		}
		if goal == "" && v.Kind == plan.Object {
			goal = wordOf(v, []string{"goal", "query", "question", "objective", "user_query"})
		}
		for j := range list.Items {
			s.entry(&list.Items[j], j)
		}
	}
	s.positions()
	calls := 0
	for _, st := range s.list {
		if st.kind == plan.Tool {
			calls++
		}
	}
	if calls == 0 {
		r.errs = []plan.Error{{Message: fmt.Sprintf("a plan in prose: %d steps, no calls in it", len(s.list)), Hint: proseHint}}
		return nil
	}
	p := s.plan(string(r.format), r.name)
	if calls < len(s.list) {
		p.Open = &plan.Open{Why: "steps without a tool may call any"}
	}
	if goal != "" {
		p.Texts = append(p.Texts, plan.Text{Kind: plan.TextModel, Text: goal, Origin: "the plan's goal"})
	}
	return []*plan.Plan{p}
}

// entry reads one step.
func (s *steps) entry(item *plan.Value, place int) {
	if item.Kind != plan.Object {
		s.prose(item, place)
		return
	}
	if name := transcript.Str(item, "name"); name == "var_result" && !has(item, "label") {
		return // NESTFUL's result, which is no call
	}
	if ops := operations(item); ops != nil {
		s.stage(item, ops)
		return
	}
	st := s.common(item)
	tool := toolOf(item)
	switch strings.ToLower(tool) {
	case "", "none", "null", "llm", "final_answer":
		s.model(st, item)
		return
	}
	if transcript.Str(item, "type") == "wait" {
		return
	}
	st.tool = tool
	s.arguments(st, item)
	s.add(st)
}

// common reads what every step may have.
func (s *steps) common(item *plan.Value) *step {
	st := &step{pos: item.Pos, server: wordOf(item, serverKeys), when: wordOf(item, guardKeys), agent: "", kind: plan.Tool}
	st.id = wordOf(item, idKeys)
	if st.id == "" && toolOf(item) != transcript.Str(item, "name") {
		st.id = transcript.Str(item, "name")
	}
	if name := wordOf(item, outputKeys); name != "" {
		st.names = append(st.names, strings.TrimPrefix(name, "$"))
	}
	st.agent = wordOf(item, agentKeys)
	if after := firstOf(item, afterKeys); after != nil {
		if after.Kind == plan.List {
			for i := range after.Items {
				st.after = append(st.after, after.Items[i].Text)
			}
		} else if after.Text != "" {
			st.after = append(st.after, after.Text)
		}
	}
	return st
}

// arguments reads the arguments in the forms in which they come.
func (s *steps) arguments(st *step, item *plan.Value) {
	args := firstOf(item, argKeys)
	if f := transcript.Member(item, "function"); args == nil && f != nil && f.Kind == plan.Object {
		args = firstOf(f, argKeys)
	}
	switch {
	case has(item, "generate"):
		// A model writes the arguments when the plan runs.
		st.args = plan.Value{Kind: plan.UnknownValue, Pos: item.Pos, Ext: &plan.Ext{Unknown: &plan.UnknownSource{By: "model"}}}
	case args == nil, args.Kind == plan.List && len(args.Items) == 0:
		st.args = plan.Value{Kind: plan.Object, Pos: item.Pos}
	case args.Kind == plan.List && namedInputs(args):
		st.args = inputsObject(args)
	case args.Kind == plan.String:
		st.args = parsed(*args)
		st.raw = st.args.Kind == plan.String
	default:
		st.args = *args
		st.raw = args.Kind != plan.Object
	}
}

func namedInputs(list *plan.Value) bool {
	for i := range list.Items {
		if transcript.Str(&list.Items[i], "name") == "" {
			return false
		}
	}
	return len(list.Items) > 0
}

// inputsObject makes an object of [{name, value}]; without a value a model
// chooses one when the plan runs, having seen what the name says.
func inputsObject(list *plan.Value) plan.Value {
	out := plan.Value{Kind: plan.Object, Pos: list.Pos}
	for i := range list.Items {
		in := &list.Items[i]
		name := transcript.Str(in, "name")
		value := firstOf(in, []string{"value", "default"})
		if value == nil && strings.HasPrefix(name, "$") {
			value = transcript.Member(in, "name")
		}
		if value == nil {
			value = &plan.Value{Kind: plan.UnknownValue, Pos: in.Pos, Ext: &plan.Ext{Unknown: &plan.UnknownSource{By: "model"}}}
		}
		out.Keys = append(out.Keys, strings.TrimPrefix(name, "$"))
		out.Items = append(out.Items, *value)
	}
	return out
}

// stage reads a step of several calls: Conductor's plan-execute.
func (s *steps) stage(item *plan.Value, ops []plan.Value) {
	whole := s.common(item)
	group := ""
	if p := transcript.Member(item, "parallel"); p != nil && p.Text == "true" {
		group = "stage-" + whole.id
	}
	var calls []*step
	for i := range ops {
		st := s.common(&ops[i])
		st.tool, st.group, st.pos = toolOf(&ops[i]), group, ops[i].Pos
		st.after = append(st.after, whole.after...)
		if st.id == "" && len(ops) > 1 {
			st.id = whole.id + "." + strconv.Itoa(i+1)
		}
		s.arguments(st, &ops[i])
		calls = append(calls, st)
	}
	last := calls[len(calls)-1]
	if last.id == "" {
		last.id = whole.id
	}
	last.names = append(last.names, whole.id)
	last.joined = calls[:len(calls)-1]
	for _, st := range calls {
		s.add(st)
	}
}

// model keeps a step that names no tool: its output joins what it refers to.
func (s *steps) model(st *step, item *plan.Value) {
	st.kind = plan.Model
	text := firstOf(item, proseKeys)
	if text == nil {
		text = item
	}
	st.args = plan.Value{Kind: plan.Object, Keys: []string{"task"}, Items: []plan.Value{*text}, Pos: item.Pos}
	if inputs := firstOf(item, argKeys); inputs != nil && inputs != text {
		value := *inputs
		if namedInputs(inputs) {
			value = inputsObject(inputs)
		}
		st.args.Keys, st.args.Items = append(st.args.Keys, "inputs"), append(st.args.Items, value)
	}
	s.note(st, plan.Note{ID: NoteProse, Message: "the step names no tool: it is kept as a model's step, and what it calls is not known"})
	s.add(st)
}

// prose is a step that is a sentence.
func (s *steps) prose(item *plan.Value, place int) {
	st := &step{pos: item.Pos, kind: plan.Model, names: []string{strconv.Itoa(place + 1)}}
	st.args = plan.Value{Kind: plan.Object, Keys: []string{"task"}, Items: []plan.Value{*item}, Pos: item.Pos}
	s.note(st, plan.Note{ID: NoteProse, Message: "the step is a sentence: what it calls is not known"})
	s.add(st)
}

// positions gives steps the names by which plans count them: 1, step_1, step-1,
// and their ids with these prefixes. Ids that the file has go first.
func (s *steps) positions() {
	for _, st := range s.list {
		if st.id != "" {
			for _, prefix := range []string{"step_", "step-", "step", "node-", "task_", "var"} {
				s.name(prefix+st.id, st)
			}
		}
	}
	for i, st := range s.list {
		if st.id == "" {
			for _, prefix := range []string{"", "step_", "step-", "step", "task_"} {
				s.name(prefix+strconv.Itoa(i+1), st)
			}
		}
	}
}
