package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of references. What is over them is an error, never ignored.
const (
	// MaxRefs is how many references one text may hold.
	MaxRefs = 10_000
	// MaxRefLength is the longest reference, in bytes, braces included.
	MaxRefLength = 4096
	// MaxRefSteps is the longest path of a reference.
	MaxRefSteps = 64
)

// RefError is a reference that can't be read. Offset is its place in the text.
type RefError struct {
	Offset        int
	Message, Hint string
}

// Error returns the message.
func (e *RefError) Error() string { return e.Message }

// RefErrors are all errors of one text, in order.
type RefErrors []*RefError

// Error returns the first message and the number of the others.
func (e RefErrors) Error() string {
	if len(e) == 1 {
		return e[0].Message
	}
	return fmt.Sprintf("%s (and %d more)", e[0].Message, len(e)-1)
}

// ParseRefs finds the references in a text: ${id.output.path}. A path is made of
// .key, [0], ["quoted key"] and [*], or is a JSON Pointer: ${id.output#/a/0}. An
// id with other characters than letters, digits, '_' and '-' is quoted. "$${" is
// a literal "${"; before a brace, any two dollars stand for one.
//
// Names aren't resolved: Call is -1 until Validate. Start and End are offsets
// into text as given; Unescape shortens both. The error is of type RefErrors;
// the references that could be read are returned beside it.
func ParseRefs(text string) ([]Ref, error) {
	var refs []Ref
	var errs RefErrors
	for at := 0; ; {
		start, ok := nextRef(text, at)
		if !ok {
			break
		}
		if len(refs) == MaxRefs {
			errs = append(errs, &RefError{Offset: start, Message: fmt.Sprintf("more than %d references in one text", MaxRefs)})
			break
		}
		ref, end, err := parseBraced(text, start)
		if err != nil {
			errs = append(errs, err)
			at = start + 2
			if len(errs) > MaxErrors {
				break
			}
			continue
		}
		refs, at = append(refs, ref), end
	}
	if len(errs) > 0 {
		return refs, errs
	}
	if len(refs) == 1 {
		refs[0].Whole = refs[0].Start == 0 && refs[0].End == len(text)
	}
	return refs, nil
}

// ParseRef reads one reference without its braces, the whole of text.
func ParseRef(text string) (Ref, error) {
	if len(text) > MaxRefLength {
		return Ref{}, RefErrors{{Message: fmt.Sprintf("a reference of %d bytes, over the limit of %d", len(text), MaxRefLength)}}
	}
	p := refParser{text: text}
	ref, err := p.ref(len(text))
	if err == nil && p.at < len(text) {
		err = p.fail("unexpected %q in a reference", clip(text[p.at:]))
	}
	if err != nil {
		return Ref{}, RefErrors{err}
	}
	ref.End, ref.Whole = len(text), true
	return ref, nil
}

// nextRef returns the offset of the next "${" that isn't escaped.
func nextRef(text string, at int) (int, bool) {
	for at < len(text) {
		i := strings.Index(text[at:], "${")
		if i < 0 {
			return 0, false
		}
		start := at + i
		dollars := 1
		for start-dollars >= at && text[start-dollars] == '$' {
			dollars++
		}
		if dollars%2 == 1 {
			return start, true
		}
		at = start + 2
	}
	return 0, false
}

// parseBraced reads the reference whose "${" is at start.
func parseBraced(text string, start int) (Ref, int, *RefError) {
	p := refParser{text: text[:min(len(text), start+MaxRefLength)], at: start + 2}
	p.spaces()
	ref, err := p.ref(len(p.text))
	if err == nil {
		p.spaces()
		if p.at >= len(p.text) || p.text[p.at] != '}' {
			err = p.fail("expected \"}\" at the end of a reference, not %q", clip(p.text[p.at:]))
		}
	}
	if err != nil {
		if len(text) > len(p.text) && p.at >= len(p.text) {
			err.Message = fmt.Sprintf("a reference over the limit of %d bytes", MaxRefLength)
		}
		err.Offset = start
		err.Hint = "write ${id.output.path}, or $${ for a literal ${"
		return Ref{}, 0, err
	}
	ref.Start, ref.End = start, p.at+1
	return ref, p.at + 1, nil
}

// refParser reads name, ".output", and the path.
type refParser struct {
	text string
	at   int
}

func (p *refParser) fail(format string, args ...any) *RefError {
	return &RefError{Offset: p.at, Message: fmt.Sprintf(format, args...)}
}

func (p *refParser) spaces() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

func (p *refParser) ref(end int) (Ref, *RefError) {
	ref := Ref{Call: -1}
	name, err := p.name()
	if err != nil {
		return ref, err
	}
	ref.Name = name
	if rest := p.text[p.at:]; strings.HasPrefix(rest, ".output") && !continuesName(rest[len(".output"):]) {
		ref.Output = true
		p.at += len(".output")
	}
	for p.at < end {
		switch p.text[p.at] {
		case '.':
			err = p.dotted(&ref)
		case '[':
			err = p.bracket(&ref)
		case '#':
			return ref, p.pointer(&ref)
		default:
			return ref, nil
		}
		if err != nil {
			return ref, err
		}
		if len(ref.Path) > MaxRefSteps {
			return ref, p.fail("a reference with more than %d steps", MaxRefSteps)
		}
	}
	return ref, nil
}

func (p *refParser) name() (string, *RefError) {
	if p.at < len(p.text) && p.text[p.at] == '"' {
		return p.quoted()
	}
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		return "", p.fail("expected a call's id in a reference, not %q", clip(p.text[p.at:]))
	}
	return p.text[start:p.at], nil
}

func (p *refParser) dotted(ref *Ref) *RefError {
	p.at++
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	word := p.text[start:p.at]
	if index, ok := parseIndex(word); ok {
		ref.Path = append(ref.Path, Step{Index: index, IsIndex: true})
		return nil
	}
	if word == "" {
		return p.fail("expected a key after \".\" in a reference, not %q", clip(p.text[p.at:]))
	}
	ref.Path = append(ref.Path, Step{Key: word})
	return nil
}

func (p *refParser) bracket(ref *Ref) *RefError {
	p.at++
	step, err := p.subscript()
	if err != nil {
		return err
	}
	if p.at >= len(p.text) || p.text[p.at] != ']' {
		return p.fail("expected \"]\" in a reference, not %q", clip(p.text[p.at:]))
	}
	p.at++
	ref.Path = append(ref.Path, step)
	return nil
}

func (p *refParser) subscript() (Step, *RefError) {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "*"):
		p.at++
		return Step{Wild: true}, nil
	case strings.HasPrefix(rest, `"`):
		key, err := p.quoted()
		return Step{Key: key}, err
	case strings.HasPrefix(rest, "'"):
		end := strings.IndexByte(rest[1:], '\'')
		if end < 0 {
			return Step{}, p.fail("a quoted key without its end in a reference")
		}
		p.at += end + 2
		return Step{Key: rest[1 : end+1]}, nil
	}
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
		end++
	}
	index, ok := parseIndex(rest[:end])
	if !ok {
		return Step{}, p.fail("expected an index, a quoted key or * in brackets, not %q", clip(rest))
	}
	p.at += end
	return Step{Index: index, IsIndex: true}, nil
}

// quoted reads a double-quoted string with Go's escapes, as Path.String writes it.
func (p *refParser) quoted() (string, *RefError) {
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		return "", p.fail("a quoted key that can't be read in a reference: %q", clip(p.text[p.at:]))
	}
	key, err := strconv.Unquote(quoted)
	if err != nil {
		return "", p.fail("a quoted key that can't be read in a reference: %q", clip(quoted))
	}
	p.at += len(quoted)
	return key, nil
}

// pointer reads a JSON Pointer (RFC 6901) up to the closing brace or the end.
func (p *refParser) pointer(ref *Ref) *RefError {
	p.at++
	rest := p.text[p.at:]
	if end := strings.IndexByte(rest, '}'); end >= 0 {
		rest = rest[:end]
	}
	rest = strings.TrimRight(rest, " ")
	if rest == "" {
		return nil
	}
	if rest[0] != '/' {
		return p.fail("a JSON Pointer begins with \"/\", not %q", clip(rest))
	}
	for _, token := range strings.Split(rest[1:], "/") {
		if len(ref.Path) == MaxRefSteps {
			return p.fail("a reference with more than %d steps", MaxRefSteps)
		}
		if index, ok := parseIndex(token); ok {
			ref.Path = append(ref.Path, Step{Index: index, IsIndex: true})
			continue
		}
		key := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		ref.Path = append(ref.Path, Step{Key: key})
	}
	p.at += len(rest)
	return nil
}

// parseIndex accepts 0 and numbers without leading zeros, of at most nine digits.
func parseIndex(s string) (int, bool) {
	if s == "" || len(s) > 9 || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func continuesName(rest string) bool { return rest != "" && isNameByte(rest[0]) }

// clip shortens what an error quotes.
func clip(s string) string {
	if len(s) > 24 {
		return strings.ToValidUTF8(s[:24], "") + "..."
	}
	return s
}
