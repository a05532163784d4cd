package compose

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// uncompensated returns the calls whose effect was left standing when the work
// that they belonged to failed: they ran, their contract names a compensating
// call, a later call of the same agent failed for good, and the compensating
// call did not follow. One pass forward, one back; linear in the plan.
//
// A failure counts where the call would have had an effect (not read-only, at
// least of class compensating) and no later call of the same agent and tool ran:
// a retry that worked is no failure. A compensating call makes up for the latest
// call that still waits for it.
func uncompensated(p *plan.Plan, calls []tool.Resolved) []int {
	n := min(len(p.Calls), len(calls))
	failed := lastFailures(p, calls[:n])
	if len(failed) == 0 {
		return nil
	}
	waiting := map[string][]int{}
	made := make([]bool, n)
	for i := 0; i < n; i++ {
		call := &p.Calls[i]
		if call.Outcome != plan.Ran {
			continue
		}
		for _, name := range toolNames(call, calls[i].Contract) {
			if stack := waiting[name]; len(stack) > 0 {
				made[stack[len(stack)-1]] = true
				waiting[name] = stack[:len(stack)-1]
				break
			}
		}
		if undo := compensationOf(&calls[i]); undo != "" {
			waiting[undo] = append(waiting[undo], i)
		}
	}
	var left []int
	for i := 0; i < n; i++ {
		last, any := failed[p.Calls[i].AgentName()]
		if any && i < last && p.Calls[i].Outcome == plan.Ran && compensationOf(&calls[i]) != "" && !made[i] {
			left = append(left, i)
		}
	}
	return left
}

// lastFailures returns, per agent, the last call that failed for good.
func lastFailures(p *plan.Plan, calls []tool.Resolved) map[string]int {
	type work struct{ agent, tool string }
	worked := map[work]bool{}
	last := map[string]int{}
	for i := len(calls) - 1; i >= 0; i-- {
		call := &p.Calls[i]
		key := work{call.AgentName(), call.Tool}
		switch {
		case call.Outcome == plan.Ran:
			worked[key] = true
		case call.Outcome == plan.Failed && hasEffect(&calls[i]) && !worked[key]:
			if _, later := last[key.agent]; !later {
				last[key.agent] = i
			}
		}
	}
	return last
}

func hasEffect(r *tool.Resolved) bool {
	return !r.ReadOnly && (r.Class == gate.ClassUnset || r.Class >= gate.Compensating)
}

func compensationOf(r *tool.Resolved) string {
	return r.Obligations().Compensation
}

// toolNames returns the names that a call's tool goes by.
func toolNames(c *plan.Call, contract *tool.Contract) []string {
	names := []string{c.Tool}
	if contract != nil {
		names = append(append(names, contract.Name), contract.Aliases...)
	}
	return names
}

func isTool(c *plan.Call, contract *tool.Contract, name string) bool {
	if c.Tool == name || contract != nil && contract.Name == name {
		return true
	}
	if contract != nil {
		for _, alias := range contract.Aliases {
			if alias == name {
				return true
			}
		}
	}
	return false
}
