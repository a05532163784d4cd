package plan

import "strings"

// Unescape returns the text with "$${" turned into "${", and the references that
// ParseRefs found in it with their offsets moved along.
func Unescape(text string, refs []Ref) (string, []Ref) {
	if !strings.Contains(text, "$${") {
		return text, refs
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for i := range refs {
		// The reference's own dollar belongs to the run before it.
		undouble(&b, text[at:refs[i].Start], true)
		length := refs[i].End - refs[i].Start
		at = refs[i].End
		start := b.Len()
		b.WriteString(text[refs[i].Start:refs[i].End])
		refs[i].Start, refs[i].End = start, start+length
	}
	undouble(&b, text[at:], false)
	return b.String(), refs
}

// undouble halves each run of dollars that stands before a brace, or at the end
// of the text where a reference follows.
func undouble(b *strings.Builder, text string, refFollows bool) {
	for text != "" {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			b.WriteString(text)
			return
		}
		b.WriteString(text[:i])
		text = text[i:]
		run := len(text) - len(strings.TrimLeft(text, "$"))
		rest := text[run:]
		kept := run
		if strings.HasPrefix(rest, "{") || rest == "" && refFollows {
			kept = (run + 1) / 2
		}
		b.WriteString(text[:kept])
		text = rest
	}
}

// escape is undouble's inverse.
func escape(text string, refFollows bool) string {
	if !strings.Contains(text, "${") && !(refFollows && strings.HasSuffix(text, "$")) {
		return text
	}
	var b strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		run := len(text) - len(strings.TrimLeft(text, "$"))
		rest := text[run:]
		if strings.HasPrefix(rest, "{") || rest == "" && refFollows {
			b.WriteString(text[:run])
		}
		b.WriteString(text[:run])
		text = rest
	}
	return b.String()
}
