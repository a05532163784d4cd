package tool

import (
	"sort"
	"strings"

	"github.com/planlint/planlint/taint"
)

// UserPrincipal is the reader whom private data belongs to.
const UserPrincipal = "user"

// groups are the audiences that a policy names, with members of members
// included.
type groups struct{ members map[string][]string }

func newGroups(declared map[string][]string) *groups {
	g := &groups{members: make(map[string][]string, len(declared))}
	direct := make(map[string][]string, len(declared))
	names := make([]string, 0, len(declared))
	for name, list := range declared {
		key := principal(name)
		names = append(names, key)
		for _, m := range list {
			direct[key] = append(direct[key], principal(m))
		}
	}
	sort.Strings(names)
	for _, name := range names {
		g.members[name] = closure(direct, name)
	}
	return g
}

// closure lists the name and all that follow from it, each once, sorted; groups
// that hold each other are one.
func closure(direct map[string][]string, name string) []string {
	seen := map[string]bool{name: true}
	todo := []string{name}
	var out []string
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		out = append(out, n)
		for _, m := range direct[n] {
			if !seen[m] {
				seen[m] = true
				todo = append(todo, m)
			}
		}
	}
	sort.Strings(out)
	return out
}

func principal(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// readers adds what the groups say: who reads as the group reads as each member.
func (g *groups) readers(names []string) []string {
	return g.each(names, func(members []string) []string { return members })
}

// audience replaces a group by its members: all of them will see it. The group's
// own name stays, so that readers may name it too, only where it has no members.
func (g *groups) audience(names []string) []string {
	return g.each(names, func(members []string) []string {
		var out []string
		for _, m := range members {
			if len(g.members[m]) < 2 {
				out = append(out, m)
			}
		}
		return out
	})
}

func (g *groups) each(names []string, expand func([]string) []string) []string {
	if len(g.members) == 0 {
		return names
	}
	var out []string
	for _, n := range names {
		members := g.members[principal(n)]
		if len(members) == 0 {
			out = append(out, n)
			continue
		}
		out = append(out, expand(members)...)
	}
	return out
}

// sources splits labels by who may see them where nothing is declared: nobody
// for secret and what implies it, the user for private and what implies it and
// for own labels without a level, everyone for the rest. Declared readers hold
// for all confidentiality labels, beside the user for those that he may see.
func (r *Registry) sources(labels taint.Set, declared []string, why string) []taint.Source {
	u := r.config.Universe
	open := labels & (u.Integrity() | u.AtLeast(taint.Internal)&^u.AtLeast(taint.Private))
	nobody := labels & u.AtLeast(taint.Secret) &^ open
	user := labels &^ open &^ nobody
	var out []taint.Source
	add := func(set taint.Set, readers taint.Readers) {
		if set != 0 {
			out = append(out, taint.Source{Labels: set, Readers: readers, Why: why})
		}
	}
	declared = r.groups.readers(declared)
	add(nobody, taint.ReadersOf(declared...))
	add(user, taint.ReadersOf(append(r.groups.readers([]string{UserPrincipal}), declared...)...))
	if confidential := open &^ u.Integrity(); len(declared) > 0 && confidential != 0 {
		add(confidential, taint.ReadersOf(declared...))
		open &= u.Integrity()
	}
	add(open, taint.AnyReader)
	return out
}
