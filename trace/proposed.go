package trace

import (
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
)

// proposed reads a plan that has not run, in one of the forms that planners and
// approval pages have.
func (r *reader) proposed(src []byte) []*plan.Plan {
	switch r.format {
	case ReWOO:
		return r.rewoo(src)
	case LLMCompiler:
		return r.compiler(src)
	case Cell:
		return r.cell(src)
	}
	var notes []plan.Note
	lost := 0
	values := r.values(src, func(e transcript.Event) {
		if e.Kind == transcript.Note {
			notes = append(notes, plan.Note{ID: e.ID, Call: -1, Message: e.Message, Hint: e.Hint, Pos: e.Pos})
		}
		if e.Lost {
			lost++
		}
	})
	var plans []*plan.Plan
	switch r.format {
	case HITL:
		plans = r.hitl(values)
	case RunState:
		plans = r.runState(values)
	case AGUI:
		plans = r.agUI(values)
	case SafeOutputs:
		plans = r.safeOutputs(values)
	case Lobster:
		plans = r.lobster(values)
	case Arazzo:
		plans = r.arazzo(values)
	default:
		plans = r.generic(values)
	}
	if len(plans) > 0 {
		plans[0].Notes = append(plans[0].Notes, notes...)
		plans[0].Lost += lost
	}
	return plans
}

// values reads JSON, lines of JSON, JSON inside a model's prose, or YAML.
func (r *reader) values(src []byte, emit transcript.Emit) []plan.Value {
	text := strings.TrimLeft(strings.TrimPrefix(string(src), "\ufeff"), " \t\r\n")
	if text == "" {
		return nil
	}
	if text[0] != '{' && text[0] != '[' {
		v, errs := planyaml.Value(src)
		if len(errs) > 0 {
			r.errs = errs
			return nil
		}
		return listed(v, r.format)
	}
	if isLines(src) {
		c := &collector{}
		f := transcript.NewFeeder(listClient{c}, emit)
		f.Feed(src)
		f.Close()
		return c.values
	}
	if r.format == Steps {
		return r.whole(src, emit)
	}
	return r.document(src, nil, emit)
}

// whole reads a document without taking a list apart: a list of steps is one
// plan.
func (r *reader) whole(src []byte, emit transcript.Emit) []plan.Value {
	text := string(src)
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text = "   " + rest
	}
	d := transcript.NewDecoder(text, 1)
	v, err := d.Next(nil)
	if err != nil {
		transcript.Unreadable(err, "", v.Pos, emit)
	}
	return []plan.Value{v}
}

func listed(v plan.Value, format Format) []plan.Value {
	if v.Kind == plan.List && format != Steps {
		return v.Items
	}
	return []plan.Value{v}
}

// approvalFormat knows what waits for an approval: its keys are its own.
func approvalFormat(v *plan.Value) Format {
	typ := transcript.Str(v, "type")
	switch {
	case has(v, "$schemaVersion") && firstOf(v, []string{"current_step", "currentStep"}) != nil:
		return RunState
	case requestsOf(v) != nil:
		return HITL
	case isOne(typ, "RUN_STARTED", "RUN_FINISHED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TEXT_MESSAGE_START", "MESSAGES_SNAPSHOT"):
		return AGUI
	case transcript.Str(v, "arazzo") != "" && has(v, "workflows"):
		return Arazzo
	}
	return Unknown
}

// proposedFormat knows JSON that holds a plan, by keys that other files have too.
func proposedFormat(v *plan.Value) Format {
	switch {
	case isSafeOutputs(v):
		return SafeOutputs
	case isLobster(v):
		return Lobster
	case isSteps(v):
		return Steps
	case v.Kind == plan.Object && isProse(v):
		return prose
	}
	return Unknown
}

var (
	yamlSteps   = lazily(`(?m)^(steps|tasks|actions|operations|nodes|plan)\s*:\s*(#.*)?$`)
	yamlTool    = lazily(`(?m)(^|[\s{,-])(tool|tool_name|toolName|tool_id|function|action|_tool)\s*:\s*["']?[A-Za-z_]`)
	yamlLobster = lazily(`(?m)(^|[\s{,-])(run|command|pipeline)\s*:\s*\S`)
	yamlID      = lazily(`(?m)(^|[\s{,-])id\s*:`)
	yamlArazzo  = lazily(`(?m)^arazzo\s*:\s*["']?[0-9]`)
	yamlCalls   = lazily(`(?m)^(calls|jobs)\s*:`)
)

// stepsFormat knows YAML that holds a plan of steps. GitHub's workflows have
// steps too, under jobs.
func stepsFormat(text string) Format {
	switch {
	case strings.Contains(text, "arazzo") && yamlArazzo.get().MatchString(text):
		return Arazzo
	case !yamlSteps.get().MatchString(text) || yamlCalls.get().MatchString(text):
		return Unknown
	case yamlTool.get().MatchString(text):
		return Steps
	case yamlLobster.get().MatchString(text) && yamlID.get().MatchString(text):
		return Lobster
	}
	return Unknown
}
