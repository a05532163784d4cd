package trace

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/plan"
)

// maxCellTools is how many different tools of a cell become possible calls; a
// cell with more says so, and the cell itself asks in any case.
const maxCellTools = 200

// A code cell is a program that calls tools. planlint does not run or parse it:
// the cell is one opaque call, and every tool that its tokens name is a possible
// call whose arguments are unknown and may hold anything that the cell got.
var (
	cellMark = lazily(`^\s*(export\s+const\s+meta\b|async\s*\(|async\s+function\b)|\bawait\s+(tools|codemode)\s*[.\[]|\bawait\s+call_tool\s*\(`)
	cellTool = lazily(`\b(?:tools|codemode)\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*["']([^"'\]]{1,200})["']\s*\])|\bcall_tool\s*\(\s*["']([^"']{1,200})["']|\bawait\s+([A-Za-z_]\w*)\s*\(`)
)

// cellWords are awaited in every program and are no tools.
var cellWords = map[string]bool{"call_tool": true, "fetch": false, "sleep": true, "all": true, "gather": true, "import": true}

func isCell(text string) bool { return cellMark.get().MatchString(text) }

func (r *reader) cell(src []byte) []*plan.Plan {
	text := strings.TrimPrefix(string(src), "\ufeff")
	at := plan.Position{Line: 1, Column: 1, Length: int32(min(len(text), 1<<30))}
	s := newSteps()
	cell := &step{id: "cell", kind: plan.Opaque, tool: "code_cell", pos: at}
	cell.args = plan.Value{Kind: plan.Object, Pos: at, Keys: []string{"code"}, Items: []plan.Value{{Kind: plan.String, Text: text, Pos: at}}}
	s.add(cell)
	seen := make(map[string]bool)
	eachLine([]byte(text), func(line string, number int32) {
		for _, m := range cellTool.get().FindAllStringSubmatchIndex(line, 1000) {
			name, column := matched(line, m)
			if seen[name] || cellWords[name] || len(seen) > maxCellTools {
				continue
			}
			seen[name] = true
			s.add(&step{id: "maybe-" + name, tool: name, kind: plan.Tool, after: []string{"cell"},
				pos:  plan.Position{Line: number, Column: int32(column + 1), Length: int32(len(name))},
				args: plan.Value{Kind: plan.UnknownValue, Pos: at, Ext: &plan.Ext{Unknown: &plan.UnknownSource{By: "code"}}}})
		}
	})
	s.note(cell, plan.Note{ID: NoteCode, Closing: true, Message: fmt.Sprintf("the code is not run or analysed: it may call the %d tools that it names with any arguments, and others", len(seen)),
		Hint: "have the agent propose the calls themselves, or review the trace of the run"})
	p := s.plan(string(r.format), r.name)
	for i := range p.Calls {
		p.Calls[i].Turn = i
		if u := p.Calls[i].Args.Ext; u != nil && u.Unknown != nil {
			u.Unknown.From = possible(p, i)
			p.Calls[i].Repeat = true
		}
	}
	p.Open = &plan.Open{Why: "code can call more tools than it names", Pos: at}
	return []*plan.Plan{p}
}

// possible are the calls that may have run before another one of the cell. In
// the order of the file only those stand before it that are named before.
func possible(p *plan.Plan, call int) []int {
	var from []int
	for i := 0; i < call; i++ {
		from = append(from, i)
	}
	return from
}

func matched(line string, m []int) (name string, column int) {
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] >= 0 {
			return line[m[g]:m[g+1]], m[g]
		}
	}
	return "", 0
}
