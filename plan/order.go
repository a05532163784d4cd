package plan

import (
	"slices"
	"strconv"
	"strings"
)

// order reports what the edges say against the order of the file. Every cycle
// holds an edge that points forward, so without such edges there is nothing to
// do. With them, the strongly connected components are the cycles (Tarjan 1972,
// without recursion): one error each, and one for every other forward edge.
func (v *validator) order() {
	if len(v.forward) == 0 {
		return
	}
	graph := v.edges()
	component := components(graph)
	told := map[int32]bool{}
	for _, e := range v.forward {
		from, to := &v.plan.Calls[e.from], &v.plan.Calls[e.to]
		switch {
		case e.from == e.to:
			v.fail(e.pos, "", "call %q %s itself", from.ID, e.what)
		case component[e.from] != component[e.to]:
			v.fail(e.pos, "the order of the file is the order of the plan: move one of them",
				"call %q (%s) %s call %q (%s), which comes later", from.ID, at(v.idPos(e.from)), e.what, to.ID, at(v.idPos(e.to)))
		case !told[component[e.from]]:
			told[component[e.from]] = true
			v.fail(e.pos, "take one of these references or after entries away", "cycle: %s", v.cycle(graph, component, e))
		}
	}
}

// edges returns for each call the calls that it needs, itself left out.
func (v *validator) edges() [][]int32 {
	graph := make([][]int32, len(v.plan.Calls))
	for i := range v.plan.Calls {
		c := &v.plan.Calls[i]
		add := func(to int) {
			if to >= 0 && to < len(graph) && to != i {
				graph[i] = append(graph[i], int32(to))
			}
		}
		for _, to := range c.After() {
			add(to)
		}
		if c.Each() != nil {
			add(c.Each().Call)
		}
		eachNeed(&c.Args, 0, add)
	}
	return graph
}

func eachNeed(value *Value, depth int, add func(int)) {
	if depth > MaxDepth {
		return
	}
	for _, ref := range value.Refs() {
		add(ref.Call)
	}
	if value.Ext != nil && value.Ext.Unknown != nil {
		for _, from := range value.Ext.Unknown.From {
			add(from)
		}
	}
	for i := range value.Items {
		eachNeed(&value.Items[i], depth+1, add)
	}
}

// components returns the number of each node's strongly connected component.
func components(graph [][]int32) []int32 {
	n := len(graph)
	component, low, order := make([]int32, n), make([]int32, n), make([]int32, n)
	next := make([]int32, n)
	var stack, path []int32
	var count, clock int32
	for root := range graph {
		if order[root] != 0 {
			continue
		}
		path = append(path[:0], int32(root))
		for len(path) > 0 {
			node := path[len(path)-1]
			if order[node] == 0 {
				clock++
				order[node], low[node] = clock, clock
				stack = append(stack, node)
			}
			if k := next[node]; int(k) < len(graph[node]) {
				next[node]++
				to := graph[node][k]
				if order[to] == 0 {
					path = append(path, to)
				} else if component[to] == 0 {
					low[node] = min(low[node], order[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1]
				low[parent] = min(low[parent], low[node])
			}
			if low[node] == order[node] {
				count++
				for {
					top := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					component[top] = count
					if top == node {
						break
					}
				}
			}
		}
	}
	return component
}

// maxCycle is how many calls of a cycle an error names.
const maxCycle = 8

// cycle writes the shortest way from the edge's target back to its start.
func (v *validator) cycle(graph [][]int32, component []int32, e edge) string {
	parent := map[int32]int32{int32(e.to): -1}
	queue := []int32{int32(e.to)}
	for at := 0; at < len(queue); at++ {
		node := queue[at]
		if int(node) == e.from {
			break
		}
		for _, to := range graph[node] {
			if _, seen := parent[to]; !seen && component[to] == component[node] {
				parent[to] = node
				queue = append(queue, to)
			}
		}
	}
	var names []string
	for node := int32(e.from); node >= 0; node = parent[node] {
		names = append(names, v.named(int(node)))
	}
	names = append(names, v.named(e.from))
	slices.Reverse(names)
	if len(names) > maxCycle {
		names = append(append(names[:maxCycle-1:maxCycle-1], "..."), names[len(names)-1])
	}
	return strings.Join(names, " needs ")
}

func (v *validator) named(call int) string {
	return strconv.Quote(clip(v.plan.Calls[call].ID)) + " (" + at(v.idPos(call)) + ")"
}
