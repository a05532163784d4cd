package compose

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Cost limits of conditions that are not built in, in CEL's units: about one
// step each, some 50 ns. A condition that exceeds its limit fails, and so
// counts as matched.
const (
	// callCostLimit is for what is evaluated per call or flow.
	callCostLimit = 100_000
	// planCostLimit is for what is evaluated once per plan.
	planCostLimit = 5_000_000
)

func costLimit(s Scope) uint64 {
	if s == ScopePlan {
		return planCostLimit
	}
	return callCostLimit
}

// The usual sizes: those of a long session. The cost of a condition is estimated
// over them at load, and must be within the limit. At run time a condition runs
// without a counter, which makes it four times faster, as long as nothing that
// it looks at is larger; else it runs again, counted.
const (
	usualCalls = 400
	usualText  = 2_000
	usualList  = 50
	// usualName is for a path, an address, a command, and for a list of them.
	usualName = 100
	// usualArgument is for an argument or a part of one, of which nobody knows at
	// load whether it is a list or a text.
	usualArgument = 500
)

// usualSize returns the usual size of a field, or of an item of one, by its
// name and type.
func usualSize(name string, t *types.Type, item bool) uint64 {
	switch name {
	case "label", "level", "precision", "kind", "class", "outcome", "evidence",
		"origin", "from", "signals", "standing", "role", "atom", "labels", "labels_in", "labels_direct", "labels_out", "kinds", "sinks",
		"tool", "contract", "server", "agent", "id", "format", "argument", "field",
		"audience", "readers", "recipients", "hosts", "paths", "reads", "writes", "programs", "tools", "agents":
		return usualName
	case "calls", "uncompensated":
		if !item {
			return usualCalls
		}
	case "commands":
		if !item {
			return usualName
		}
	}
	switch t.Kind() {
	case types.DynKind:
		return usualArgument
	case types.ListKind, types.MapKind:
		return usualList
	}
	return usualText
}

// checkCost refuses a condition whose cost, over a plan of typical size, would
// exceed the limit.
func (c *condition) checkCost(env *cel.Env, checked *cel.Ast) Errors {
	limit := costLimit(c.scope)
	estimate, err := env.EstimateCost(checked, estimator{})
	if err != nil {
		return Errors{c.errorAt(0, 1, "the cost of the condition can't be estimated: "+err.Error(), "")}
	}
	if estimate.Max <= limit {
		return nil
	}
	hint := "make fewer nested passes over lists"
	if c.scope != ScopePlan {
		hint += ", or ask once per plan (on: plan)"
	}
	message := fmt.Sprintf("the condition costs too much: up to %d steps over a plan of %d calls, at most %d are allowed", estimate.Max, usualCalls, limit)
	return Errors{c.errorAt(0, len([]rune(c.text)), message, hint)}
}

// estimator knows the usual sizes.
type estimator struct{}

// EstimateSize implements checker.CostEstimator.
func (estimator) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	t := node.Type()
	if t == nil || objectTypeOf(t) != nil {
		return &checker.SizeEstimate{Min: 1, Max: 1}
	}
	switch t.Kind() {
	case types.StringKind, types.ListKind, types.MapKind, types.DynKind, types.AnyKind:
		name, item := "", false
		if path := node.Path(); len(path) > 0 {
			name = path[len(path)-1]
			if name == "@items" && len(path) > 1 {
				name, item = path[len(path)-2], true
			}
		}
		return &checker.SizeEstimate{Max: usualSize(name, t, item)}
	}
	return nil
}

// EstimateCallCost implements checker.CostEstimator.
func (e estimator) EstimateCallCost(function, _ string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if function == "called" {
		return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Max: usualCalls}}
	}
	sizes := make([]uint64, 0, 2)
	if target != nil {
		sizes = append(sizes, e.size(*target))
	}
	for i := range args {
		sizes = append(sizes, e.size(args[i]))
	}
	cost, ok := callCost(function, sizes)
	if !ok {
		return nil
	}
	estimate := &checker.CallEstimate{CostEstimate: checker.CostEstimate{Max: cost}}
	switch function {
	case "domain", "host", "lowerAscii", "trim", "split":
		estimate.ResultSize = &checker.SizeEstimate{Max: sizes[0] + 1}
	}
	return estimate
}

func (e estimator) size(node checker.AstNode) uint64 {
	if known := node.ComputedSize(); known != nil {
		return known.Max
	}
	if known := e.EstimateSize(node); known != nil {
		return known.Max
	}
	return 1
}

// callCost is the cost of our own functions by the sizes of what they take.
func callCost(function string, sizes []uint64) (uint64, bool) {
	switch function {
	case "has":
		return sizes[0] + 1, true
	case "intersects", "subset":
		if len(sizes) == 2 {
			return (sizes[0]+1)*(sizes[1]+1)/4 + 1, true
		}
	case "glob":
		if len(sizes) == 2 {
			return (sizes[0]+sizes[1])/4 + 2, true
		}
	case "domain", "host", "lowerAscii", "trim", "split":
		return sizes[0]/4 + 2, true
	case "next":
		return 2, true
	}
	return 0, false
}

// actualCost counts our own functions while a condition runs.
type actualCost struct{}

// CallCost implements interpreter.ActualCostEstimator.
func (actualCost) CallCost(function, _ string, args []ref.Val, _ ref.Val) *uint64 {
	if function == "called" && len(args) == 2 {
		if p, ok := args[0].(*object); ok {
			cost := uint64(p.ev.callCount()) + 1
			return &cost
		}
	}
	sizes := make([]uint64, len(args))
	for i, arg := range args {
		sizes[i] = 1
		if sizer, ok := arg.(traits.Sizer); ok {
			if n, ok := sizer.Size().(types.Int); ok {
				sizes[i] = uint64(n)
			}
		}
	}
	if len(sizes) == 0 {
		return nil
	}
	cost, ok := callCost(function, sizes)
	if !ok {
		return nil
	}
	return &cost
}

// errLarge ends an evaluation without a counter; nobody sees it.
var errLarge = errors.New("larger than usual")

// guarded lets a value pass that is not larger than usual.
func (e *evaluation) guarded(value any, most, mostItem uint64) (any, error) {
	if !e.guard {
		return value, nil
	}
	small := true
	switch v := value.(type) {
	case types.String:
		small = uint64(len(v)) <= most
	case *list:
		small = v.isSmall(most, mostItem)
	case *mapping:
		small = uint64(len(v.v.Items)) <= most
	case traits.Sizer:
		n, ok := v.Size().(types.Int)
		small = ok && uint64(n) <= most
	}
	if !small {
		e.large = true
		return nil, errLarge
	}
	return value, nil
}

// isSmall looks at the items of lists of strings only: those of the other kinds
// are names, and few.
func (l *list) isSmall(most, mostItem uint64) bool {
	if uint64(l.size()) > most {
		return false
	}
	if l.kind == ofStrings || l.kind == ofAudience {
		for _, s := range l.names() {
			if uint64(len(s)) > mostItem {
				return false
			}
		}
	}
	return true
}

// guardedValue is guarded for an argument or a part of one.
func (e *evaluation) guardedValue(value ref.Val) ref.Val {
	passed, err := e.guarded(value, usualArgument, usualArgument)
	if err != nil {
		return types.WrapErr(err)
	}
	return passed.(ref.Val)
}
