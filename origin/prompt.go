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
	// places are where each word stands, in words: up to maxPlaces.
	places map[uint64][]int32
	// owners are names before the s of what is theirs, written without a mark:
	// "Kims list".
	owners []uint64
	// small: it begins with a small letter, so that names may do so too.
	small bool
	// joined are its names, nil until they are asked for.
	joined map[string]bool
	atoms  []promptAtom
	// hosts are those of its web addresses; of a host that everybody has pages on, with
	// the first part of the path.
	hosts map[string]bool
}

type promptAtom struct {
	kind fields.AtomKind
	text string
}

// maxPlaces bounds the places of one word that are looked at.
const maxPlaces = 256

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
func (p *promptText) names() map[string]bool {
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
	p.places = make(map[uint64][]int32, len(p.words))
	for i, w := range p.words {
		if at := p.places[w.Hash]; len(at) < maxPlaces {
			p.places[w.Hash] = append(at, int32(i))
		}
		if name, ok := strings.CutSuffix(t.Text[w.Start:w.End], "s"); ok && w.Capital() && len(name) >= 3 {
			a.words = fields.AppendWords(a.words[:0], name)
			p.owners = append(p.owners, a.words[0].Hash)
		}
	}
	fields.Atoms(t.Text, func(at fields.Atom) {
		a.places = a.places || at.Kind == fields.URL || at.Kind == fields.File
		p.atoms = append(p.atoms, promptAtom{at.Kind, fields.Bare(t.Text[at.Start:at.End])})
		if at.Kind == fields.URL {
			if p.hosts == nil {
				p.hosts = map[string]bool{}
			}
			p.hosts[ownerOf(t.Text[at.Start:at.End], maxOwner)] = true
		}
	})
	return p
}
