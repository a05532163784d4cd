package fields

import (
	"slices"
	"strings"
)

// minRows is how many rows a table has at least, the header's included.
const minRows = 3

// readTable reads lines of separated values under a header: every row has the
// header's number of cells.
func readTable(b *builder, root int32) bool {
	end := strings.IndexByte(b.text, '\n')
	if end < 0 {
		return false
	}
	header := strings.TrimRight(b.text[:end], "\r")
	sep := separator(header)
	if sep == 0 {
		return false
	}
	names, ok := cells(header, sep)
	if !ok || !named(names) {
		return false
	}
	rows := 1
	for at := end + 1; at < len(b.text); {
		n := strings.IndexByte(b.text[at:], '\n')
		if n < 0 {
			n = len(b.text) - at
		}
		row := strings.TrimRight(b.text[at:at+n], "\r")
		if strings.TrimSpace(row) != "" {
			if !b.row(row, at, sep, names, root, rows-1) {
				return false
			}
			rows++
		}
		at += n + 1
	}
	return rows >= minRows
}

func (b *builder) row(row string, at int, sep byte, names []string, root int32, index int) bool {
	values, ok := cells(row, sep)
	if !ok || len(values) < len(names) {
		return false
	}
	if len(values) > len(names) { // text with separators in the last column
		tail := strings.Join(values[len(names)-1:], string(sep))
		values = append(values[:len(names)-1:len(names)-1], tail)
	}
	node := b.node(root, "", index)
	b.object(node)
	for i, v := range values {
		kind := String
		if k, ok := wordKind2(v); ok {
			kind = k
		}
		b.leaf(kind, v, at, at+len(row), b.node(node, names[i], -1))
	}
	return true
}

func wordKind2(v string) (Kind, bool) {
	if v == "" {
		return Null, true
	}
	return wordKind(v)
}

func separator(header string) byte {
	for _, sep := range []byte{'\t', ';', ',', '|'} {
		if strings.Count(header, string(sep)) >= 1 {
			return sep
		}
	}
	return 0
}

// named reports whether a header's cells look like names of columns.
func named(names []string) bool {
	for _, n := range names {
		if n == "" || len(n) > 40 || strings.ContainsAny(n, ".!?:") || strings.Count(n, " ") > 3 {
			return false
		}
	}
	return len(names) > 1
}

// cells splits a row; a quoted cell may hold the separator.
func cells(row string, sep byte) (out []string, ok bool) {
	for {
		row = strings.TrimLeft(row, " ")
		if strings.HasPrefix(row, `"`) {
			var b strings.Builder
			i := 1
			for ; i < len(row); i++ {
				if row[i] == '"' {
					if i+1 >= len(row) || row[i+1] != '"' {
						break
					}
					i++
				}
				b.WriteByte(row[i])
			}
			if i >= len(row) {
				return nil, false
			}
			out = append(out, b.String())
			row = strings.TrimLeft(row[i+1:], " ")
			if row == "" {
				return out, true
			}
			if row[0] != sep {
				return nil, false
			}
			row = row[1:]
			continue
		}
		i := strings.IndexByte(row, sep)
		if i < 0 {
			return append(out, strings.TrimSpace(row)), true
		}
		out = append(out, strings.TrimSpace(row[:i]))
		row = row[i+1:]
	}
}

// readKeyValue reads lines of "key: value" or "key=value", where most lines are
// such; the others are text.
func readKeyValue(b *builder, root int32) bool {
	pairs, lines := 0, 0
	if n := strings.Count(b.text, "\n"); n > 8 {
		b.doc.Leaves = slices.Grow(b.doc.Leaves, n+1)
		b.doc.Nodes = slices.Grow(b.doc.Nodes, n+1)
	}
	for at := 0; at < len(b.text); {
		n := strings.IndexByte(b.text[at:], '\n')
		if n < 0 {
			n = len(b.text) - at
		}
		text := strings.TrimRight(b.text[at:at+n], "\r ")
		body := strings.TrimLeft(text, " \t")
		start := at + len(text) - len(body)
		at += n + 1
		if body == "" {
			continue
		}
		if lines++; lines > 8 && 2*pairs < lines {
			return false
		}
		key, value, ok := cutPair(body)
		if !ok {
			b.leaf(Prose, body, start, start+len(body), root)
			continue
		}
		if pairs++; pairs == 1 {
			b.object(root)
		}
		kid := b.node(root, key, -1)
		b.key(key, start, start+len(key), kid)
		if value != "" {
			b.leaf(String, value, start+len(body)-len(value), start+len(body), kid)
		}
	}
	return pairs >= 2 && 3*pairs >= 2*lines
}

func cutPair(body string) (key, value string, ok bool) {
	i := strings.IndexAny(body, ":=")
	if i <= 0 || i > 40 {
		return "", "", false
	}
	key, value = strings.TrimSpace(body[:i]), strings.TrimSpace(body[i+1:])
	if strings.HasPrefix(value, "//") || strings.Count(key, " ") > 3 || strings.ContainsAny(key, ".,;!?<>(){}\"'/") {
		return "", "", false
	}
	return key, value, true
}
