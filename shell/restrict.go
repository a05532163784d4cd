package shell

import (
	"path"
	"slices"
	"strings"
)

// MatchRestrict tests a deny or ask pattern on every step of a line, wrappers
// included, and returns the strongest fit with its step. It sees through
// wrappers, paths before the name, flag order, clusters, long names,
// abbreviations and places of options.
func (p Pattern) MatchRestrict(s Script) (Match, int) {
	best, at := NoMatch, -1
	for i := range s.Steps {
		if m := p.MatchStep(s.Steps[i]); m > best {
			if best, at = m, i; m == Matches {
				break
			}
		}
	}
	return best, at
}

// MatchStep is MatchRestrict for one step.
func (p Pattern) MatchStep(st Step) Match {
	if len(p.words) == 0 {
		return Matches
	}
	if p.command(st.Name, st.Args) {
		return Matches
	}
	inner := append([]Word{{Text: st.Program, Known: true}}, st.Args...)
	for i := len(st.Outer) - 1; i >= 0; i-- {
		o := st.Outer[i]
		args := append(slices.Clone(o.Args), inner...)
		if p.command(o.Name, args) {
			return Matches
		}
		inner = append([]Word{{Text: o.Program, Known: true}}, args...)
	}
	return p.maybe(st)
}

// maybe looks for the command where something unknown may run it.
func (p Pattern) maybe(st Step) Match {
	if (!st.Known && st.Program != "") || st.Local && !st.Known {
		for i, a := range st.Args {
			if p.command(baseName(a.Text), st.Args[i+1:]) {
				return MayMatch
			}
			if strings.ContainsAny(a.Text, " \t\n;") && p.inText(a.Text) {
				return MayMatch
			}
		}
	}
	for _, e := range st.Effects {
		if e.Kind != Exec || e.Source != "text" && e.Source != "stdin" && e.Source != "option" {
			continue
		}
		for _, a := range st.Args {
			if p.inText(a.Text) {
				return MayMatch
			}
		}
		if p.inText(st.Stdin.Word.Text) {
			return MayMatch
		}
	}
	return NoMatch
}

// inText reports whether a program text holds the command's name as a word.
func (p Pattern) inText(text string) bool {
	name := p.words[0]
	if name == "*" || strings.Contains(name, "*") {
		return text != ""
	}
	name = baseName(name)
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !nameByte(text[i-1])) && (end == len(text) || !nameByte(text[end])) {
			return true
		}
		at = i + 1
	}
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func baseName(s string) string {
	if strings.IndexByte(s, '/') >= 0 {
		s = path.Base(s)
	}
	return plainName(s)
}

// command tests one command: its base name and its arguments.
func (p Pattern) command(name string, args []Word) bool {
	name = baseName(name)
	want := p.words[0]
	if want != "*" && !matchGlob(baseName(want), name) {
		return false
	}
	if len(p.words) == 1 && p.prefix {
		return true
	}
	if want == "*" || strings.Contains(want, "*") {
		return matchSequence(p.words, append([]string{name}, texts(args)...), p.prefix)
	}
	raw := append([]string{want}, texts(args)...)
	if p.matchWords(raw) {
		return true
	}
	rec, _ := lookup(name)
	have := parts(rec, args)
	need := parts(rec, literal(p.words[1:]))
	return need.within(have, p.prefix)
}

func literal(words []string) []Word {
	out := make([]Word, len(words))
	for i, w := range words {
		out[i] = Word{Text: w, Known: true}
	}
	return out
}

// shape is a command without the order of its options.
type shape struct {
	operands []string // subcommands first
	opts     []hit
}

// parts takes arguments apart by the table; a program that it does not have is read by convention.
func parts(rec record, args []Word) shape {
	var s shape
	if rec.key == "" || rec.handler == "find" {
		return byConvention(args)
	}
	if rec.handler == "oldstyle" {
		args = oldStyle(append([]Word{{}}, args...))[1:]
	}
	u := parseArgs(rec, args)
	s.operands = strings.Fields(u.sub)
	for _, i := range u.operands {
		s.operands = append(s.operands, args[i].Text)
	}
	if n := len(u.operands); u.rest >= 0 && n > 0 { // what follows an inner command
		for i := u.operands[n-1] + 1; i < len(args); i++ {
			s.operands = append(s.operands, args[i].Text)
		}
	}
	s.opts = u.hits
	for _, i := range u.strange {
		more := byConvention(args[i : i+1])
		s.opts = append(s.opts, more.opts...)
	}
	return s
}

func byConvention(args []Word) shape {
	var s shape
	for _, a := range args {
		t := a.Text
		switch {
		case len(t) < 2 || t[0] != '-':
			s.operands = append(s.operands, t)
		case t[1] == '-':
			name, val, has := strings.Cut(t, "=")
			s.opts = append(s.opts, hit{name: name, val: Word{Text: val}, has: has})
		default:
			s.opts = append(s.opts, hit{name: t})
			for i := 1; i < len(t); i++ {
				s.opts = append(s.opts, hit{name: "-" + t[i:i+1]})
			}
		}
	}
	return s
}

// within reports whether have has all of the pattern's options, in any order
// and spelling, and its operands.
func (need shape) within(have shape, prefix bool) bool {
	for _, o := range need.opts {
		if !slices.ContainsFunc(have.opts, func(h hit) bool { return sameOption(o, h) }) {
			return false
		}
	}
	return matchSequence(need.operands, have.operands, prefix) || matchSequence(clean(need.operands), clean(have.operands), prefix)
}

func clean(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if strings.Contains(w, "/") && !strings.Contains(w, "://") {
			out[i] = path.Clean(w)
		}
	}
	return out
}

func sameOption(want, have hit) bool {
	if want.name != have.name && !alike(want.name, have.name) && !strings.Contains(have.fx, "implies:"+want.name) {
		return false
	}
	return !want.has || want.val.Text == "" || !have.has || matchGlob(want.val.Text, have.val.Text)
}

// alike reports whether two spellings are one option: -r, -R and --recursive.
func alike(a, b string) bool {
	rec, _ := lookup("$alike")
	for set := range strings.FieldsSeq(rec.args) {
		if inSet(set, a) && inSet(set, b) {
			return true
		}
	}
	return false
}

func inSet(set, name string) bool {
	for s := range strings.SplitSeq(set, "=") {
		if s == name {
			return true
		}
	}
	return false
}
