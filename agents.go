package planlint

import "github.com/planlint/planlint/plan"

// agents knows the ancestors of each agent of a plan.
type agents struct {
	main [1]string
	// paths are nil for a plan that names no agents.
	paths map[string][]string
}

func agentsOf(p *plan.Plan) agents {
	a := agents{main: [1]string{plan.MainAgent}}
	if len(p.Agents) > 0 {
		a.paths = agentPaths(p)
	}
	return a
}

// path lists an agent itself and its ancestors, nearest first; nil for one that the
// plan does not name.
func (a *agents) path(name string) []string {
	if a.paths == nil && name == plan.MainAgent {
		return a.main[:]
	}
	return a.paths[name]
}

// agentPaths maps each agent to itself and its ancestors, nearest first.
func agentPaths(p *plan.Plan) map[string][]string {
	parents := make(map[string]string, len(p.Agents))
	for _, a := range p.Agents {
		parents[a.Name] = a.Parent
	}
	paths := map[string][]string{plan.MainAgent: {plan.MainAgent}}
	// Children come last: what a parent's path is stands at the end of theirs, so
	// that a long chain is one piece of memory.
	for i := len(p.Agents) - 1; i >= 0; i-- {
		if paths[p.Agents[i].Name] != nil {
			continue
		}
		var path []string
		for name := p.Agents[i].Name; name != "" && len(path) <= len(p.Agents); name = parents[name] {
			path = append(path, name)
		}
		for k, name := range path {
			if paths[name] == nil {
				paths[name] = path[k:]
			}
		}
	}
	return paths
}
