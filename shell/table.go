package shell

import (
	_ "embed"
	"strings"
)

// programs is the flattened table, see findLine; a record's fields are separated
// by tabs. Nothing is decoded before it is looked up.
//
//go:embed programs.txt
var programs string

// record is one entry of the table; its fields are parts of the embedded text.
type record struct {
	key     string
	flags   string // " name name "
	class   string
	args    string // operand roles
	opts    string // groups, see findOption
	when    string // conditions on operands
	handler string
	globs   string // subcommands that are patterns
}

const (
	groupSep = "\x1f" // between option groups and between conditions
	fxSep    = "\x1e" // between spellings and effects
)

func (r record) has(flag string) bool {
	_, ok := findToken(r.flags, flag)
	return ok
}

// lookup finds a key by binary search over the lines of the table.
func lookup(key string) (record, bool) {
	line, ok := findLine(key)
	if !ok {
		return record{}, false
	}
	if rest, ok := strings.CutPrefix(line, "="); ok { // another name of an entry
		if line, ok = findLine(rest); !ok {
			return record{}, false
		}
		key = rest
	}
	r := record{key: key}
	for _, f := range [...]*string{&r.flags, &r.class, &r.args, &r.opts, &r.when, &r.handler, &r.globs} {
		*f, line, _ = strings.Cut(line, "\t")
	}
	return r, true
}

// findLine returns the record of a key. The table begins with the offset of its
// body in eight digits, then an index of short lines "key<tab>offset", sorted by
// key, then the body, one record a line.
func findLine(key string) (string, bool) {
	const header = 9
	body := digits(programs[:header-1])
	lo, hi := header, body
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		start := strings.LastIndexByte(programs[lo:mid], '\n') + 1 + lo
		end := mid + strings.IndexByte(programs[mid:], '\n')
		name, at, _ := strings.Cut(programs[start:end], "\t")
		switch {
		case name == key:
			line, _, _ := strings.Cut(programs[body+digits(at):], "\n")
			return line, true
		case name < key:
			lo = end + 1
		default:
			hi = start
		}
	}
	return "", false
}

func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// sub finds a subcommand's record: exact, then by the parent's patterns.
func (r record) sub(name string) (record, bool) {
	if !r.has("sub") {
		return record{}, false
	}
	if s, ok := lookup(r.key + " " + name); ok {
		return s, true
	}
	for glob := range strings.FieldsSeq(r.globs) {
		if matchGlob(glob, name) {
			return lookup(r.key + " " + glob)
		}
	}
	return record{}, false
}

// matchGlob matches * only, over any text.
func matchGlob(pat, s string) bool {
	head, rest, star := strings.Cut(pat, "*")
	if !star {
		return pat == s
	}
	s, ok := strings.CutPrefix(s, head)
	if !ok {
		return false
	}
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], more
	}
}

// option is what the table says of one spelling.
type option struct {
	takes byte // 0 no value, '=' value attached or next, '[' optional attached value
	fx    string
}

// findOption looks a spelling ("-o", "--output") up in the groups of an entry.
func (r record) findOption(name string) (option, bool) {
	for opts := r.opts; opts != ""; {
		var group string
		group, opts, _ = strings.Cut(opts, groupSep)
		spellings, fx, _ := strings.Cut(group, fxSep)
		if t, ok := findToken(spellings, name); ok {
			return option{takes: t, fx: fx}, true
		}
	}
	return option{}, false
}

// findPrefix looks a word up among the spellings that end in a star, "-D*": the
// option is what stands before the star, the rest is its value.
func (r record) findPrefix(text string) (string, option, bool) {
	if strings.IndexByte(r.opts, '*') < 0 {
		return "", option{}, false
	}
	best, found := "", option{}
	for opts := r.opts; opts != ""; {
		var group string
		group, opts, _ = strings.Cut(opts, groupSep)
		spellings, fx, _ := strings.Cut(group, fxSep)
		for tok := range strings.FieldsSeq(spellings) {
			if pre, star := strings.CutSuffix(tok, "*"); star && len(pre) > len(best) && len(pre) > 1 && strings.HasPrefix(text, pre) {
				best, found = pre, option{takes: '[', fx: fx}
			}
		}
	}
	return best, found, best != ""
}

// findToken looks for name as a whole token; the token may end in "=" or "[]".
func findToken(spellings, name string) (byte, bool) {
	for at := 0; ; {
		i := strings.Index(spellings[at:], name)
		if i < 0 {
			return 0, false
		}
		i += at
		end := i + len(name)
		if i > 0 && spellings[i-1] == ' ' && end < len(spellings) {
			switch spellings[end] {
			case ' ':
				return 0, true
			case '=', '[':
				return spellings[end], true
			}
		}
		at = i + 1
	}
}

// abbreviation completes a long option that stands for exactly one spelling.
func (r record) abbreviation(name string) (string, int) {
	found, n := "", 0
	for tok := range strings.FieldsSeq(strings.NewReplacer(groupSep, " ", fxSep, " ").Replace(r.opts)) {
		tok = strings.TrimRight(tok, "=[]")
		if strings.HasPrefix(tok, name) && strings.HasPrefix(tok, "--") && tok != found {
			found = tok
			n++
		}
	}
	return found, n
}
