package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Bounds on passwords that command lines give: a shorter one is met everywhere
// by chance, and of more than maxTyped the first count. One that is not followed
// is only lost as a value; files and outputs that hold it keep their labels.
const (
	minTyped = 8
	maxTyped = 64
)

// typedSecret is a password that a command line gave to a program: curl -u,
// docker login -p, PGPASSWORD=...
type typedSecret struct {
	value string
	hosts []string // which the line contacts: there it may be given again
	call  int
}

// typedSecrets labels arguments that hold a password which an earlier command
// line gave to a program, and remembers those of this call. Giving it to the
// same program for the same hosts again is what it is for.
func (k *call) typedSecrets() {
	var own []string
	if k.r.Script() != nil {
		own = k.r.Script().Secrets()
	}
	if len(k.typed) > 0 {
		for s := range k.r.Facts.Slots {
			slot := &k.r.Facts.Slots[s]
			for _, v := range slot.Values() {
				k.typedIn(slot, v, own)
			}
		}
	}
	for _, value := range own {
		known := slices.ContainsFunc(k.typed, func(t typedSecret) bool { return t.value == value })
		if len(value) >= minTyped && !known && len(k.typed) < maxTyped {
			k.typed = append(k.typed, typedSecret{value: value, hosts: slices.Clone(k.r.Hosts()), call: k.i})
		}
	}
}

// typedIn labels a slot by a value that holds a typed password, plainly or encoded.
func (k *call) typedIn(slot *taint.Slot, v *plan.Value, own []string) {
	v.Walk(func(_ plan.Path, part *plan.Value) bool {
		if part.Kind != plan.String || len(part.Text) < minTyped {
			return true
		}
		texts := []string{part.Text}
		for _, view := range fields.Views(part.Text) {
			texts = append(texts, view.Text)
		}
		for i := range k.typed {
			t := &k.typed[i]
			if slices.ContainsFunc(texts, func(text string) bool { return k.leaksTyped(t, text, own) }) {
				why := fmt.Sprintf("the password that the command of call %d was given, in argument %s", t.call+1, slot.Name)
				slot.AddSources(k.reg.sources(taint.Of(taint.Credential), nil, why)...)
			}
		}
		return true
	})
}

// leaksTyped reports whether a text holds the password elsewhere than where this
// line too gives it to a program of the same hosts.
func (k *call) leaksTyped(t *typedSecret, text string, own []string) bool {
	if slices.Contains(own, t.value) && !k.r.HostsOpen && !slices.ContainsFunc(k.r.Hosts(), func(h string) bool { return !slices.Contains(t.hosts, h) }) {
		// Once for each time that it is given.
		for _, mine := range own {
			if mine == t.value {
				text = strings.Replace(text, t.value, "", 1)
			}
		}
	}
	return strings.Contains(text, t.value)
}
