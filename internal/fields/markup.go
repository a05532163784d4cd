package fields

import (
	"html"
	"strings"
)

// readMarkup reads XML and HTML: text between tags, attributes, comments. It
// needs no closing tags; a document with a tag in it is one.
func readMarkup(b *builder, root int32) bool { return b.markup(root, 1) }

// readMixed reads text with several tags in it, as web pages are often printed.
func readMixed(b *builder, root int32) bool {
	if strings.Count(b.text, "</") < 2 {
		return false
	}
	return b.markup(root, 4)
}

// voidTags close themselves.
var voidTags = map[string]bool{"br": true, "img": true, "hr": true, "input": true, "meta": true, "link": true, "area": true,
	"base": true, "col": true, "embed": true, "source": true, "track": true, "wbr": true}

func (b *builder) markup(root int32, least int) bool {
	s, node, tags, depth := b.text, root, 0, 0
	for at := 0; at < len(s); {
		open := strings.IndexByte(s[at:], '<')
		if open < 0 {
			open = len(s) - at
		}
		b.prose(at, at+open, node)
		at += open
		if at >= len(s) {
			break
		}
		if strings.HasPrefix(s[at:], "<!--") {
			end, behind := len(s), len(s)
			if n := strings.Index(s[at+4:], "-->"); n >= 0 {
				end = at + 4 + n
				behind = end + 3
			}
			b.prose(at+4, end, b.node(node, "#comment", -1))
			at = behind
			continue
		}
		name, attrs, length := tag(s[at:])
		if length == 0 {
			b.prose(at, at+1, node)
			at++
			continue
		}
		tags++
		whole := name[0] != '!' && name[0] != '?' && isName(name) // all of it is kept by other means
		switch {
		case name[0] == '/':
			whole = whole && strings.TrimSpace(attrs) == ""
			if b.doc.Nodes[node].Key == name[1:] && node != root {
				node = b.doc.Nodes[node].Parent
				depth--
			}
		case name[0] == '!' || name[0] == '?':
			whole = strings.EqualFold(name+attrs, "!doctype html")
		default:
			kid := b.node(node, name, -1)
			whole = b.attributes(attrs, at, kid) && whole
			if depth < MaxDepth && !voidTags[name] && !strings.HasSuffix(s[at:at+length], "/>") {
				node = kid
				depth++
			}
		}
		if !whole {
			b.prose(at+1, at+length-1, b.node(node, "#tag", -1))
		}
		at += length
	}
	return tags >= least && tags > 0
}

// tag reads a tag at the start of s: its name, its attributes' text, its length;
// 0 where it is none.
func tag(s string) (name, attrs string, length int) {
	end := 1
	if end < len(s) && (s[end] == '/' || s[end] == '!' || s[end] == '?') {
		end++
	}
	from := end
	for end < len(s) && (bareByte(s[end]) || s[end] == ':') {
		end++
	}
	if end == from || '0' <= s[from] && s[from] <= '9' {
		return "", "", 0
	}
	name = strings.ToLower(s[1:end])
	quote := byte(0)
	for i := end; i < len(s) && i < end+maxTag; i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && s[i-1] == '=':
			quote = c
		case c == '>':
			return name, s[end:i], i + 1
		case c == '<':
			return "", "", 0
		}
	}
	return "", "", 0
}

// maxTag is the longest tag that is read as one.
const maxTag = 1 << 14

// attributes adds the values of a tag's attributes, and reports whether nothing but
// well-formed ones stands there.
func (b *builder) attributes(attrs string, at int, node int32) bool {
	start, formed := at+strings.Index(b.text[at:], attrs), attrs == "" || !bareByte(attrs[0])
	for i := 0; i < len(attrs); {
		for i < len(attrs) && !bareByte(attrs[i]) {
			formed = formed && strings.IndexByte(" \t\r\n/", attrs[i]) >= 0
			i++
		}
		from := i
		for i < len(attrs) && (bareByte(attrs[i]) || attrs[i] == ':') {
			i++
		}
		key := strings.ToLower(attrs[from:i])
		if key == "" || i >= len(attrs) || attrs[i] != '=' {
			formed = formed && (key == "" || switches[key])
			continue
		}
		formed = formed && isName(key)
		i++
		value, from2, to := attribute(attrs, i)
		b.leaf(String, entities(value), start+from2, start+to, b.node(node, "@"+key, -1))
		i = to + 1
	}
	return formed
}

// switches are attributes without a value.
var switches = map[string]bool{"allowfullscreen": true, "async": true, "autofocus": true, "autoplay": true, "checked": true, "controls": true,
	"default": true, "defer": true, "disabled": true, "hidden": true, "ismap": true, "itemscope": true, "loop": true, "multiple": true, "muted": true,
	"nomodule": true, "novalidate": true, "open": true, "readonly": true, "required": true, "reversed": true, "selected": true}

// maxName is the longest name of a tag or attribute that is taken for one.
const maxName = 32

// isName reports whether a name of a tag or attribute is no text in disguise.
func isName(name string) bool { return len(name) <= maxName && strings.IndexByte(name, '.') < 0 }

func attribute(s string, i int) (value string, from, to int) {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		end := strings.IndexByte(s[i+1:], s[i])
		if end < 0 {
			end = len(s) - i - 1
		}
		return s[i+1 : i+1+end], i + 1, i + 1 + end
	}
	end := i
	for end < len(s) && s[end] != ' ' && s[end] != '\n' && s[end] != '\t' {
		end++
	}
	return s[i:end], i, end
}

func (b *builder) prose(from, to int, node int32) {
	text := strings.TrimSpace(b.text[min(from, to):to])
	if text != "" {
		b.leaf(Prose, entities(text), from, to, node)
	}
}

func entities(text string) string {
	if strings.IndexByte(text, '&') < 0 {
		return text
	}
	return html.UnescapeString(text)
}
