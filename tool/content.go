package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// contentLabels labels outputs and arguments in which a secret, or what else the
// policy looks for, is recognised, whatever the tool. The evidence is the kind of
// secret and where it stands, never the value.
func (k *call) contentLabels() {
	scanner := k.reg.config.Content
	if scanner == nil {
		return
	}
	for s := range k.r.Facts.Slots {
		slot := &k.r.Facts.Slots[s]
		for _, v := range slot.Values() {
			k.argument(slot, v)
		}
	}
	if !k.c.HasOutput() || k.c.Outcome.DidNotRun() {
		return
	}
	if len(k.c.Output.Items) == 0 {
		k.outputText(nil, &k.c.Output)
		return
	}
	k.c.Output.Walk(func(path plan.Path, part *plan.Value) bool {
		k.outputText(path, part)
		return true
	})
}

// outputText labels the output, or a field of it, by what one of its texts holds.
func (k *call) outputText(path plan.Path, v *plan.Value) {
	if v.Kind != plan.String || len(v.Text) < minContent {
		return
	}
	found := k.reg.config.Content.Scan(v.Text)
	k.keepSecrets(found, v.Text)
	if len(path) == 0 && (len(found) > 0 || strings.IndexByte(v.Text, '\\') >= 0) {
		found = k.inFields(found, v.Text)
	}
	if len(found) > 0 {
		k.labelOutput(path, found)
	}
}

// labelOutput labels the output, or a field of it, by what was found there.
func (k *call) labelOutput(path plan.Path, found []content.Match) {
	f, sources := k.r.Facts, k.contentSources(found, "the output")
	if len(path) == 0 {
		f.Extend().Output = append(slices.Clip(f.Output()), sources...)
		return
	}
	f.Extend().Fields = append(slices.Clip(f.Fields()), taint.Field{Path: path.Clone(), Sources: sources})
}

// maxLookups bounds the bytes of fields that are looked through for what was found in
// all of an output; beyond it all of the output has the label.
const maxLookups = 1 << 24

// inFields labels the fields of an output that is JSON or Python's in a text by what
// stands in them, escapes read, and returns what was found in the text and is in none.
func (k *call) inFields(found []content.Match, text string) (rest []content.Match) {
	d := fields.Parse(text)
	if d.Cut || d.Format != fields.JSON && d.Format != fields.Python {
		return found
	}
	in := make([][]content.Match, len(d.Leaves))
	known := map[string]bool{}
	for l := range d.Leaves {
		leaf := d.Leaves[l].Text
		in[l] = k.reg.config.Content.Scan(leaf)
		k.keepSecrets(in[l], leaf)
		for _, m := range in[l] {
			known[leaf[m.Start:m.End]] = true
		}
	}
	budget := maxLookups
	for _, m := range found {
		value := text[m.Start:m.End]
		if known[value] {
			continue
		}
		lies := false
		for l := 0; l < len(d.Leaves) && budget > 0; l++ {
			budget -= len(d.Leaves[l].Text) + 1
			if at := strings.Index(d.Leaves[l].Text, value); at >= 0 {
				m.Start, m.End = at, at+len(value)
				in[l], lies = append(in[l], m), true
			}
		}
		if known[value] = lies && budget > 0; !known[value] {
			rest = append(rest, m)
		}
	}
	f := k.r.Facts
	labelled := slices.Clone(f.Fields())
	for l, matches := range in {
		if len(matches) == 0 {
			continue
		}
		if path := match.PathOf(d, int32(l)); len(path) == 0 {
			rest = append(rest, matches...)
		} else {
			labelled = append(labelled, taint.Field{Path: path, Sources: k.contentSources(matches, "the output")})
		}
	}
	if len(labelled) > len(f.Fields()) {
		f.Extend().Fields = labelled
	}
	return rest
}

// argument labels a slot by what a value of it holds, plainly, encoded, or as a
// piece of a secret that an earlier output showed.
func (k *call) argument(slot *taint.Slot, v *plan.Value) {
	if len(v.Items) == 0 {
		k.argumentText(slot, v)
		return
	}
	v.Walk(func(_ plan.Path, part *plan.Value) bool {
		k.argumentText(slot, part)
		return true
	})
}

// argumentText looks at one text once: what stands in it first, then what it
// holds in some encoding.
func (k *call) argumentText(slot *taint.Slot, v *plan.Value) {
	if v.Kind != plan.String || len(v.Text) < minContent || k.isClean(v.Text) {
		return
	}
	before := len(slot.Sources())
	if found := k.reg.config.Content.Scan(v.Text); len(found) > 0 {
		slot.AddSources(k.contentSources(found, "argument "+slot.Name)...)
	}
	views := k.decoder.Views(v.Text)
	turned := len(k.secrets) > 0 || slices.ContainsFunc(views, fields.View.Turned) && k.reg.config.Content.MayTurn(v.Text)
	for _, view := range views {
		if !turned && view.Turned() {
			continue
		}
		if found := k.reg.config.Content.Scan(view.Text); len(found) > 0 {
			slot.AddSources(k.contentSources(found, "argument "+slot.Name+" ("+view.Encoding+")")...)
		}
		k.pieces(slot, view.Text)
	}
	k.pieces(slot, v.Text)
	if len(slot.Sources()) == before {
		k.keepClean(v.Text)
	}
}

// The bounds of cleanTexts: how many texts, a power of two, and how long.
const (
	maxCleanTexts = 64
	maxCleanText  = 256
)

// cleanTexts are some of the arguments in which nothing was found, since calls
// repeat each other: a path, an address. A text has one place, the last counts.
type cleanTexts [maxCleanTexts]string

func (k *call) isClean(text string) bool {
	return len(text) <= maxCleanText && k.clean[k.placeOf(text)%maxCleanTexts] == text
}

func (k *call) keepClean(text string) {
	if len(text) <= maxCleanText {
		k.clean[k.placeOf(text)%maxCleanTexts] = text
	}
}

// pieceBytes is the length of the shortest piece of a secret that is recognised;
// maxSecrets bounds the bytes of all secrets that pieces are looked for of.
const (
	pieceBytes = 8
	maxSecrets = 1 << 16
)

// keepSecrets remembers the pieces of what was found in an output, so that a
// secret is known again where it is split over arguments or calls.
func (k *call) keepSecrets(found []content.Match, text string) {
	for _, m := range found {
		if m.Kind == content.Personal || len(k.secrets) >= maxSecrets {
			continue
		}
		k.clean = cleanTexts{} // a piece of this one may be in them
		if k.secrets == nil {
			k.secrets = map[[pieceBytes]byte]secretPiece{}
		}
		for at := m.Start; at+pieceBytes <= m.End && len(k.secrets) < maxSecrets; at++ {
			key := [pieceBytes]byte([]byte(text[at : at+pieceBytes]))
			if _, known := k.secrets[key]; !known {
				k.secrets[key] = secretPiece{id: m.ID, kind: m.Kind, call: k.i}
			}
		}
	}
}

type secretPiece struct {
	id   string
	kind content.Kind
	call int
}

// pieces labels a slot that holds a piece of a secret.
func (k *call) pieces(slot *taint.Slot, text string) {
	if len(k.secrets) == 0 {
		return
	}
	for at := 0; at+pieceBytes <= len(text); at++ {
		if p, ok := k.secrets[[pieceBytes]byte([]byte(text[at:at+pieceBytes]))]; ok {
			why := fmt.Sprintf("a piece of %s from the output of call %d in argument %s, byte %d", p.id, p.call+1, slot.Name, at)
			slot.AddSources(k.reg.sources(taint.Of(contentLabel(p.kind)), nil, why)...)
			return
		}
	}
}

// minContent is the length of the shortest text in which a secret is looked for.
const minContent = 8

// maxContentWhys is how many things that were found a text are named one by one.
const maxContentWhys = 8

// contentSources makes a source of each kind that was found, the first of them
// named with its place.
func (k *call) contentSources(found []content.Match, where string) (out []taint.Source) {
	seen := map[string]bool{}
	for _, m := range found {
		if seen[m.ID] || len(seen) == maxContentWhys {
			continue
		}
		seen[m.ID] = true
		why := fmt.Sprintf("%s in %s, bytes %d to %d", m.ID, where, m.Start, m.End)
		out = append(out, k.reg.sources(taint.Of(contentLabel(m.Kind)), nil, why)...)
	}
	return out
}

func contentLabel(kind content.Kind) taint.Label {
	switch kind {
	case content.Personal:
		return taint.PII
	case content.Canary:
		return taint.Secret
	}
	return taint.Credential
}
