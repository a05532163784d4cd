package trace

import (
	"fmt"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// requestsOf finds the calls that wait for a decision in LangChain's payload:
// bare, under value, or in the interrupts of a state.
func requestsOf(v *plan.Value) *plan.Value {
	for _, key := range []string{"action_requests", "actionRequests"} {
		if m := transcript.Member(v, key); m != nil && m.Kind == plan.List {
			return m
		}
	}
	if inner := transcript.Member(v, "value"); isObject(inner) {
		return requestsOf(inner)
	}
	for _, key := range []string{"interrupts", "__interrupt__"} {
		list := transcript.Items(transcript.Member(v, key))
		for i := range list {
			if found := requestsOf(&list[i]); found != nil {
				return found
			}
		}
	}
	return nil
}

// hitl reads the approval payloads of LangChain's human-in-the-loop middleware:
// a batch of calls of one turn. The description is display text of the agent's
// side and no part of the review.
func (r *reader) hitl(values []plan.Value) []*plan.Plan {
	var plans []*plan.Plan
	for i := range values {
		requests := requestsOf(&values[i])
		if requests == nil {
			continue
		}
		p := &plan.Plan{Format: string(r.format), Source: r.name}
		for j := range requests.Items {
			q := &requests.Items[j]
			c := plan.Call{ID: fmt.Sprintf("call-%d", j+1), Tool: wordOf(q, []string{"name", "action"}), Pos: q.Pos}
			c.Args, c.RawArgs = callArgs(firstOf(q, []string{"args", "arguments"}), q.Pos)
			p.Calls = append(p.Calls, c)
		}
		p.Notes = []plan.Note{partial(requests.Pos, "only the calls that wait for a decision are in the file: neither what ran before nor what was approved by itself")}
		plans = append(plans, p)
	}
	return plans
}

func partial(at plan.Position, message string) plan.Note {
	return plan.Note{ID: NotePartial, Call: -1, Message: message, Hint: "check the trace of the run as well", Pos: at}
}

// callArgs reads arguments that are an object or the text of one.
func callArgs(v *plan.Value, at plan.Position) (plan.Value, bool) {
	if v == nil || v.Kind == plan.Null {
		return plan.Value{Kind: plan.Object, Pos: at}, false
	}
	args := parsed(*v)
	return args, args.Kind != plan.Object
}
