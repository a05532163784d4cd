package trace

import (
	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// sessions reads objects that hold a whole session each (OpenCode's export).
func (r *reader) sessions(src []byte) []*plan.Plan {
	var plans []*plan.Plan
	first := r.builder()
	values := r.document(src, nil, first.Add)
	for i := range values {
		b := first
		if i > 0 {
			b = r.builder()
		}
		r.client().Record(&transcript.Record{Value: values[i]}, b.Add)
		plans = append(plans, b.Plan())
	}
	return plans
}
