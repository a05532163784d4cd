package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// writeDOT writes one digraph a plan. Ids are made up, so that only quoted
// labels hold text from plans.
func writeDOT(w io.Writer, r *finding.Report) {
	for i := range r.Plans {
		p := &r.Plans[i]
		v := newView(p)
		fmt.Fprintf(w, "digraph %s {\n", dotQuote(firstOf(p.ID, firstOf(p.Source, "plan"))))
		fmt.Fprintf(w, "  rankdir=LR;\n  label=%s;\n  labelloc=t;\n", dotQuote(fmt.Sprintf("%s: %s", p.Source, p.Verdict)))
		fmt.Fprintf(w, "  node [shape=box, fontname=\"sans-serif\", style=filled, fillcolor=white];\n  edge [fontname=\"sans-serif\", fontsize=10];\n")
		for _, n := range v.nodes {
			fmt.Fprintf(w, "  %s [label=%s%s];\n", n.id, dotQuote(strings.Join(clipAll(n.lines), "\n")), dotNode(&n))
		}
		for i := range v.edges {
			e := &v.edges[i]
			fmt.Fprintf(w, "  %s -> %s [label=%s%s];\n", v.nodes[e.from].id, v.nodes[e.to].id, dotQuote(clip(e.text(), 60)), dotEdge(e))
		}
		if v.left != "" {
			fmt.Fprintf(w, "  left [shape=note, label=%s];\n", dotQuote(v.left))
		}
		fmt.Fprintf(w, "}\n")
	}
}

func clipAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = clip(l, 60)
	}
	return out
}

// dotQuote writes a double-quoted string. Line feeds between our own lines
// become \n; all else that is not visible is escaped before, and a backslash is
// doubled, so that no escape of DOT's own can be built.
func dotQuote(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Escape(l))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

func dotNode(n *viewNode) string {
	out := ""
	switch n.kind {
	case viewCell:
		out += ", shape=cylinder"
	case viewText:
		out += ", shape=note"
	case viewContext:
		out += ", shape=ellipse, color=gray, fontcolor=gray40"
	}
	switch {
	case n.kind == viewCall && n.decision == gate.Deny:
		out += ", color=red, penwidth=2"
	case n.kind == viewCall && n.decision == gate.Ask:
		out += ", color=orange, penwidth=2"
	}
	switch {
	case n.source && n.sink:
		out += `, fillcolor="lightyellow:mistyrose"`
	case n.source:
		out += ", fillcolor=lightyellow"
	case n.sink:
		out += ", fillcolor=mistyrose"
	}
	return out
}

func dotEdge(e *viewEdge) string {
	out, color := "", ""
	switch e.precision {
	case taint.Resource:
		out = ", style=dashed"
	case taint.Context:
		out, color = ", style=dotted", "gray"
	}
	if e.bad {
		return out + ", color=red, penwidth=2"
	}
	if color != "" {
		out += ", color=" + color
	}
	return out
}
