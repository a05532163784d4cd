package shell

import "strings"

// Describe writes what a line does in one line of text, for tests, tables and
// reports: effects in order, paths below cwd without it, then "ro" where the
// line is read-only, the class where it is above reversible-internal, and what is unknown.
func (s Script) Describe(cwd string) string {
	var parts []string
	for _, st := range s.Steps {
		for _, e := range st.Effects {
			parts = append(parts, e.describe(cwd))
		}
		for _, l := range st.Labels {
			parts = append(parts, "label "+l)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "none")
	}
	if s.ReadOnly() {
		parts = append(parts, "ro")
	}
	if c := s.Class(); classRank(c) > 1 {
		parts = append(parts, c)
	}
	last := ""
	for _, u := range s.Unknowns {
		if t := "?" + string(u.Kind); t != last {
			parts = append(parts, t)
			last = t
		}
	}
	return strings.Join(parts, ", ")
}

func (e Effect) describe(cwd string) string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	for _, p := range [...]string{shorten(e.Source, cwd), shorten(e.Target, cwd)} {
		if p != "" && (p != "file" || e.Kind != Exec) {
			b.WriteByte(' ')
			b.WriteString(p)
		}
	}
	if e.Recursive {
		b.WriteString("/**")
	}
	if e.Maybe {
		b.WriteByte('?')
	}
	if e.Detail != "" && e.Kind != Fetch && e.Kind != Query && e.Kind != Resolve {
		b.WriteString(" (" + shorten(e.Detail, cwd) + ")")
	}
	return b.String()
}

func shorten(p, cwd string) string {
	p = show(p)
	if cwd == "" {
		return p
	}
	if p == cwd {
		return "."
	}
	return strings.TrimPrefix(p, cwd+"/")
}
