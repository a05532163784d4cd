package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// argText is what an argument says, once it was asked for.
type argText struct {
	asked, ok bool
	texts     []string
}

// argTexts returns what an argument says. A missing argument says nothing; ok is
// false where a part of it is not known. The texts are shared: read only.
func (k *call) argTexts(arg int) (texts []string, ok bool) {
	if known := k.said[arg]; known.asked {
		return known.texts, known.ok
	}
	said := argText{asked: true, ok: !k.mixed}
	if slot := k.slotOf[arg]; slot >= 0 {
		for _, v := range k.given[slot].Values() {
			more, fine := k.valueTexts(v)
			if said.ok = said.ok && fine; said.texts == nil {
				said.texts = more
			} else {
				said.texts = append(said.texts[:len(said.texts):len(said.texts)], more...)
			}
		}
	}
	k.said[arg] = said
	return said.texts, said.ok
}

// valueTexts is Outputs.Texts, without an allocation for a plain text.
func (k *call) valueTexts(v *plan.Value) ([]string, bool) {
	if v.Kind == plan.String && v.Ext == nil {
		n := len(k.texts)
		k.texts = append(k.texts, v.Text)
		return k.texts[n : n+1 : n+1], true
	}
	return k.out.Texts(v)
}

// recipients reads the arguments that name who gets it.
func (k *call) recipients() {
	var out []string
	for _, i := range k.e.with[Recipient] {
		texts, ok := k.argTexts(i)
		k.r.RecipientsOpen = k.r.RecipientsOpen || !ok
		for _, text := range texts {
			addrs, ok := k.addressesIn(text)
			k.r.RecipientsOpen = k.r.RecipientsOpen || !ok
			if out == nil {
				out = addrs
			} else {
				out = append(slices.Clip(out), addrs...)
			}
		}
	}
	if len(out) > 0 {
		k.extend().Recipients = unique(out)
	}
}

// unique drops repetitions, keeping the order.
func unique(names []string) []string {
	if len(names) < 2 {
		return names
	}
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(n string) bool {
		dup := seen[n]
		seen[n] = true
		return dup
	})
}

// hosts reads the addresses that the call contacts.
func (k *call) hosts() {
	for _, i := range k.e.with[URL] {
		texts, ok := k.argTexts(i)
		k.r.HostsOpen = k.r.HostsOpen || !ok && !k.oneTextEach(i)
		for _, text := range texts {
			k.addHost(text)
		}
	}
	k.onlyOnce()
}

// host adds a host that the call contacts.
func (k *call) host(name string) {
	rare := k.extend()
	if rare.Hosts == nil {
		rare.Hosts = k.slabs.texts.take(1)[:0]
	}
	rare.Hosts = append(rare.Hosts, name)
}

// onlyOnce drops the hosts that were added before.
func (k *call) onlyOnce() {
	if k.r.Rare != nil {
		k.r.Rare.Hosts = unique(k.r.Rare.Hosts)
	}
}

// addHost adds the host of an address; a text without scheme is taken for one
// of https, as fetchers do.
func (k *call) addHost(text string) {
	host, ok := HostOf(text)
	if host == "" && !ok {
		if host, ok = HostOf("https://" + text); !strings.Contains(host, ".") && host != "localhost" {
			ok = false
		}
	}
	k.r.HostsOpen = k.r.HostsOpen || !ok || openHost(text)
	if host != "" && !strings.Contains(host, Hole) {
		k.host(host)
	}
}

// openHost reports whether something that is not known stands where it can change
// an address's host: before the "/", "?" or "#" that ends it. In
// "https://x.example/a?q=${mail.output}" nothing does.
func openHost(text string) bool {
	head, _, hole := strings.Cut(text, Hole)
	if !hole {
		return false
	}
	if _, after, ok := strings.Cut(head, "://"); ok {
		head = after
	}
	return strings.IndexAny(head, "/?#") <= 0
}

// oneTextEach reports whether each value of an argument is one text, though parts
// of it may not be known.
func (k *call) oneTextEach(arg int) bool {
	if k.mixed {
		return false
	}
	for _, v := range k.given[k.slotOf[arg]].Values() {
		refs := v.Refs()
		if v.Kind != plan.String || len(refs) == 0 || refs[0].Whole {
			return false
		}
	}
	return true
}

// paths reads the arguments that name files.
func (k *call) paths() {
	for _, i := range k.e.files {
		if a := &k.e.c.Args[i]; a.Role == Path {
			k.pathArg(i, a)
		} else {
			k.patchArg(i)
		}
	}
	k.r.Paths = k.keepUses()
}

func (k *call) pathArg(i int, a *Arg) {
	base, baseKnown := k.base(a)
	use := PathUse{Access: a.Access, Tree: a.Tree, Glob: a.Glob, Append: a.Append, Command: -1}
	texts, ok := k.argTexts(i)
	if k.slotOf[i] < 0 && ok {
		if a.Tree && baseKnown {
			k.addUse(".", base, use, a)
		}
		return
	}
	for _, text := range texts {
		if !baseKnown {
			text = Hole + text
		}
		k.addUse(text, base, use, a)
	}
	if !ok && !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, Hole) }) {
		k.addUse(Hole, "", use, a)
	}
}

// base returns the folder that the first given argument of those that Base names
// says; "" is the working directory.
func (k *call) base(a *Arg) (dir string, known bool) {
	if a.Base == "" {
		return "", true
	}
	for _, name := range strings.Split(a.Base, "|") {
		i := slices.Index(k.e.names, name)
		if i < 0 || k.slotOf[i] < 0 && !k.mixed {
			continue
		}
		texts, ok := k.argTexts(i)
		if len(texts) == 0 {
			if !ok {
				return "", false
			}
			continue
		}
		return texts[0], ok && len(texts) == 1
	}
	return "", true
}

func (k *call) addUse(text, base string, use PathUse, a *Arg) {
	use = k.places.use(text, base, use)
	use.Glob = use.Glob && strings.ContainsAny(use.Path, `*?[{`)
	k.uses = append(k.uses, use)
	if use.Known {
		return
	}
	name := "a path"
	if a != nil {
		name = fmt.Sprintf("argument %q", a.Path)
	}
	if use.Access&^Read != 0 {
		k.note(NoteWritePath, true, name+": the path that is written is not known")
	} else {
		k.note(NoteReadPath, false, name+": the path that is read is not known")
	}
}

func (k *call) patchArg(i int) {
	texts, ok := k.argTexts(i)
	if len(texts) == 0 && ok {
		return
	}
	for _, text := range texts {
		files, err := ParsePatch(text)
		for _, f := range files {
			k.addUse(f.Path, "", PathUse{Access: f.Access, Append: f.Append, Command: -1}, nil)
		}
		if err != nil {
			k.note(NotePatch, true, fmt.Sprintf("patch: %v", err))
			ok = false
		}
	}
	if !ok {
		k.addUse(Hole, "", PathUse{Access: Write | Delete, Command: -1}, nil)
	}
}

// principals fills an audience's templates. ok is false where one is not known;
// a missing argument gives none.
func (k *call) principals(templates []template) (names []string, ok bool) {
	for _, t := range templates {
		more, ok := k.fill(t)
		if !ok {
			return nil, false
		}
		if names == nil {
			names = more
		} else {
			names = append(slices.Clip(names), more...)
		}
	}
	return names, true
}

// fill returns the names that a template stands for.
func (k *call) fill(t template) ([]string, bool) {
	if t.whole {
		return k.hole(t, t.parts[0])
	}
	return t.names(func(p templatePart) ([]string, bool) { return k.hole(t, p) })
}

// hole returns the values for one hole of a template.
func (k *call) hole(t template, p templatePart) (texts []string, ok bool) {
	role := RoleNone
	if p.from == fromOutput {
		var v *plan.Value
		if v, ok = k.out.At(k.i, p.path); ok {
			texts, ok = k.out.Texts(v)
		}
	} else {
		texts, role, ok = k.argHole(p)
	}
	if !ok && t.whole {
		return k.symbols(p)
	}
	if !ok {
		return nil, false
	}
	if !t.whole {
		return texts, t.fits(texts)
	}
	var names []string
	for _, text := range texts {
		if role != Recipient && !strings.Contains(text, "@") {
			names = append(names, strings.TrimSpace(text))
			continue
		}
		addrs, ok := k.addressesIn(text)
		switch {
		case !ok:
			return nil, false
		case names == nil:
			names = addrs
		default:
			names = append(slices.Clip(names), addrs...)
		}
	}
	return names, true
}

// spelledOut is what SplitAddresses makes of a text.
type spelledOut struct {
	text  string
	names []string
}

// addressesIn is SplitAddresses; most calls name one of few.
func (r *resolver) addressesIn(text string) (names []string, ok bool) {
	known := &r.spelled[r.placeOf(text)%maxAudiences]
	if known.text == text && known.names != nil {
		return known.names, true
	}
	if names, ok = SplitAddresses(text); ok && len(names) == 1 {
		*known = spelledOut{text, slices.Clip(names)}
	}
	return names, ok
}

// argHole reads a declared argument; for a policy's own sink, of a tool that
// does not declare it, the argument as it stands.
func (k *call) argHole(p templatePart) (texts []string, role Role, ok bool) {
	if p.arg >= 0 {
		texts, ok = k.argTexts(p.arg)
		return texts, k.e.c.Args[p.arg].Role, ok
	}
	if i := slices.Index(k.e.names, p.name); i >= 0 {
		texts, ok = k.argTexts(i)
		return texts, k.e.c.Args[i].Role, ok
	}
	v, found := descend(&k.c.Args, p.path)
	if !found {
		return nil, RoleNone, len(k.c.Args.Refs()) == 0
	}
	texts, ok = k.out.Texts(v)
	return texts, RoleNone, ok
}

// fits reports whether the values can't be taken for the template's own text:
// an owner "acme/site" must not pass for owner acme and repository site.
func (t template) fits(texts []string) bool {
	for _, text := range texts {
		if text == "" || strings.Contains(text, Hole) {
			return false
		}
		for _, p := range t.parts {
			if p.from == literal && p.text != t.prefix() && strings.Contains(text, p.text) {
				return false
			}
		}
	}
	return true
}

// audience returns who will see what leaves by the contract's sinks.
func (k *call) audience(kinds taint.SinkKind) taint.Audience {
	if len(k.e.audience) > 0 {
		return k.seenBy(k.e.audience)
	}
	hostOnly := k.e.has(URL) && !k.e.has(Recipient) && kinds == taint.SinkExternal
	if !hostOnly || k.r.HostsOpen {
		return taint.Audience{}
	}
	return k.audienceOf(k.r.Hosts())
}

func (k *call) seenBy(templates []template) taint.Audience {
	names, ok := k.principals(templates)
	if !ok || len(names) == 0 {
		return taint.Audience{}
	}
	return k.audienceOf(names)
}

// maxAudiences is how many audiences of one name are remembered, a power of two.
const maxAudiences = 16

// namedAudience is the audience of one name, none while that is empty.
type namedAudience struct {
	name     string
	audience taint.Audience
}

// audienceOf returns the audience of principals; most calls have one of a few.
func (r *resolver) audienceOf(names []string) taint.Audience {
	if len(names) != 1 || names[0] == "" {
		return taint.AudienceOf(r.reg.groups.audience(names)...)
	}
	known := &r.audiences[r.placeOf(names[0])%maxAudiences]
	if known.name != names[0] {
		*known = namedAudience{names[0], taint.AudienceOf(r.reg.groups.audience(names)...)}
	}
	return known.audience
}
