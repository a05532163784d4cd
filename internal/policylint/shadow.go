package policylint

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/rules"
)

// shadows finds rules whose every call another rule decides. Quadratic in the
// policy's own rules, which are written by hand.
func (k *linter) shadows() {
	list := k.loaded.Policy.Rules.Rules()
	way := k.loaded.Policy.Rules.Settings().Resolution
	reported := make(map[string]bool)
	for i := range list {
		r := &list[i]
		if r.Builtin || !k.own[r.Pos.File] || reported[r.Pos.String()] {
			continue
		}
		for j := range list {
			o := &list[j]
			if i == j || r.Pos == o.Pos || !shadowedBy(r, o, way) {
				continue
			}
			reported[r.Pos.String()] = true
			k.say(r.Pos, "remove one of them, or name in the shadowed rule what the other does not cover",
				"%s is never reached: %s at %s always decides", saying(r), saying(o), o.Pos)
			break
		}
	}
}

// shadowedBy reports whether o matches whatever r matches, and is preferred.
func shadowedBy(r, o *rules.Rule, way rules.Resolution) bool {
	if !contains(o, r) || o.Restrict != r.Restrict {
		return false
	}
	same := matches(r, o)
	switch {
	case r.Permission && o.Permission:
		return o.Decision < r.Decision || same && o.Decision == r.Decision && earlier(o, r)
	case r.Permission != o.Permission:
		return o.Decision < r.Decision // where both match, the stricter counts
	case way == rules.DenyOverrides && o.Decision == gate.Deny:
		return r.Decision != gate.Deny || same && earlier(o, r)
	}
	// Most specific: only a rule with the very same matchers is as specific.
	return same && len(r.Accepts) == 0 && (o.Decision < r.Decision || o.Decision == r.Decision && earlier(o, r))
}

func earlier(a, b *rules.Rule) bool { return before(a.Pos, b.Pos) }

// contains reports whether every call that r matches is matched by o. An allow
// compares more narrowly than a deny or ask of the same words, and is contained
// in those, never the other way round.
func contains(o, r *rules.Rule) bool {
	return (o.Decision != gate.Allow || r.Decision == gate.Allow) && matches(o, r)
}

// matches compares the words of two rules.
func matches(o, r *rules.Rule) bool {
	if o.WhenText != "" && o.WhenText != r.WhenText {
		return false
	}
	if o.Access != 0 && (r.Access == 0 || r.Access&^o.Access != 0) {
		return false
	}
	return covers(o.Tool, r.Tool, "") && covers(o.Server, r.Server, "") && covers(o.Agent, r.Agent, "") &&
		covers(o.Host, r.Host, "") && covers(o.Path, r.Path, "/") && coversCommand(o.Command, r.Command)
}

// covers reports whether one pattern matches all that another one matches. An
// empty one matches everything. In paths a * stops at a separator, so only **
// at the end covers a prefix.
func covers(o, r, separator string) bool {
	if o == "" || o == r || strings.Trim(o, "*") == "" && separator == "" {
		return true
	}
	if r == "" {
		return false
	}
	end := "*"
	if separator != "" {
		end = separator + "**"
	}
	prefix, ok := strings.CutSuffix(o, end)
	if ok && !strings.ContainsAny(prefix, "*?[{!") {
		return strings.HasPrefix(r, prefix+separator) && !strings.Contains(r, "..")
	}
	return separator == "" && !strings.ContainsAny(r, "*?") && strings.ContainsAny(o, "*?") && wild(o, r)
}

// coversCommand compares command patterns: "git:*" and "git *" are every
// command that starts with the word.
func coversCommand(o, r string) bool {
	if o == "" || o == r || o == "*" {
		return true
	}
	for _, end := range []string{":*", " *"} {
		if prefix, ok := strings.CutSuffix(o, end); ok && !strings.ContainsAny(prefix, "*?") {
			for _, other := range []string{":*", " *", "*", ""} {
				word, cut := strings.CutSuffix(r, other)
				if cut && (word == prefix || strings.HasPrefix(word, prefix+" ")) && (word != prefix || other == ":*" || other == end || other == "") {
					return true
				}
			}
		}
	}
	return false
}

// wild matches a name against a pattern of * and ?.
func wild(pattern, name string) bool {
	star, back := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, back = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p, n = p+1, n+1
		case star >= 0:
			back++
			p, n = star+1, back
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// saying is a rule in short.
func saying(r *rules.Rule) string {
	text := r.Decision.String()
	for _, f := range []struct{ name, value string }{
		{"tool", r.Tool}, {"path", r.Path}, {"command", r.Command}, {"host", r.Host}, {"server", r.Server}, {"agent", r.Agent},
	} {
		if f.value != "" {
			text += fmt.Sprintf(" %s %q", f.name, f.value)
		}
	}
	if r.WhenText != "" {
		text += " with a condition"
	}
	return text
}
