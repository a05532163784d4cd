package planyaml

import (
	"errors"
	"strings"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/plan"
)

// literal turns a node into a value in which "${" and "$ref" mean nothing: an
// output, a default.
func (d *decoder) literal(n *node) plan.Value {
	v := plan.Value{Kind: n.kind, Text: n.text, Pos: n.pos}
	if len(n.items) > 0 {
		v.Items = make([]plan.Value, len(n.items))
		for i := range n.items {
			v.Items[i] = d.literal(&n.items[i])
		}
	}
	if len(n.keys) > 0 {
		v.Keys = make([]string, len(n.keys))
		for i := range n.keys {
			v.Keys[i] = n.keys[i].text
		}
	}
	return v
}

// argument turns a node into a value with its references.
func (d *decoder) argument(n *node) plan.Value {
	switch n.kind {
	case plan.String:
		return d.template(n)
	case plan.Object:
		if v, ok := d.special(n); ok {
			return v
		}
	}
	v := plan.Value{Kind: n.kind, Text: n.text, Pos: n.pos}
	if len(n.items) > 0 {
		v.Items = make([]plan.Value, len(n.items))
		for i := range n.items {
			v.Items[i] = d.argument(&n.items[i])
		}
	}
	if len(n.keys) > 0 {
		v.Keys = make([]string, len(n.keys))
		for i := range n.keys {
			v.Keys[i] = n.keys[i].text
			if plan.IsEscapedKey(v.Keys[i]) {
				v.Keys[i] = v.Keys[i][1:]
			}
		}
	}
	return v
}

// template reads a string with references in it.
func (d *decoder) template(n *node) plan.Value {
	v := plan.Value{Kind: plan.String, Text: n.text, Pos: n.pos}
	if !strings.Contains(n.text, "${") {
		return v
	}
	refs, err := plan.ParseRefs(n.text)
	if err != nil {
		d.refErrors(n, err)
		return v
	}
	places := d.within(n)
	for i := range refs {
		refs[i].Pos = places.part(refs[i].Start, refs[i].End)
	}
	v.Text, refs = plan.Unescape(n.text, refs)
	if len(refs) > 0 {
		v.Ext = &plan.Ext{Refs: refs}
	}
	return v
}

func (d *decoder) refErrors(n *node, err error) {
	var all plan.RefErrors
	if !errors.As(err, &all) {
		d.fail(n.pos, "", "%s", err)
		return
	}
	places := d.within(n)
	for _, e := range all {
		pos := n.pos
		if n.style != block {
			pos = places.part(e.Offset, min(e.Offset+2, len(n.text)))
		}
		d.fail(pos, e.Hint, "%s", e.Message)
	}
}

// special reads {$ref: ...} and {$unknown: ...}.
func (d *decoder) special(n *node) (plan.Value, bool) {
	for _, k := range n.keys {
		switch k.text {
		case plan.RefKey:
			return d.wholeRef(n), true
		case plan.UnknownKey:
			return d.unknown(n), true
		}
	}
	return plan.Value{}, false
}

type wholeRef struct {
	refs []plan.Ref
	via  string
}

// wholeRef reads the mapping form of a reference. Without a transform it is the
// same value as the string "${...}".
func (d *decoder) wholeRef(n *node) plan.Value {
	var w wholeRef
	decode(d, n, refObject, &w)
	v := plan.Value{Kind: plan.String, Pos: n.pos}
	if len(w.refs) == 0 {
		return v
	}
	if len(w.refs) > 1 && w.via == "" {
		d.fail(n.pos, "name what joins them, as in via: jq", "several references without via")
	}
	var text strings.Builder
	for i := range w.refs {
		ref := &w.refs[i]
		ref.Via = w.via
		ref.Whole = len(w.refs) == 1
		ref.Start = text.Len()
		text.WriteString(ref.String())
		ref.End = text.Len()
	}
	v.Text = text.String()
	v.Ext = &plan.Ext{Refs: w.refs}
	return v
}

// bareRef reads a reference without braces; braces around it are allowed.
func (d *decoder) bareRef(n *node) (plan.Ref, bool) {
	text, shift := n.text, 0
	if strings.HasPrefix(text, "${") && strings.HasSuffix(text, "}") {
		text, shift = text[2:len(text)-1], 2
	}
	trimmed := strings.TrimSpace(text)
	ref, err := plan.ParseRef(trimmed)
	if err != nil {
		d.fail(n.pos, "write id.output.path", "%s", err)
		return ref, false
	}
	shift += strings.Index(text, trimmed)
	ref.Pos = n.pos
	if n.style != block {
		ref.Pos = d.within(n).part(shift, shift+len(trimmed))
	}
	return ref, true
}

func (d *decoder) unknown(n *node) plan.Value {
	u := &plan.UnknownSource{}
	for i := range n.keys {
		switch n.keys[i].text {
		case plan.UnknownKey:
			decode(d, &n.items[i], unknownObject, u)
		default:
			d.fail(n.keys[i].pos, "write $$unknown for a key of that name", "$unknown stands alone in its mapping, not beside %q", n.keys[i].text)
		}
	}
	return plan.Value{Kind: plan.UnknownValue, Pos: n.pos, Ext: &plan.Ext{Unknown: u}}
}

// The readers of fields. Each reports a wrong type once and then returns the
// zero value.

func (d *decoder) wrong(n *node, want string) {
	hint := ""
	if want == "a string" && (n.kind == plan.Number || n.kind == plan.Bool) {
		hint = "put it in quotes"
	}
	d.fail(n.pos, hint, "%s must be %s, not %s", d.field, want, n.kindName())
}

func (d *decoder) str(n *node) string {
	if n.kind != plan.String {
		d.wrong(n, "a string")
		return ""
	}
	return n.text
}

func (d *decoder) boolean(n *node) bool {
	if n.kind != plan.Bool {
		d.wrong(n, "true or false")
		return false
	}
	return n.text == "true"
}

// maxInt is the greatest number that a field may have.
const maxInt = 1_000_000_000

func (d *decoder) integer(n *node) int {
	if n.kind != plan.Number {
		d.wrong(n, "a number")
		return 0
	}
	value := 0
	for _, c := range n.text {
		value = value*10 + int(c-'0')
		if c < '0' || c > '9' || value > maxInt {
			d.fail(n.pos, "", "%s must be a whole number from 0 to %d, not %s", d.field, maxInt, n.text)
			return 0
		}
	}
	return value
}

// strings reads a list of strings, or one string as a list of one.
func (d *decoder) strings(n *node) []string {
	var out []string
	d.each(n, func(item *node) { out = append(out, item.text) })
	return out
}

// each visits the strings of a list, or the one string.
func (d *decoder) each(n *node, visit func(item *node)) {
	if n.kind == plan.String {
		visit(n)
		return
	}
	if n.kind != plan.List {
		d.wrong(n, "a list of strings")
		return
	}
	for i := range n.items {
		if n.items[i].kind != plan.String {
			d.wrong(&n.items[i], "a list of strings")
			continue
		}
		visit(&n.items[i])
	}
}

func (d *decoder) stringMap(n *node) map[string]string {
	if n.kind != plan.Object {
		d.wrong(n, "a mapping of strings")
		return nil
	}
	if len(n.items) == 0 {
		return nil
	}
	out := make(map[string]string, len(n.items))
	for i := range n.items {
		if n.items[i].kind != plan.String {
			d.wrong(&n.items[i], "a mapping of strings")
			continue
		}
		out[n.keys[i].text] = n.items[i].text
	}
	return out
}

// enum reads one of the words that a field allows.
func (d *decoder) enum(n *node, allowed []string) string {
	if n.kind != plan.String {
		d.wrong(n, "a string")
		return ""
	}
	for _, word := range allowed {
		if n.text == word {
			return word
		}
	}
	d.fail(n.pos, spell.Hint(n.text, allowed), "unknown %s %q", d.field, n.text)
	return ""
}
