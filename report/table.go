package report

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// row is one line of the table of calls, escaped.
type row struct {
	call                                        *finding.CallReport
	number, name, class, in, out, decision, why string
}

// maxQuietCalls is the length of a table up to which allowed calls without a
// finding are shown too.
const maxQuietCalls = 30

// table lists the calls: what each is, what goes in and out, and the answer.
func (t *textWriter) table(p *finding.PlanReport, m *masker) {
	var rows []row
	hidden := 0
	for i := range p.Calls {
		c := &p.Calls[i]
		if len(p.Calls) > maxQuietCalls && !t.o.Verbose && c.Decision == gate.Allow && len(c.Findings) == 0 {
			hidden++
			continue
		}
		rows = append(rows, t.row(p, m, c))
	}
	t.printf("\n")
	columns := layOut(rows, t.o.limit)
	for i := range rows {
		t.tableRow(&rows[i], &columns)
	}
	if hidden > 0 {
		t.printf("  … %s allowed without a finding (-v shows them)\n", count(hidden, "more call"))
	}
}

func (t *textWriter) tableRow(r *row, c *columns) {
	labels := ""
	if !c.stacked {
		labels = c.labels(r)
	}
	line := fmt.Sprintf("  %*s  %s  %s  %s", c.number, r.number, pad(cut(r.name, c.name), c.name), pad(r.class, c.class), labels)
	t.printf("%s\n", strings.TrimRight(line+t.decision(r.call.Decision, r.decision)+"  "+cut(r.why, c.why), " "))
	if c.stacked && r.in+r.out != "" {
		t.printf("%s%s\n", strings.Repeat(" ", c.number+4), strings.TrimSpace(r.in+" -> "+r.out))
	}
}

// columns are the widths of a table's columns.
type columns struct {
	number, name, class, in, out, decision, why int
	// stacked: the labels stand on a line of their own, below the call.
	stacked bool
}

// The least widths of what can be cut: of a call where nothing else was given up,
// and of any column.
const (
	easyName = 24
	hardCell = 12
)

// layOut fits a table into a width, 0 for any: first the calls' arguments are cut, then labels
// go to lines of their own, then reasons are cut, and the calls once more.
func layOut(rows []row, limit int) columns {
	var c columns
	for i := range rows {
		r := &rows[i]
		c.number = max(c.number, width(r.number))
		c.name = max(c.name, width(r.name))
		c.class = max(c.class, width(r.class))
		c.in = max(c.in, width(r.in))
		c.out = max(c.out, width(r.out))
		c.decision = max(c.decision, width(r.decision))
		c.why = max(c.why, width(r.why))
	}
	if limit == 0 {
		return c
	}
	full := c.name
	shrink(&c.name, c.over(rows, limit), easyName)
	if c.over(rows, limit) > 0 && c.in+c.out > 0 {
		c.stacked, c.name = true, full
		shrink(&c.name, c.over(rows, limit), easyName)
	}
	if over := c.over(rows, limit); over > 0 {
		c.why -= min(over, max(0, c.why-hardCell))
	}
	shrink(&c.name, c.over(rows, limit), hardCell)
	return c
}

func shrink(cell *int, by, least int) {
	if by > 0 {
		*cell = max(min(*cell, least), *cell-by)
	}
}

// over is by how much the widest row is wider than the limit.
func (c *columns) over(rows []row, limit int) int {
	left := 2 + c.number + 2 + c.name + 2 + c.class + 2
	if !c.stacked && c.in+c.out > 0 {
		left += width(c.labels(&row{}))
	}
	widest := 0
	for i := range rows {
		line := left + width(rows[i].decision)
		if why := min(c.why, width(rows[i].why)); why > 0 {
			line += 2 + why
		}
		widest = max(widest, line)
	}
	return widest - limit
}

// labels is "secret ->" for what goes in, "-> secret" for what comes out, with the
// arrows of the table in one column.
func (c *columns) labels(r *row) string {
	if c.in+c.out == 0 {
		return ""
	}
	mark := "->"
	if r.in == "" && r.out == "" {
		mark = "  "
	}
	in := strings.Repeat(" ", c.in-width(r.in)) + r.in
	if c.in > 0 {
		in += " "
	}
	if c.out == 0 {
		return in + mark + "  "
	}
	return in + mark + " " + pad(r.out, c.out) + "  "
}

func (t *textWriter) row(p *finding.PlanReport, m *masker, c *finding.CallReport) row {
	name := clip(toolName(c), maxName)
	if s := m.summary(c.Index, max(t.o.Width*4/10-width(name), 12)); s != "" {
		name += " " + s
	}
	if c.Outcome.DidNotRun() || c.Outcome == plan.Failed {
		name += " (" + c.Outcome.String() + ")"
	}
	return row{
		call: c, number: fmt.Sprint(c.Index + 1), name: name, class: className(c),
		in: labels(c.LabelsIn), out: labels(c.LabelsOut), decision: c.Decision.String(), why: t.tableWhy(p, c),
	}
}
