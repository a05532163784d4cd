package transcript

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// tagKinds are the elements in which clients wrap what they put into messages
// of role "user" themselves, and the kind of what stands in them. Words that a
// person typed on a command line (bash-input, command-args) are his own.
var tagKinds = map[string]plan.TextKind{
	"system-reminder":            plan.TextHook,
	"local-command-caveat":       plan.TextHook,
	"local-command-stdout":       plan.TextHook,
	"local-command-stderr":       plan.TextHook,
	"command-name":               plan.TextUser,
	"command-message":            plan.TextHook,
	"command-args":               plan.TextUser,
	"command-contents":           plan.TextInstructions,
	"bash-input":                 plan.TextUser,
	"bash-stdout":                plan.TextHook,
	"bash-stderr":                plan.TextHook,
	"task-notification":          plan.TextHook,
	"user-prompt-submit-hook":    plan.TextHook,
	"session-start-hook":         plan.TextHook,
	"ide_opened_file":            plan.TextAttachment,
	"ide_selection":              plan.TextAttachment,
	"ide_diagnostics":            plan.TextAttachment,
	"pasted-content":             plan.TextPasted,
	"pasted_content":             plan.TextPasted,
	"environment_context":        plan.TextSystem,
	"environment_details":        plan.TextAttachment,
	"user_instructions":          plan.TextInstructions,
	"INSTRUCTIONS":               plan.TextInstructions,
	"skill":                      plan.TextInstructions,
	"subagent_notification":      plan.TextHook,
	"turn_aborted":               plan.TextHook,
	"recommended_plugins":        plan.TextHook,
	"session_context":            plan.TextAttachment,
	"untrusted_context":          plan.TextUnknown,
	"file_content":               plan.TextAttachment,
	"folder_content":             plan.TextAttachment,
	"url_content":                plan.TextAttachment,
	"workspace_diagnostics":      plan.TextAttachment,
	"current_datetime":           plan.TextSystem,
	"timestamp":                  plan.TextSystem,
	"explicit_instructions":      plan.TextInstructions,
	"automatically_attached":     plan.TextAttachment,
	"teammate-message":           plan.TextUnknown,
	"channel":                    plan.TextUnknown,
	"new-diagnostics":            plan.TextAttachment,
	"post-tool-use-hook":         plan.TextHook,
	"persisted-output":           plan.TextAttachment,
	"user-memory-input":          plan.TextUser,
	"tool_use_error":             plan.TextHook,
	"summary":                    plan.TextSummary,
	"feedback":                   plan.TextUser,
	"task":                       plan.TextUser,
	"user_message":               plan.TextUser,
	"user_query":                 plan.TextUser,
	"user_input":                 plan.TextUser,
	"attached_files":             plan.TextAttachment,
	"slack_message":              plan.TextUnknown,
	"system_notification":        plan.TextHook,
	"background-task-completion": plan.TextHook,
}

// prefixKinds are beginnings by which a whole message is known not to be typed.
var prefixKinds = []struct {
	prefix string
	kind   plan.TextKind
}{
	{"Caveat: The messages below", plan.TextHook},
	{"[Request interrupted by user", plan.TextHook},
	{"This session is being continued from a previous conversation", plan.TextSummary},
	{"# AGENTS.md instructions", plan.TextInstructions},
	{"Stop hook feedback:", plan.TextHook},
	{"[SYSTEM NOTIFICATION", plan.TextHook},
	{"[Subagent hand-back]", plan.TextHook},
}

// segment is a stretch of a message that is of one kind.
type segment struct {
	kind       plan.TextKind
	text       string
	start, end int
	tag        string
}

// segments cuts a message of role user into what a person may have typed and
// what the client wrapped in elements. What stands in an element reaches to
// the *last* closing tag of its name, so that hostile content can't end its
// own element and go on as the user; what stands outside is of kind words.
func segments(text string, words plan.TextKind) []segment {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	for _, p := range prefixKinds {
		if strings.HasPrefix(trimmed, p.prefix) {
			return []segment{{p.kind, text, 0, len(text), ""}}
		}
	}
	var out []segment
	plain := func(from, to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" {
			out = append(out, segment{words, s, from, to, ""})
		}
	}
	from := 0
	for at := 0; at < len(text); {
		open := strings.IndexByte(text[at:], '<')
		if open < 0 {
			break
		}
		open += at
		at = open + 1
		name := tagName(text[open+1:])
		kind, known := tagKinds[name]
		if !known {
			continue
		}
		end := closing(text, open, name, kind == plan.TextUser)
		plain(from, open)
		out = append(out, inside(text[open:end], name, kind, words, open))
		from, at = end, end
	}
	plain(from, len(text))
	return out
}

// inside is the segment of one element, without its tags.
func inside(text, name string, kind, words plan.TextKind, start int) segment {
	if kind == plan.TextUser {
		kind = words
	}
	body := text[strings.IndexByte(text+">", '>'):]
	body = strings.TrimPrefix(body, ">")
	body = strings.TrimSuffix(body, "</"+name+">")
	return segment{kind, strings.TrimSpace(body), start, start + len(text), name}
}

// closing returns the offset behind the element's end: the text's end if it
// has none. Elements of a person's own words end at the first closing tag.
func closing(text string, open int, name string, first bool) int {
	tag := "</" + name + ">"
	at := strings.LastIndex(text[open:], tag)
	if first {
		at = strings.Index(text[open:], tag)
	}
	if at < 0 {
		return len(text)
	}
	return open + at + len(tag)
}

// tagName reads an element's name; "" if none stands there.
func tagName(s string) string {
	n := 0
	for n < len(s) && n < 40 && (s[n] == '_' || s[n] == '-' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	if n == len(s) || s[n] != '>' && s[n] != ' ' {
		return ""
	}
	return s[:n]
}

// edge is how far from both ends of an output the marks stand that clients
// never put into its middle.
const edge = 4096

// cutMarks are what clients write where they left out a part of an output. One
// of them in a tool's own text only makes planlint more careful.
var cutMarks = []string{
	"<persisted-output>", "output saved to: ", "[truncated", "[Truncated", "... truncated", "...truncated", "…truncated",
	"characters truncated", "chars truncated", "lines truncated", "tokens truncated", "output truncated", "Output truncated",
	"truncated output", "truncated>", "characters omitted", "lines omitted", "omitted ...", "<response clipped>", "[clipped",
}

// isCut reports whether an output says of itself that it is not whole.
func isCut(text string) bool {
	ends := text
	if len(text) > 2*edge {
		ends = text[:edge] + "\n" + text[len(text)-edge:]
	}
	for _, part := range []struct{ word, text string }{
		{"truncated", text}, {"omitted", text}, {"clipped", ends}, {"persisted-output", ends}, {"output saved to:", ends},
	} {
		if strings.Contains(part.text, part.word) && holdsMark(part.text, part.word) {
			return true
		}
	}
	return false
}

func holdsMark(text, word string) bool {
	for _, mark := range cutMarks {
		if strings.Contains(mark, word) && strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
