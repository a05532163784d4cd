package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// memory answers from the session what a person has approved before, and keeps
// what each ask was about.
type memory struct {
	s        *session.Session
	subjects map[int]*session.Subject
	used     map[int]rules.Grant
}

func newMemory(s *session.Session) *memory {
	return &memory{s: s, subjects: map[int]*session.Subject{}, used: map[int]rules.Grant{}}
}

// ask satisfies rules.Approvals. A call is decided a second time as if nothing
// escalated it; the first time counts.
func (m *memory) ask(q rules.Query) (rules.Grant, bool) {
	subject, call := subjectOf(q), q.Input.Call.Index
	g, ok := m.s.Granted(subject)
	if m.subjects[call] == nil {
		m.subjects[call] = &subject
		if ok {
			m.used[call] = g
		}
	}
	return g, ok
}

// spend uses up what was granted once.
func (m *memory) spend(calls []int, report *finding.PlanReport) {
	for _, i := range calls {
		if g, ok := m.used[i]; ok && g.Scope == rules.Once && report.Calls[i].Rule == rules.ByApproval {
			m.s.Spend(*m.subjects[i])
		}
	}
}

// subject is what an approval of an ask would be of, nil where it must not be
// remembered: where the gate wants more than a prompt, or labelled data is known
// to reach the call.
func (m *memory) subject(report *finding.PlanReport, c *finding.CallReport) *session.Subject {
	if c.Decision != gate.Ask || !promptCovers(c.Gate.Requirements) {
		return nil
	}
	for _, i := range c.Findings {
		if report.Findings[i].Precision >= taint.Resource {
			return nil
		}
	}
	return m.subjects[c.Index]
}

// subjectOf says what an approval of a call would be of: the tool's identity,
// paths, hosts, program and subcommand, recipients; and the labels of its
// arguments and context.
func subjectOf(q rules.Query) session.Subject {
	in := q.Input
	r := in.Resolved
	parts := []string{in.Call.Tool, in.Call.Server, in.Call.AgentName()}
	for i := range r.Paths {
		p := &r.Paths[i]
		parts = append(parts, fmt.Sprintf("path %q %d %t %t %t", p.Path, p.Access, p.Tree, p.Glob, p.Known))
	}
	for i := range r.Commands() {
		c := &r.Commands()[i]
		parts = append(parts, fmt.Sprintf("run %q %q", c.Program, subcommand(c)))
	}
	parts = append(parts, sorted("host", r.Hosts())...)
	parts = append(parts, sorted("to", r.Recipients())...)
	if len(r.Paths)+len(r.Commands())+len(r.Hosts())+len(r.Recipients()) == 0 || r.HostsOpen || r.RecipientsOpen {
		parts = append(parts, "args "+string(session.JSON(&in.Call.Args)))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	s := session.Subject{Key: hex.EncodeToString(sum[:16]), Widest: q.Widest}
	if in.Subject != nil && in.Subject.Labels != nil {
		s.Labels = in.Subject.Universe.Names(in.Subject.Labels.In(in.Call.Index, taint.Context))
	}
	if len(in.Escalations) > 0 {
		s.Audience = strings.Join(append(sorted("host", r.Hosts()), sorted("to", r.Recipients())...), " ") + "!"
	}
	return s
}

// subcommand is the program and its first two words, since "npm run build" is
// not "npm run deploy"; all words of a program that nothing describes.
func subcommand(c *tool.CommandUse) []string {
	if !c.Known {
		return c.Words
	}
	return c.Words[:min(len(c.Words), 3)]
}

func sorted(kind string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = kind + " " + s
	}
	sort.Strings(out)
	return out
}
