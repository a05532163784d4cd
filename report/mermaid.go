package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// writeMermaid writes one flowchart, as Markdown viewers draw it; of several plans
// each is a subgraph.
func writeMermaid(w io.Writer, r *finding.Report) {
	fmt.Fprintf(w, "flowchart LR\n")
	several, edges := len(r.Plans) > 1, 0
	for i := range r.Plans {
		p, prefix := &r.Plans[i], ""
		if several {
			prefix = fmt.Sprintf("p%d_", i+1)
			fmt.Fprintf(w, "  subgraph p%d[\"%s\"]\n", i+1, mermaidText([]string{firstOf(p.Source, p.ID)}))
		}
		edges += mermaidPlan(w, p, prefix, edges)
		if several {
			fmt.Fprintf(w, "  end\n")
		}
	}
	fmt.Fprintf(w, "  classDef source fill:#ffd\n  classDef sink fill:#fdd\n  classDef ask stroke:orange,stroke-width:2px\n  classDef deny stroke:red,stroke-width:2px\n")
}

// mermaidPlan writes one plan, whose nodes begin with a prefix, and returns how many
// edges it has; so many were written before.
func mermaidPlan(w io.Writer, p *finding.PlanReport, prefix string, before int) int {
	v := newView(p)
	for _, n := range v.nodes {
		open, closing := "[", "]"
		switch n.kind {
		case viewCell:
			open, closing = "[(", ")]"
		case viewText:
			open, closing = ">", "]"
		case viewContext:
			open, closing = "([", "])"
		}
		fmt.Fprintf(w, "  %s%s%s\"%s\"%s%s\n", prefix, n.id, open, mermaidText(n.lines), closing, mermaidClass(&n))
	}
	for i := range v.edges {
		e := &v.edges[i]
		line := "-->"
		switch e.precision {
		case taint.Value:
			line = "==>"
		case taint.Context:
			line = "-.->"
		}
		fmt.Fprintf(w, "  %s%s %s|\"%s\"| %s%s\n", prefix, v.nodes[e.from].id, line, mermaidText([]string{e.text()}), prefix, v.nodes[e.to].id)
	}
	for i := range v.edges {
		if v.edges[i].bad {
			fmt.Fprintf(w, "  linkStyle %d stroke:red,stroke-width:3px\n", before+i)
		}
	}
	if v.left != "" {
		fmt.Fprintf(w, "  %sleft[\"%s\"]\n", prefix, mermaidText([]string{v.left}))
	}
	return len(v.edges)
}

func mermaidClass(n *viewNode) string {
	var out string
	if n.source {
		out = ":::source"
	} else if n.sink {
		out = ":::sink"
	}
	if n.kind == viewCall && out == "" {
		switch n.decision {
		case gate.Deny:
			out = ":::deny"
		case gate.Ask:
			out = ":::ask"
		}
	}
	return out
}

// mermaidText joins lines with <br/>. Everything but letters, digits, blanks
// and a few harmless signs becomes an entity, so that neither Mermaid's syntax,
// its Markdown nor HTML can be built from a plan's text.
func mermaidText(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range clipAll(lines) {
		var b strings.Builder
		for _, r := range l {
			if harmless(r) {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, "#%d;", r)
			}
		}
		out[i] = b.String()
	}
	return strings.Join(out, "<br/>")
}

func harmless(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r > 0x9f || strings.ContainsRune(" .,/_-:@+", r)
}
