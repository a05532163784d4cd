package trace

import (
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// arazzo reads an Arazzo document: one plan for each of its workflows. A step
// calls an operation of an API; its outputs name the part of the response that
// flows on. Branches, loops and retries (onSuccess, onFailure) are not followed:
// every step may run, in the order of the file or of dependsOn.
func (r *reader) arazzo(values []plan.Value) []*plan.Plan {
	var plans []*plan.Plan
	for i := range values {
		workflows := transcript.Items(transcript.Member(&values[i], "workflows"))
		for j := range workflows {
			if p := r.workflow(&workflows[j]); p != nil {
				plans = append(plans, p)
			}
		}
	}
	return plans
}

func (r *reader) workflow(w *plan.Value) *plan.Plan {
	s := newSteps()
	a := arazzoFlow{steps: s, outputs: make(map[string]string)}
	list := transcript.Items(transcript.Member(w, "steps"))
	for i := range list {
		a.outputsOf(&list[i])
	}
	for i := range list {
		a.step(&list[i])
	}
	plans := r.ofSteps(s)
	if plans == nil {
		return nil
	}
	p := plans[0]
	p.ID, p.Fixed = transcript.Str(w, "workflowId"), true
	if a.jumps {
		p.Open = &plan.Open{Why: "steps may be left out or repeated by onSuccess and onFailure", Pos: w.Pos}
	}
	return p
}

// arazzoFlow is one workflow under way.
type arazzoFlow struct {
	steps *steps
	// outputs maps $steps.ID.outputs.NAME to the part of the response.
	outputs map[string]string
	jumps   bool
}

// outputsOf notes which part of a response each output is.
func (a *arazzoFlow) outputsOf(item *plan.Value) {
	outputs := transcript.Member(item, "outputs")
	if !isObject(outputs) {
		return
	}
	id := transcript.Str(item, "stepId")
	for i, name := range outputs.Keys {
		a.outputs["$steps."+id+".outputs."+name] = outputs.Items[i].Text
	}
}

func (a *arazzoFlow) step(item *plan.Value) {
	st := &step{id: transcript.Str(item, "stepId"), kind: plan.Tool, pos: item.Pos}
	st.tool = wordOf(item, []string{"operationId", "operationPath", "channelPath"})
	if st.tool == "" {
		st.kind, st.tool = plan.Opaque, transcript.Str(item, "workflowId") // another workflow runs
	}
	st.tool = strings.TrimPrefix(st.tool, "$sourceDescriptions.")
	for _, d := range transcript.Items(transcript.Member(item, "dependsOn")) {
		st.after = append(st.after, strings.TrimPrefix(d.Text, "$steps."))
	}
	a.jumps = a.jumps || has(item, "onSuccess") || has(item, "onFailure")
	st.args = plan.Value{Kind: plan.Object, Pos: item.Pos}
	params := transcript.Items(transcript.Member(item, "parameters"))
	for i := range params {
		if value := transcript.Member(&params[i], "value"); value != nil {
			a.argument(st, transcript.Str(&params[i], "name"), value)
		}
	}
	if body := transcript.Member(item, "requestBody"); isObject(body) {
		if payload := transcript.Member(body, "payload"); payload != nil {
			a.argument(st, "body", payload)
		}
		replacements := transcript.Items(transcript.Member(body, "replacements"))
		for i := range replacements {
			if value := transcript.Member(&replacements[i], "value"); value != nil {
				a.argument(st, "body", value)
			}
		}
	}
	a.steps.add(st)
}

func (a *arazzoFlow) argument(st *step, name string, value *plan.Value) {
	st.args.Keys = append(st.args.Keys, name)
	st.args.Items = append(st.args.Items, a.value(*value))
}

var arazzoRef = lazily(`\$steps\.[A-Za-z0-9_-]+\.outputs\.[A-Za-z0-9_-]+|\$(?:inputs|workflows|request|response|url)\b[A-Za-z0-9_.#/~-]*`)

// value writes expressions as references that the lowering knows. What is not a
// step's output (inputs, other workflows) is unknown until the plan runs.
func (a *arazzoFlow) value(v plan.Value) plan.Value {
	if v.Kind == plan.String && strings.Contains(v.Text, "$") {
		if m := arazzoRef.get().FindString(v.Text); m != "" && !strings.HasPrefix(m, "$steps.") {
			return plan.Value{Kind: plan.UnknownValue, Pos: v.Pos, Ext: &plan.Ext{Unknown: &plan.UnknownSource{By: "input"}}}
		}
		v.Text = arazzoRef.get().ReplaceAllStringFunc(v.Text, func(ref string) string {
			part, ok := strings.CutPrefix(a.outputs[ref], "$response.body")
			if !ok || part == "" {
				return strings.SplitN(ref, ".outputs.", 2)[0] // the whole output
			}
			return strings.SplitN(ref, ".outputs.", 2)[0] + part
		})
		return v
	}
	out := v
	if len(v.Items) > 0 {
		out.Items = make([]plan.Value, len(v.Items))
		for i := range v.Items {
			out.Items[i] = a.value(v.Items[i])
		}
	}
	return out
}
