package compose

import (
	"errors"
	"fmt"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// inlineLists is how many lists an evaluation makes without allocating; more
// are allocated.
const inlineLists = 8

// evaluation is one condition asked about one subject. It is CEL's activation:
// variables and fields are views of it, and what costs time linear in the plan
// is made at most once.
type evaluation struct {
	scope   Scope
	subject *tool.Subject
	// frame is CEL's state of one evaluation, kept with this one; see celFrame.
	frame *interpreter.ExecutionFrame
	// locals are the variables of comprehensions, by slot; the first usedLocals
	// were set.
	locals     [maxLocals]ref.Val
	usedLocals int

	flow, source, sink, call, plan object
	sourceCall, sinkCall           object
	lists                          [inlineLists]list
	usedLists                      int

	linear
	outputs *tool.Outputs
	// guard: nothing may be larger than usual; large: something was.
	guard, large bool
	// depth is how many references are being followed.
	depth int
}

// linear is what costs time linear in the plan or flow, once it was asked for.
type linear struct {
	calls, uncompensated, hops, path  ref.Val
	planLabels, tools, agents, prompt ref.Val
	// previous is, per call, the one before by the same agent, or -1.
	previous []int32
}

// isAsked reports whether anything was made.
func (l *linear) isAsked() bool {
	return l.calls != nil || l.uncompensated != nil || l.hops != nil || l.path != nil || l.planLabels != nil ||
		l.tools != nil || l.agents != nil || l.prompt != nil || l.previous != nil
}

var evaluations = sync.Pool{New: func() any { return new(evaluation) }}

func newEvaluation(scope Scope, s *tool.Subject) (*evaluation, error) {
	if s == nil || s.Plan == nil {
		return nil, fmt.Errorf("the condition has no subject")
	}
	if scope == ScopeFlow && s.Flow == nil {
		return nil, fmt.Errorf("a condition on a flow needs a flow")
	}
	if needsCall(scope) && (s.Call < 0 || s.Call >= len(s.Calls) || s.Call >= len(s.Plan.Calls)) {
		return nil, fmt.Errorf("a condition on a call needs a call")
	}
	e := evaluations.Get().(*evaluation)
	if e.plan.ev == nil {
		e.flow = object{flowType, e, 0}
		e.source = object{sourceType, e, 0}
		e.sink = object{sinkType, e, 0}
		e.plan = object{planType, e, 0}
	}
	e.scope, e.subject = scope, s
	e.call = object{callType, e, s.Call}
	if s.Flow != nil {
		e.sourceCall = object{callType, e, s.Flow.Source.Call}
		e.sinkCall = object{callType, e, s.Flow.Sink.Call}
	}
	return e, nil
}

// celFrame returns the frame in which CEL's interpreter runs.
func (e *evaluation) celFrame() (*interpreter.ExecutionFrame, error) {
	if e.frame == nil {
		frame, err := interpreter.NewExecutionFrame(e)
		if err != nil {
			return nil, err
		}
		e.frame = frame
	}
	return e.frame, nil
}

func needsCall(s Scope) bool { return s != ScopeFlow && s != ScopePlan }

// release hands the evaluation back; nothing of it may be used afterwards.
func (e *evaluation) release() {
	clear(e.lists[:e.usedLists])
	clear(e.locals[:e.usedLocals])
	if e.isAsked() {
		e.linear = linear{}
	}
	e.subject, e.usedLists, e.usedLocals, e.outputs, e.depth = nil, 0, 0, nil, 0
	e.guard, e.large = false, false
	evaluations.Put(e)
}

// ResolveName implements interpreter.Activation.
func (e *evaluation) ResolveName(name string) (any, bool) {
	switch name {
	case "flow":
		return &e.flow, true
	case "call":
		return &e.call, true
	case "plan":
		return &e.plan, true
	case "args":
		return e.value(&e.planCall(e.subject.Call).Args), true
	case "output":
		return e.output(), true
	case "recipients":
		value, err := e.call.recipients()
		return e.required(name, value, err), true
	case "hosts":
		value, err := e.call.hosts()
		return e.required(name, value, err), true
	case "paths":
		value, err := e.call.paths(0)
		return e.required(name, value, err), true
	}
	return nil, false
}

// Parent implements interpreter.Activation.
func (e *evaluation) Parent() interpreter.Activation { return nil }

func (e *evaluation) planCall(i int) *plan.Call     { return &e.subject.Plan.Calls[i] }
func (e *evaluation) resolved(i int) *tool.Resolved { return &e.subject.Calls[i] }

// list returns an empty list that lives as long as the evaluation.
func (e *evaluation) list() *list {
	if e.usedLists == inlineLists {
		return new(list)
	}
	e.usedLists++
	return &e.lists[e.usedLists-1]
}

func (e *evaluation) labelList(s taint.Set) *list {
	l := e.list()
	l.kind, l.labels, l.universe = ofLabels, s, e.subject.Universe
	return l
}

func (e *evaluation) kindList(k taint.SinkKind) *list {
	l := e.list()
	l.kind, l.kinds = ofKinds, k
	return l
}

func (e *evaluation) audienceList(a taint.Audience) *list {
	l := e.list()
	l.kind, l.audience = ofAudience, a
	return l
}

func (e *evaluation) readersList(r taint.Readers) *list {
	l := e.list()
	l.kind, l.readers = ofReaders, r
	return l
}

func (e *evaluation) stringList(s []string) *list {
	l := e.list()
	l.kind, l.strings = ofStrings, s
	return l
}

func (e *evaluation) objects(kind *objectType, indexes []int) ref.Val {
	backing := make([]object, len(indexes))
	values := make([]ref.Val, len(indexes))
	for i, n := range indexes {
		backing[i] = object{kind, e, n}
		values[i] = &backing[i]
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

// required is a list that lowers a class: where it is empty nobody can say that
// all of it is harmless, so that is an error.
func (e *evaluation) required(what string, value any, err error) ref.Val {
	if err != nil {
		return types.WrapErr(err)
	}
	l := value.(*list)
	if l.size() == 0 {
		return types.NewErr("the call has no %s, or they are not known", what)
	}
	passed, err := e.guarded(l, usualName, usualName)
	if err != nil {
		return types.WrapErr(err)
	}
	return passed.(ref.Val)
}

// recipients and the other lists of what a call names are errors where they may
// be incomplete: a test over what is left would look decided.
func (o *object) recipients() (any, error) {
	if o.resolved().RecipientsOpen {
		return nil, errors.New("recipients of the call are not all known")
	}
	return o.ev.stringList(o.resolved().Recipients()), nil
}

func (o *object) hosts() (any, error) {
	if o.resolved().HostsOpen {
		return nil, errors.New("hosts of the call are not all known")
	}
	return o.ev.stringList(o.resolved().Hosts()), nil
}

func (o *object) paths(access tool.Access) (any, error) {
	uses := o.resolved().Paths
	for i := range uses {
		u := &uses[i]
		if (access == 0 || u.Access&access != 0) && (!u.Known || u.Glob || u.Path == "") {
			return nil, errors.New("a path of the call is not known, or a pattern")
		}
	}
	return o.ev.stringList(pathsOf(uses, access)), nil
}

// pathsOf lists the paths that are used with one of the accesses, 0 for any,
// those that links lead to included.
func pathsOf(uses []tool.PathUse, access tool.Access) []string {
	var paths []string
	for i := range uses {
		if access == 0 || uses[i].Access&access != 0 {
			paths = append(paths, uses[i].Path)
			paths = append(paths, uses[i].Links...)
		}
	}
	return paths
}
