package policy

import (
	"fmt"
	"sort"

	"github.com/planlint/planlint/internal/compiled"
)

// merger joins layers into one table.
type merger struct {
	doc      compiled.Document
	pack     *compiled.Pack
	problems []compiled.Problem
}

// merge joins layers, lowest first, on top of a built-in policy. Trusted layers
// go first, so that an untrusted one is measured against all of them.
func merge(base compiled.Document, pack *compiled.Pack, layers []Layer) (compiled.Document, []compiled.Problem) {
	m := &merger{doc: base, pack: pack}
	layers = append([]Layer(nil), layers...)
	sort.SliceStable(layers, func(i, j int) bool { return layers[i].Trusted && !layers[j].Trusted })
	m.settings(layers)
	m.content(layers)
	m.gates(layers)
	for i := range layers {
		l := &layers[i]
		m.labels(l)
		m.doc.Sources = append(m.doc.Sources, l.document.Sources...)
		m.doc.Sinks = append(m.doc.Sinks, l.document.Sinks...)
		m.doc.Protected = append(m.doc.Protected, l.document.Protected...)
		m.audiences(l)
		m.rules(l)
		m.compose(l)
		for j := range l.document.Tools {
			m.tool(l, &l.document.Tools[j])
		}
	}
	return m.doc, m.problems
}

func (m *merger) problem(t compiled.Text, message, hint string) {
	m.diagnose("", t, message, hint)
}

func (m *merger) diagnose(id string, t compiled.Text, message, hint string) {
	m.problems = append(m.problems, compiled.Problem{ID: id, At: t.At, Length: len(t.S), Message: message, Hint: hint})
}

func (m *merger) labels(l *Layer) {
	for _, e := range l.document.Labels {
		was := m.doc.Labels.Get(e.Key.S)
		if was == nil {
			m.doc.Labels = append(m.doc.Labels, e)
			continue
		}
		if was.Kind.S != e.Value.Kind.S || was.Level.S != e.Value.Level.S {
			m.problem(e.Key, fmt.Sprintf("label %q is defined otherwise in another layer", e.Key.S), "one name has one meaning in all layers")
		}
	}
}

// audiences joins who is seen: a wider audience is the stricter one.
func (m *merger) audiences(l *Layer) {
	for _, e := range l.document.Audiences {
		if !l.Trusted && !has(e.Value, "everyone") {
			m.diagnose(DiagAudience, e.Key, fmt.Sprintf("audience %q is ignored: it may hide who sees the data", e.Key.S), untrustedHint)
			continue
		}
		was := m.doc.Audiences.Get(e.Key.S)
		if was == nil {
			m.doc.Audiences = append(m.doc.Audiences, e)
			continue
		}
		for _, who := range e.Value {
			if !has(*was, who.S) {
				*was = append(*was, who)
			}
		}
	}
}

func (m *merger) rules(l *Layer) {
	list := append(append([]compiled.Rule(nil), l.document.Rules...), compiled.PermissionRules(l.document.Permissions)...)
	for _, r := range list {
		if !l.Trusted {
			if r.Decision.S == "allow" {
				at := r.Decision
				if r.Permission {
					at = r.Tool
				}
				m.diagnose(DiagAllow, at, "an allow is ignored", untrustedHint)
				continue
			}
			r.Restrict = true
		}
		m.doc.Rules = append(m.doc.Rules, r)
	}
}

// compose adds composition rules. A trusted layer may say a rule anew under its
// id, or add exceptions to it; an untrusted one only adds rules.
func (m *merger) compose(l *Layer) {
	for _, r := range l.document.Compose {
		at := -1
		for i := range m.doc.Compose {
			if m.doc.Compose[i].ID.S == r.ID.S {
				at = i
			}
		}
		switch {
		case r.OnlyExcepts():
			m.except(l, at, &r)
		case at >= 0 && l.Trusted:
			m.doc.Compose[at] = r
		default:
			if at >= 0 {
				m.diagnose(DiagRule, r.ID, fmt.Sprintf("rule %q is added to the one that has this id", r.ID.S), untrustedHint)
			}
			m.doc.Compose = append(m.doc.Compose, r)
		}
	}
}

// except adds exceptions to the rule at that place, -1 for none.
func (m *merger) except(l *Layer, at int, r *compiled.ComposeRule) {
	switch {
	case at < 0:
		var ids []string
		for i := range m.doc.Compose {
			ids = append(ids, m.doc.Compose[i].ID.S)
		}
		sort.Strings(ids)
		m.problem(r.ID, fmt.Sprintf("no layer below has the composition rule %q", r.ID.S), compiled.Nearest(r.ID.S, ids))
	case !l.Trusted:
		m.diagnose(DiagRule, r.ID, fmt.Sprintf("exceptions to rule %q are ignored", r.ID.S), untrustedHint)
	default:
		base := &m.doc.Compose[at]
		base.Unless = append([]compiled.Unless(nil), base.Unless...)
		for _, u := range r.Unless {
			u.Own = true
			base.Unless = append(base.Unless, u)
		}
	}
}

// lower returns the contract that lower layers have under a name.
func (m *merger) lower(name string) *compiled.Tool {
	if t := findTool(m.doc.Tools, name); t != nil {
		return t
	}
	t, _ := m.pack.Tool(name)
	return t
}

func (m *merger) tool(l *Layer, t *compiled.Tool) {
	if t.Refines.S == "" && t.Name.S == "" {
		return
	}
	name := t.Name
	if t.Refines.S != "" {
		name = t.Refines
	}
	base := m.lower(name.S)
	switch {
	case t.Refines.S != "" && base == nil:
		m.problem(name, fmt.Sprintf("no layer below describes the tool %q", name.S), compiled.Nearest(name.S, toolNames(&m.doc, m.pack)))
	case !l.Trusted:
		m.tighten(base, t)
	case t.Refines.S != "":
		m.replace(refine(base, t))
	default:
		m.replace(*t)
	}
}

// replace puts a contract into the table. Its names are no longer those of
// other contracts of lower layers.
func (m *merger) replace(t compiled.Tool) {
	names := map[string]bool{t.Name.S: true}
	for _, a := range t.Alias {
		names[a.S] = true
	}
	kept := m.doc.Tools[:0:0]
	for _, other := range m.doc.Tools {
		if names[other.Name.S] {
			continue
		}
		var alias []compiled.Text
		for _, a := range other.Alias {
			if !names[a.S] {
				alias = append(alias, a)
			}
		}
		other.Alias = alias
		kept = append(kept, other)
	}
	m.doc.Tools = append(kept, t)
}

func findTool(tools []compiled.Tool, name string) *compiled.Tool {
	for i := range tools {
		if tools[i].Name.S == name || has(tools[i].Alias, name) {
			return &tools[i]
		}
	}
	return nil
}

// toolNames returns all names and aliases, sorted.
func toolNames(d *compiled.Document, pack *compiled.Pack) []string {
	names := pack.Names()
	for i := range d.Tools {
		names = append(names, d.Tools[i].Name.S)
		names = append(names, compiled.Strings(d.Tools[i].Alias)...)
	}
	sort.Strings(names)
	return names
}
