package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// promptText is one text of the user's with its words.
type promptText struct {
	text   string
	before int
	words  []fields.Word
	topics []uint64
	// owners are names before the s of what is theirs, written without a mark:
	// "Kims list".
	owners []uint64
	// small: it begins with a small letter, so that names may do so too.
	small bool
	// joined are its names, nil until they are asked for.
	joined []string
	atoms  []promptAtom
}

type promptAtom struct {
	kind fields.AtomKind
	text string
}

// hear reads the user's words.
func (a *analysis) hear() {
	var texts []string
	for i := range a.plan.Texts {
		if t := &a.plan.Texts[i]; t.Kind == plan.TextUser {
			a.prompt = append(a.prompt, a.newPrompt(t))
			for _, w := range a.prompt[len(a.prompt)-1].words {
				if w.Len() >= 4 {
					a.stems[stemOf(t.Text[w.Start:w.End])] = true
				}
			}
			texts = append(texts, t.Text)
		}
	}
	a.request = newRequest(texts)
	a.delegates = delegates(texts)
}

// names are those that the text says, each written as one word.
func (p *promptText) names() []string {
	if p.joined == nil {
		p.joined = joined(p.text, p.words)
	}
	return p.joined
}

func (a *analysis) newPrompt(t *plan.Text) promptText {
	a.words = fields.AppendWords(a.words[:0], t.Text)
	p := promptText{text: t.Text, before: t.Before, words: slices.Clone(a.words)}
	p.topics = topicsOf(t.Text, p.words)
	p.small = len(p.words) > 0 && !p.words[0].Capital()
	for _, w := range p.words {
		if name, ok := strings.CutSuffix(t.Text[w.Start:w.End], "s"); ok && w.Capital() && len(name) >= 3 {
			a.words = fields.AppendWords(a.words[:0], name)
			p.owners = append(p.owners, a.words[0].Hash)
		}
	}
	fields.Atoms(t.Text, func(at fields.Atom) {
		a.places = a.places || at.Kind == fields.URL || at.Kind == fields.File
		p.atoms = append(p.atoms, promptAtom{at.Kind, fields.Bare(t.Text[at.Start:at.End])})
	})
	return p
}
