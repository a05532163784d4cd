package tool

import (
	"path"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// An address in a page or a Markdown text is fetched by whoever looks at it, an
// image without a click. What stands in such an address leaves with it, so a
// call that writes one is an external sink, for data that is known to be in the
// address: that something secret was in the context says nothing of a link. An
// address that viewers fetch by themselves (an image, a schema) and that has a
// query is made to carry something, so there the context counts too.

// maxAddresses bounds the addresses of one text that become sinks of their own;
// the rest of the text is one.
const maxAddresses = 64

// renders reports whether viewers of a file fetch the addresses in it.
func renders(u *PathUse) bool {
	if u.Access&Write == 0 {
		return false
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml", ".svg", ".rst", ".adoc", ".css",
		".json", ".jsonc", ".json5": // editors fetch the address of $schema
		return true
	}
	return false
}

// rendered adds the sinks of addresses that the call writes into pages.
func (k *call) rendered() {
	if !k.writesPage() {
		return
	}
	k.moreSlots()
	for slot, n := 0, len(k.given); slot < n; slot++ {
		if role := roleOf(&k.given[slot]); role != Content && role != Patch {
			continue
		}
		for _, v := range k.given[slot].Values() {
			v.Walk(func(_ plan.Path, v *plan.Value) bool {
				if v.Kind == plan.String {
					k.addresses(v, slot)
				}
				return true
			})
		}
	}
	k.keepSlots()
}

func (k *call) writesPage() bool {
	for i := range k.r.Paths {
		if renders(&k.r.Paths[i]) {
			return true
		}
	}
	return false
}

func (k *call) addresses(v *plan.Value, slot int) {
	rest := v.Text
	for n := 0; ; n++ {
		at := strings.Index(rest, "://")
		if at < 0 {
			return
		}
		start := at
		for start > 0 && nameByte(rest[start-1], true) {
			start--
		}
		end := at + 3
		for end < len(rest) && !strings.ContainsRune(" \t\r\n)\"'<>]`", rune(rest[end])) {
			end++
		}
		address := rest[start:end]
		sent := fetched(rest[:start]) && strings.Contains(address, "?")
		if n == maxAddresses {
			address, end = rest[start:], len(rest)
		}
		own := k.newSlot(k.given[slot].Name, RoleNone)
		k.put(&plan.Value{Kind: plan.String, Text: address, Ext: v.Ext, Pos: v.Pos}, own)
		k.step.Sinks = append(k.step.Sinks, taint.Sink{
			Kinds: taint.SinkExternal, Audience: k.hostAudience(address), UnknownTool: !sent,
			From: []taint.Operand{fromSlot(own)},
		})
		rest = rest[end:]
	}
}

// maxLead is how far back the words are looked for that make a viewer fetch.
const maxLead = 256

// fetched reports whether viewers fetch by themselves the address that follows
// a text.
func fetched(before string) bool {
	before = before[max(0, len(before)-maxLead):]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if open := strings.LastIndex(before, "]("); open >= 0 && strings.Trim(before[open+2:], " <") == "" {
		image := strings.LastIndexByte(before[:open], '[')
		return image > 0 && before[image-1] == '!'
	}
	tail := strings.TrimRight(strings.ToLower(before), ` "'=:(`)
	for _, word := range []string{"src", "srcset", "url", "poster", "background", "$schema", "@import"} {
		if strings.HasSuffix(tail, word) {
			return true
		}
	}
	return false
}

func (k *call) hostAudience(address string) taint.Audience {
	host, ok := HostOf(address)
	if !ok || host == "" {
		return taint.Audience{}
	}
	return k.audienceOf([]string{host})
}

// page adds the sinks of addresses that a command writes into a page.
func (l *lowering) page(f *shell.Flow, out *taint.Step) {
	for w := range f.Writes {
		u := PathUse{Path: f.Writes[w].Path, Access: Write}
		if f.Writes[w].Path == "" || f.Writes[w].Mode == shell.Remove || !renders(&u) {
			continue
		}
		st := &l.script.Steps[f.Step]
		for i := range st.Args {
			l.pageWord(&st.Args[i], out)
		}
		if st.Stdin.Kind == shell.FromText {
			l.pageWord(&st.Stdin.Word, out)
		}
		return
	}
}

// pageWord adds the sink of a word with an address: its text, and what other
// commands put into it.
func (l *lowering) pageWord(w *shell.Word, out *taint.Step) {
	if !strings.Contains(w.Text, "://") {
		return
	}
	from := []taint.Operand{l.word(w.Text)}
	for _, step := range w.Steps {
		from = append(from, taint.Operand{Kind: taint.FromStep, Index: int32(l.base + step)})
	}
	out.Sinks = append(out.Sinks, taint.Sink{Kinds: taint.SinkExternal, UnknownTool: true, From: from})
}
