package rules

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// maxSuggestions is how many rules a suggestion may hold: more are no longer
// narrow.
const maxSuggestions = 4

// suggestion is a rule that would answer a part of an ask: as YAML, and compiled.
type suggestion struct {
	key  suggestKey
	text string
	rule compiled
	path pathGlob
}

// suggest returns the narrowest allows that answer this ask, as YAML flow maps
// with commas between. None is offered for authority-modifying calls, where an
// escalation, a protected place or a rule asks, or where what asks can't be named
// narrowly. What is offered was tried: with these rules the call is allowed.
func (d *decider) suggest() string {
	if d.rank == rankEscalation || d.rank == rankProtected || d.rank == rankRule || d.need.OutOfBand {
		return ""
	}
	list := d.list[:0]
	for i, u := range d.s.units {
		if !d.asks(i, u) {
			continue
		}
		one, ok := d.suggestUnit(u, list)
		switch {
		case !ok:
			return ""
		case contains(list, one.text):
		case len(list) == maxSuggestions:
			return ""
		default:
			list = append(list, one)
		}
	}
	d.list = list[:0]
	if len(list) == 0 || !d.answeredBy(list) {
		return ""
	}
	return joinTexts(list)
}

// answeredBy decides the call once more with the suggested rules added, and
// reports whether nothing is left to ask. Of the decision before only what Accepted
// needs is kept.
func (d *decider) answeredBy(list []*suggestion) bool {
	answers := d.answers
	d.suggested = list
	d.need, d.reason, d.rank, d.open, d.valued, d.closed, d.result = gate.Requirements{}, reason{}, rankNone, false, false, false, Result{}
	d.judge() // its shape and the steps before are the same
	d.answers, d.suggested = answers, nil
	return d.result.Decision == gate.Allow
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

// suggestUnit returns a rule that names just this unit of the call; list are those
// of the units before.
func (d *decider) suggestUnit(u unit, list []*suggestion) (*suggestion, bool) {
	of := suggestKey{tool: d.s.names.raw[0]}
	ok := u.class != gate.AuthorityModifying && !hasWildcard(of.tool)
	switch u.kind {
	case commandUnit:
		of.command = d.commandText(u.index)
		ok = ok && of.command != ""
	case pathUnit:
		p := d.s.pathOf(u)
		ok = ok && p.Known && !p.Tree && !p.Guess && !strings.ContainsAny(p.Path, pathWild)
		of.path, of.env = p.Path, d.s.env
	case hostUnit:
		of.host = d.in.Resolved.Hosts()[u.index]
		ok = ok && plainHost(of.host)
	default:
		of.when = d.recipients()
		ok = ok && (of.when != "" || namesServer(of.tool) || u.class < gate.IrreversibleInternal)
	}
	if !ok {
		return nil, false
	}
	one := d.made.of(&of, list)
	if one.text == "" {
		*one = suggestion{key: of}
		d.compileSuggestion(one)
	}
	return one, one.text != ""
}

// suggestKey is all that a suggestion is made of; env belongs to path, which may be
// empty itself.
type suggestKey struct {
	tool, path, command, host, when string
	env                             *plan.Env
}

// hash is a number that differs for most keys.
func (k *suggestKey) hash() (h uint32) {
	for _, text := range [...]string{k.tool, k.path, k.command, k.host, k.when} {
		for i := 0; i < len(text); i++ {
			h = h*31 + uint32(text[i])
		}
	}
	return h
}

// made is room for suggestions, each at the place that its key's hash says, where it
// stays to be used again until another one comes there. Calls ask for the same
// things, and what they share is told once in memory. It has more places than a call
// has suggestions, which are not overwritten.
type made [4 * maxSuggestions]*suggestion

// of returns the suggestion of a key, or one without a text that may be overwritten,
// which is none of those in use.
func (m *made) of(key *suggestKey, used []*suggestion) *suggestion {
	for h := key.hash(); ; h++ {
		at := &m[h%uint32(len(m))]
		if *at == nil {
			*at = new(suggestion)
		}
		if one := *at; one.text != "" && one.key == *key {
			return one
		}
		if one := *at; !slices.Contains(used, one) {
			one.text = ""
			return one
		}
	}
}

// forget empties the suggestions, and keeps their room.
func (m *made) forget() {
	for _, one := range m {
		if one != nil && one.key != (suggestKey{}) {
			*one = suggestion{}
		}
	}
}

// compileSuggestion compiles the rule for the trial and writes it; the text stays
// empty where it can't be written. The rule's condition, if any, was made of the call
// and so holds for it.
func (d *decider) compileSuggestion(one *suggestion) {
	r, of := &one.rule.Rule, &one.key
	r.Decision, r.Tool, r.Command, r.Host, r.WhenText = gate.Allow, of.tool, of.command, of.host, of.when
	if of.env != nil {
		r.Path = d.shownPath(of.path)
		var ok bool
		if one.path, ok = samePath(of.path, r.Path, of.env); ok {
			one.rule.path = &one.path
		}
	}
	if r.WhenText != "" {
		r.When = 1 // any condition: it counts in the rule's key
	}
	c := compiler{out: &one.rule}
	c.compile(nil)
	r.When = 0
	if text, ok := d.flow.rule(r); ok && len(c.problems) == 0 {
		one.text = text
	}
}

// recipients is a condition that holds for the call's recipients only, empty where
// there are none or not all are known.
func (d *decider) recipients() string {
	r := d.in.Resolved.Recipients()
	if len(r) == 0 || len(r) > maxSuggestions || d.in.Resolved.RecipientsOpen {
		return ""
	}
	for _, name := range r {
		if strings.ContainsAny(name, "'\"\\") || !utf8.ValidString(name) {
			return ""
		}
	}
	return "call.recipients.all(r, r in ['" + strings.Join(r, "', '") + "'])"
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

// commandText is the pattern for exactly this command with all that it is wrapped
// in, since "ssh host rm x" is another command than "rm x". It is empty where no
// pattern means just these words.
func (d *decider) commandText(i int) string {
	b := d.words[:0]
	if st := step(d.in.Resolved, i); st != nil {
		if st.Remote != "" && len(st.Outer) == 0 {
			return "" // it runs elsewhere, and nothing in its words says so
		}
		for k := range st.Outer {
			if st.Outer[k].Name == "find" {
				return "" // its own words, which choose the files, can't be compared
			}
			b = appendWord(b, st.Outer[k].Program)
			for _, arg := range st.Outer[k].Args {
				b = appendWord(b, arg.Text)
			}
		}
	}
	for _, w := range d.in.Resolved.Commands()[i].Words {
		b = appendWord(b, w)
	}
	d.words = b
	if len(b) == 0 || bytes.IndexByte(b, badWord) >= 0 {
		return ""
	}
	return string(b[1:])
}

// badWord stands for a word that a pattern can't mean exactly.
const badWord = 0

// appendWord adds a blank and a word as patterns write it: in quotes where it
// holds blanks or would lose its own quotes.
func appendWord(b []byte, w string) []byte {
	b = append(b, ' ')
	quoted := w == "" || strings.ContainsAny(w, " \"'")
	switch {
	case strings.ContainsAny(w, "*\x00\t\n\v\f\r\u0085\u00a0") || strings.HasSuffix(w, ":") || operator(w):
		return append(b, badWord)
	case !quoted:
		return append(b, w...)
	case !strings.Contains(w, "'"):
		return append(append(append(b, '\''), w...), '\'')
	case !strings.Contains(w, `"`):
		return append(append(append(b, '"'), w...), '"')
	}
	return append(b, badWord)
}

func contains(list []*suggestion, text string) bool {
	for i := range list {
		if list[i].text == text {
			return true
		}
	}
	return false
}

func joinTexts(list []*suggestion) string {
	text := list[0].text
	for i := range list[1:] {
		text += ", " + list[i+1].text
	}
	return text
}

// flowMap writes YAML flow maps on one line, one after the other in the same
// memory.
type flowMap struct {
	b   []byte
	bad bool
}

// rule writes what a suggestion sets; ok is false where it can't be written.
func (m *flowMap) rule(r *Rule) (text string, ok bool) {
	m.begin("decision", r.Decision.String())
	for _, f := range [...]struct{ key, text string }{
		{"tool", r.Tool}, {"command", r.Command}, {"path", r.Path}, {"host", r.Host}, {"when", r.WhenText},
	} {
		if f.text != "" {
			m.quoted(f.key, f.text)
		}
	}
	return m.String(), !m.bad
}

// begin starts a map.
func (m *flowMap) begin(key, text string) {
	if m.b == nil {
		m.b = make([]byte, 0, 256)
	}
	m.b, m.bad = append(append(append(append(m.b[:0], '{'), key...), ": "...), text...), false
}

// quoted writes a text as a double-quoted scalar; Go's escapes are YAML's for
// valid text.
func (m *flowMap) quoted(key, text string) {
	m.b = append(append(append(m.b, ", "...), key...), ": \""...)
	if plainText(text) {
		m.b = append(m.b, text...)
	} else {
		m.bad = m.bad || !utf8.ValidString(text)
		q := strconv.Quote(text)
		m.b = append(m.b, q[1:len(q)-1]...)
	}
	m.b = append(m.b, '"')
}

// plainText reports whether a text stands in quotes as it is.
func plainText(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// String ends the map and returns it.
func (m *flowMap) String() string {
	m.b = append(m.b, '}')
	return string(m.b)
}
