package origin

import (
	"github.com/planlint/planlint/internal/fields"
)

// A run of so many words that content shares with a private field is a copy of
// it; at most maxRuns are looked for a call.
const (
	runWords = 6
	maxRuns  = 64
)

// leastRuns is the size in bytes from which a text can have a run.
const leastRuns = 2*runWords - 1

// addRuns adds the runs of words of a content, end to end.
func (a *analysis) addRuns(text string) {
	if len(text) < leastRuns {
		return
	}
	a.addRunsOf(text)
	for _, view := range a.corpus.Decoder.Views(text) {
		a.addRunsOf(view.Text)
	}
}

func (a *analysis) addRunsOf(text string) {
	a.words = fields.AppendWords(a.words[:0], text)
	for words := a.words; len(words) >= runWords && len(a.runs.Last()) < maxRuns; words = words[runWords:] {
		a.runs.Add(a.add(words[:runWords]).run)
	}
}

// stranger asks whether private content of a record goes to somebody who stands
// neither in that record nor in the user's words.
func (j *judgement) stranger() {
	if !j.private || j.f.Acts&(Send|Publish|Grant) == 0 {
		return
	}
	for _, run := range j.runs.Of(j.i) {
		outsider := -1
		j.hits(run, func(_ int32, l *leaf) bool {
			if l.private && j.available(l.call, j.i) {
				outsider = j.outsider(l.record)
			}
			return outsider < 0
		})
		if outsider >= 0 {
			j.raise(Stranger, outsider, "private content of a record goes to somebody outside of it")
			return
		}
	}
}

// outsider returns a recipient that is neither the user's choice nor in a record,
// -1 for none.
func (j *judgement) outsider(rec int32) int {
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Target || p.from&FromUser != 0 || p.inside {
			continue
		}
		inside := false
		j.hits(p.run, func(_ int32, l *leaf) bool {
			inside = l.record == rec && l.kind != Text
			return !inside
		})
		if !inside {
			return k
		}
	}
	return -1
}
