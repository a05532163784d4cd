package policy

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
)

// setting is one row of the settings: how to reach it, and its words from the
// strictest to the loosest.
type setting struct {
	name     string
	of       func(*compiled.Settings) *compiled.Text
	strictly []string
	// free: an untrusted layer may set it where it is stricter.
	free bool
}

func settingRows() []setting {
	return []setting{
		{"resolution", func(s *compiled.Settings) *compiled.Text { return &s.Resolution }, []string{"deny-overrides", "most-specific"}, false},
		{"unmatched", func(s *compiled.Settings) *compiled.Text { return &s.Unmatched }, []string{"deny", "ask", "class", "allow"}, true},
		{"read_only", func(s *compiled.Settings) *compiled.Text { return &s.ReadOnly }, []string{"unmatched", "allow"}, true},
		{"unknown_tool", func(s *compiled.Settings) *compiled.Text { return &s.UnknownTool }, []string{"deny", "ask"}, true},
		{"mode", func(s *compiled.Settings) *compiled.Text { return &s.Mode }, []string{"read-only", "unattended", "default", "accept-edits", "auto", "observe"}, true},
		{"ceiling", func(s *compiled.Settings) *compiled.Text { return &s.Ceiling }, gate.Classes(), true},
		{"precision", func(s *compiled.Settings) *compiled.Text { return &s.Precision }, []string{"context", "resource", "value"}, true},
	}
}

// unset is the value that a setting has where nobody states it.
func (r setting) unset() int {
	switch r.name {
	case "unmatched", "unknown_tool", "read_only":
		return 1 // ask; allow
	case "mode":
		return 2 // default
	}
	return len(r.strictly)
}

// rank is the place of a value, 0 for the strictest.
func (r setting) rank(value string) int {
	for i, w := range r.strictly {
		if w == value {
			return i
		}
	}
	return r.unset()
}

// settings joins what the layers state: the strictest of the trusted ones, else
// the built-in value; untrusted ones count only where they are stricter.
func (m *merger) settings(layers []Layer) {
	base := m.doc.Settings
	for _, row := range settingRows() {
		effective := row.of(&m.doc.Settings)
		stated := false
		for i := range layers {
			l := &layers[i]
			said := *row.of(&l.document.Settings)
			if said.S == "" || !l.Trusted {
				continue
			}
			if l.Kind == LayerProject && row.name == "mode" && said.S == "observe" {
				m.diagnose(DiagSetting, said, "a project's policy cannot switch to observe", "set it in your own policy or by --mode")
				continue
			}
			if !stated || row.rank(said.S) < row.rank(effective.S) {
				*effective = said
			}
			stated = true
		}
		if row.name == "unmatched" && !stated && base.Resolution.S != "deny-overrides" && m.doc.Settings.Resolution.S == "deny-overrides" {
			*effective = compiled.T("deny")
		}
		m.untrustedSetting(row, effective, layers)
	}
}

func (m *merger) untrustedSetting(row setting, effective *compiled.Text, layers []Layer) {
	for i := range layers {
		said := *row.of(&layers[i].document.Settings)
		if layers[i].Trusted || said.S == "" || said.S == effective.S {
			continue
		}
		// A precision replaces what each rule says, so only the weakest evidence
		// is stricter for all of them.
		stricter := row.rank(said.S) < row.rank(effective.S) && (row.name != "precision" || said.S == "context")
		if !row.free || !stricter {
			m.diagnose(DiagSetting, said, fmt.Sprintf("%s: %s is ignored: it may loosen what is in force", row.name, said.S), untrustedHint)
			continue
		}
		*effective = said
	}
}

// content joins what the layers look for: more can only label more, so untrusted
// layers count too.
func (m *merger) content(layers []Layer) {
	for i := range layers {
		said := layers[i].document.Settings.Content
		if said == nil {
			continue
		}
		joined := compiled.ContentSettings{}
		if m.doc.Settings.Content != nil {
			joined = *m.doc.Settings.Content
		}
		joined.Personal = joined.Personal || said.Personal
		joined.Canaries = append(joined.Canaries[:len(joined.Canaries):len(joined.Canaries)], said.Canaries...)
		m.doc.Settings.Content = &joined
	}
}

// gates joins what the layers state of each gate.
func (m *merger) gates(layers []Layer) {
	table := compiled.Gates(m.doc.Gates)
	stated := make(map[string]bool)
	for i := range layers {
		for _, e := range layers[i].document.Gates {
			class, _ := gate.ParseClass(e.Key.S)
			now := &table.Strictest
			if e.Key.S != "strictest" {
				now = &table.ByClass[class]
			}
			said := compiled.Requirements(e.Value)
			switch {
			case !layers[i].Trusted:
				if !said.Covers(*now) {
					m.diagnose(DiagGate, e.Key, fmt.Sprintf("gate %s is ignored where it asks for less than the one in force", e.Key.S), untrustedHint)
				}
				*now = now.Join(said)
			case stated[e.Key.S]:
				*now = now.Join(said)
			default:
				*now = said
			}
			stated[e.Key.S] = stated[e.Key.S] || layers[i].Trusted
		}
	}
	m.doc.Gates = compiled.GateEntries(table)
}
