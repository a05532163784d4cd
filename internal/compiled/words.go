package compiled

import (
	"slices"
	"time"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Words returns the words that a set of allowed words has (the tag one), in the
// order in which messages list them; nil where the set is not a list.
func Words(set string) []string {
	switch set {
	case "class":
		return gate.Classes()
	case "gate":
		return append(gate.Classes(), "strictest")
	case "role":
		return tool.Roles()
	case "sink":
		return taint.SinkKinds()
	case "act":
		return origin.ActNames()
	case "origin":
		return origin.SignalNames()
	case "content":
		return rules.Contents()
	case "resolution":
		return rules.Resolutions()
	case "unmatched":
		return rules.Unmatcheds()
	case "mode":
		return rules.Modes()
	case "duration":
		return nil
	}
	list := wordLists[set]
	out := make([]string, len(list))
	copy(out, list)
	return out
}

// wordLists are the sets whose order is that of the constants they stand for;
// compiled_test.go holds them to it.
var wordLists = map[string][]string{
	"read_only":    {"allow", "unmatched"},
	"unknown_tool": {"deny", "ask"},
	"label_kind":   {"confidentiality", "integrity"},
	"level":        {"public", "internal", "private", "secret"},
	"observers":    {"own", "third-party"},
	"access":       {"read", "write", "delete", "execute"},
	"dialect":      {"bash", "posix", "zsh", "powershell", "cmd"},
	"decision":     {"deny", "ask", "allow"},
	"escalation":   {"deny", "ask"},
	"on":           {"flow", "call", "plan"},
	"precision":    {"context", "resource", "value"},
	"gate_choice":  {"default", "strictest", "class", "approval", "none"},
	"escalate":     {"path", "sink"},
	"severity":     {"info", "warning", "error"},
}

// number returns the place of a word in its set, 0 for none and for an unknown
// one: the loader refused those.
func number(set, word string) int {
	list, own := wordLists[set]
	if !own {
		list = Words(set)
	}
	return max(slices.Index(list, word), 0)
}

// ParseDuration returns the duration that a policy writes as 30s, 5m or 24h.
func ParseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

func accessOf(list []Text) tool.Access {
	var a tool.Access
	for _, t := range list {
		a |= 1 << number("access", t.S)
	}
	return a
}

func settingsOf(s Settings) rules.Settings {
	out := rules.Settings{
		Resolution:  rules.Resolution(number("resolution", s.Resolution.S)),
		Unmatched:   rules.Unmatched(number("unmatched", s.Unmatched.S)),
		AskReads:    s.ReadOnly.S == "unmatched",
		UnknownTool: gate.Ask,
		Mode:        rules.Mode(number("mode", s.Mode.S)),
	}
	if s.UnknownTool.S == "deny" {
		out.UnknownTool = gate.Deny
	}
	if s.Ceiling.S != "" {
		out.Ceiling, _ = gate.ParseClass(s.Ceiling.S)
	}
	if s.Unmatched.S == "" && out.Resolution == rules.DenyOverrides {
		out.Unmatched = rules.UnmatchedDeny
	}
	return out
}
