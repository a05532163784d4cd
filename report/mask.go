package report

import (
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// masker knows which values of a plan must not be printed.
type masker struct {
	p *finding.PlanReport
	// labelled holds the argument values that confidential data reached by value
	// or resource.
	labelled map[*plan.Value]bool
	// spans are places in the source that hold such a value, by line.
	spans map[int32][]plan.Position
}

func newMasker(p *finding.PlanReport) *masker {
	m := &masker{p: p, labelled: map[*plan.Value]bool{}, spans: map[int32][]plan.Position{}}
	if p.Plan == nil {
		return m
	}
	for i := range p.Plan.Calls {
		m.slots(i)
		m.args(i)
		m.output(i)
	}
	for i := range p.Findings {
		m.matches(p.Findings[i].Flow)
	}
	return m
}

// confidential is what must not be seen: every label but those of integrity.
func (m *masker) confidential(s taint.Set) bool {
	if m.p.Universe == nil {
		return s != 0
	}
	return s.Without(m.p.Universe.Integrity()) != 0
}

func (m *masker) slots(call int) {
	if m.p.Labels == nil {
		return
	}
	facts := m.p.Labels.Graph().Facts(call)
	for k := range facts.Slots {
		if !m.confidential(m.p.Labels.Slot(call, k, taint.Resource)) {
			continue
		}
		for _, v := range facts.Slots[k].Values() {
			m.mark(v)
		}
	}
}

// mark marks the scalars in a value; one that only refers to other values shows
// nothing of them.
func (m *masker) mark(v *plan.Value) {
	if len(v.Refs()) == 0 && v.Kind != plan.Object && v.Kind != plan.List {
		m.labelled[v] = true
	}
	for i := range v.Items {
		m.mark(&v.Items[i])
	}
}

func (m *masker) args(call int) {
	m.walk(&m.p.Plan.Calls[call].Args, "")
}

func (m *masker) walk(v *plan.Value, key string) {
	if secretKey(key) && len(v.Refs()) == 0 && v.Kind != plan.Object && v.Kind != plan.List {
		m.labelled[v] = true
	}
	if m.labelled[v] {
		m.hide(v.Pos)
	}
	for i := range v.Items {
		below := key
		if v.Kind == plan.Object {
			below = v.Keys[i]
		}
		m.walk(&v.Items[i], below)
	}
}

// output hides recorded outputs that hold confidential data.
func (m *masker) output(call int) {
	c := &m.p.Plan.Calls[call]
	if !c.HasOutput() || m.p.Labels != nil && !m.confidential(m.p.Labels.Out(call)) {
		return
	}
	m.hide(c.OutputPos)
	c.Output.Walk(func(_ plan.Path, v *plan.Value) bool {
		if v.Kind != plan.Object && v.Kind != plan.List {
			m.hide(v.Pos)
		}
		return true
	})
}

// matches hides what was found to be a copy of confidential data.
func (m *masker) matches(f *taint.Flow) {
	if f == nil || !m.confidential(f.Labels) {
		return
	}
	for i := range f.Hops {
		if e := &f.Hops[i].Evidence; e.Kind == taint.ByMatch {
			m.hide(e.Pos)
		}
	}
}

func (m *masker) hide(pos plan.Position) {
	if pos.Known() {
		m.spans[pos.Line] = append(m.spans[pos.Line], pos)
	}
}

// line returns the source line with hidden places replaced by dots of the same
// length; a place of unknown length hides the rest of the line.
func (m *masker) line(text string, number int32) string {
	spans := m.spans[number]
	if len(spans) == 0 {
		return text
	}
	b := []byte(text)
	for _, s := range spans {
		from := max(int(s.Column)-1, 0)
		to := len(b)
		if s.Length > 0 {
			to = min(from+int(s.Length), len(b))
		}
		for i := from; i < to; i++ {
			b[i] = '.'
		}
	}
	return string(b)
}

// secretKey reports whether an argument's name says that its value is secret.
func secretKey(key string) bool {
	key = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(key))
	for _, word := range [...]string{"password", "passwd", "passphrase", "apikey", "secretkey", "privatekey", "accesstoken",
		"authtoken", "authorization", "clientsecret", "credential"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return key == "secret" || key == "token" || key == "pin"
}

// summary is a call's arguments in short, escaped: what fits of key=value, in
// the order of the file, without labelled and long values.
func (m *masker) summary(call, limit int) string {
	if m.p.Plan == nil || call >= len(m.p.Plan.Calls) {
		return ""
	}
	args := &m.p.Plan.Calls[call].Args
	if args.Kind != plan.Object {
		return m.short(args, limit)
	}
	out := ""
	for i := range args.Items {
		text := m.short(&args.Items[i], limit)
		if text == "" {
			continue
		}
		if args.Keys[i] != "command" || len(args.Items) > 2 {
			text = clip(args.Keys[i], 24) + "=" + text
		}
		if out != "" {
			if width(out)+1+width(text) > limit {
				continue
			}
			out += " "
		}
		out = cut(out+text, limit)
	}
	return out
}

// short is one value in short, empty where it is labelled.
func (m *masker) short(v *plan.Value, limit int) string {
	if m.labelled[v] {
		return ""
	}
	switch v.Kind {
	case plan.Object, plan.UnknownValue, plan.Null:
		return ""
	case plan.List:
		var parts []string
		for i := range v.Items {
			if part := m.short(&v.Items[i], limit); part != "" {
				parts = append(parts, part)
			}
			if i == 2 && len(v.Items) > 3 {
				parts = append(parts, "…")
				break
			}
		}
		return cut(strings.Join(parts, ","), limit)
	}
	return clip(v.Text, limit)
}
