package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/tool"
)

// maxSuggestions is how many rules a suggestion may hold: more are no longer
// narrow.
const maxSuggestions = 4

// suggest returns the narrowest allows that would answer this ask, as YAML flow
// maps with commas between. None is offered where an allow could not answer
// (escalations, protected places, closing diagnostics, a rule that asks), for
// authority-modifying calls, or where the last three classes could not be named.
func (d *decider) suggest() string {
	if d.rank == rankEscalation || d.rank == rankClosing || d.rank == rankProtected || d.rank == rankRule || d.need.OutOfBand {
		return ""
	}
	var out []string
	for i, u := range d.s.units {
		if !d.asks(i, u) {
			continue
		}
		one, ok := d.suggestUnit(u)
		if !ok {
			return ""
		}
		if !contains(out, one) {
			out = append(out, one)
		}
	}
	if len(out) == 0 || len(out) > maxSuggestions {
		return ""
	}
	return strings.Join(out, ", ")
}

// asks reports whether the unit alone would ask.
func (d *decider) asks(i int, u unit) bool {
	a := &d.answers[i]
	if !d.waivesClass(u, a) && !d.classGate(u).None() {
		return true
	}
	if a.matched() || u.readOnly || d.set.Mode == ModeAcceptEdits && d.workspaceEdit(u) {
		return false
	}
	return d.set.Unmatched == UnmatchedAsk || d.set.Unmatched == UnmatchedClass && u.class > gate.TimeWindowUndoable
}

func (d *decider) suggestUnit(u unit) (string, bool) {
	if u.class == gate.AuthorityModifying {
		return "", false
	}
	b := newFlowMap("decision", "allow")
	named := true
	switch u.kind {
	case commandUnit:
		words, ok := plainWords(&d.in.Resolved.Commands[u.index])
		if !ok {
			return "", false
		}
		b.quoted("tool", d.s.names.raw[0])
		b.quoted("command", words)
	case pathUnit:
		p := &d.in.Resolved.Paths[u.index]
		if !p.Known || p.Tree || strings.ContainsAny(p.Path, pathWild) {
			return "", false
		}
		if p.Command < 0 {
			b.quoted("tool", d.s.names.raw[0])
		}
		b.quoted("path", d.shownPath(p.Path))
	case hostUnit:
		named = false
		if !plainHost(d.in.Resolved.Hosts[u.index]) {
			return "", false
		}
		b.quoted("tool", d.s.names.raw[0])
		b.quoted("host", d.in.Resolved.Hosts[u.index])
	default:
		b.quoted("tool", d.s.names.raw[0])
		named = d.recipients(b)
	}
	if !named && u.kind == wholeCall && u.class >= gate.IrreversibleInternal || hasWildcard(d.s.names.raw[0]) || b.bad {
		return "", false
	}
	return b.String(), true
}

// recipients narrows a rule to the call's recipients by a condition.
func (d *decider) recipients(b *flowMap) bool {
	r := d.in.Resolved.Recipients
	if len(r) == 0 || len(r) > maxSuggestions {
		return false
	}
	quoted := make([]string, len(r))
	for i, name := range r {
		if strings.ContainsAny(name, "'\"\\") || !utf8.ValidString(name) {
			return false
		}
		quoted[i] = "'" + name + "'"
	}
	b.quoted("when", "call.recipients.all(r, r in ["+strings.Join(quoted, ", ")+"])")
	return true
}

// shownPath is the pattern for exactly this path.
func (d *decider) shownPath(p string) string {
	cwd := d.s.env.Cwd
	switch {
	case cwd != "" && p != cwd && below(p, cwd):
		return "./" + strings.TrimPrefix(p[len(strings.TrimSuffix(cwd, "/")):], "/")
	case strings.HasPrefix(p, "/"):
		return "/" + p
	}
	return "./" + p
}

// plainWords joins a command's words where the pattern would mean just them.
func plainWords(c *tool.CommandUse) (string, bool) {
	out := make([]string, len(c.Words))
	for i, w := range c.Words {
		if w == "" || strings.ContainsAny(w, "*?\\'\"\x00 \t\n") || strings.HasSuffix(w, ":") || operator(w) {
			return "", false
		}
		out[i] = w
	}
	return strings.Join(out, " "), len(out) > 0
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

// flowMap writes a YAML flow map on one line.
type flowMap struct {
	b   []byte
	bad bool
}

func newFlowMap(key, text string) *flowMap {
	m := &flowMap{b: make([]byte, 0, 128)}
	m.b = append(append(append(append(m.b, '{'), key...), ": "...), text...)
	return m
}

// quoted writes a double-quoted scalar; Go's escapes are YAML's for valid text.
func (m *flowMap) quoted(key, text string) {
	if !utf8.ValidString(text) {
		m.bad = true
	}
	m.b = append(append(append(m.b, ", "...), key...), ": "...)
	m.b = strconv.AppendQuote(m.b, text)
}

// String returns the map.
func (m *flowMap) String() string { return string(m.b) + "}" }
