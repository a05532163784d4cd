package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// writeMermaid writes one flowchart a plan, as Markdown viewers draw it.
func writeMermaid(w io.Writer, r *finding.Report) {
	for i := range r.Plans {
		if i > 0 {
			fmt.Fprintln(w)
		}
		mermaidPlan(w, &r.Plans[i])
	}
}

func mermaidPlan(w io.Writer, p *finding.PlanReport) {
	v := newView(p)
	fmt.Fprintf(w, "flowchart LR\n")
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
		fmt.Fprintf(w, "  %s%s\"%s\"%s%s\n", n.id, open, mermaidText(n.lines), closing, mermaidClass(&n))
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
		fmt.Fprintf(w, "  %s %s|\"%s\"| %s\n", v.nodes[e.from].id, line, mermaidText([]string{e.text()}), v.nodes[e.to].id)
	}
	for i := range v.edges {
		if v.edges[i].bad {
			fmt.Fprintf(w, "  linkStyle %d stroke:red,stroke-width:3px\n", i)
		}
	}
	if v.left != "" {
		fmt.Fprintf(w, "  left[\"%s\"]\n", mermaidText([]string{v.left}))
	}
	fmt.Fprintf(w, "  classDef source fill:#ffd\n  classDef sink fill:#fdd\n  classDef ask stroke:orange,stroke-width:2px\n  classDef deny stroke:red,stroke-width:2px\n")
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
