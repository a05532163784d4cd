package origin

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// A run of so many words that content shares with a private field is a copy of
// it; at most maxRuns are looked for a call.
const (
	runWords = 6
	maxRuns  = 64
)

// runs adds the runs of words of content, end to end, where some contract of the
// plan has private fields.
func (a *analysis) addRuns(i int, v *plan.Value) {
	if !a.private {
		return
	}
	a.addRunsOf(i, v.Text)
	for _, view := range a.decoder.Views(v.Text) {
		a.addRunsOf(i, view.Text)
	}
}

func (a *analysis) addRunsOf(i int, text string) {
	words := fields.AppendWords(nil, text)
	for at := 0; at+runWords <= len(words) && len(a.runs[i]) < maxRuns; at += runWords {
		a.runs[i] = append(a.runs[i], a.add(words[at:at+runWords]).run)
	}
}

// stranger asks whether private content of a record goes to somebody who stands
// neither in that record nor in the user's words.
func (j *judgement) stranger() {
	if !j.private || j.f.Acts&(Send|Publish|Grant) == 0 {
		return
	}
	for _, run := range j.runs[j.i] {
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
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if j.role(p) != Target || p.From&FromUser != 0 || p.Inside {
			continue
		}
		inside := false
		j.hits(p.phrase.run, func(_ int32, l *leaf) bool {
			inside = l.record == rec && l.kind != Text
			return !inside
		})
		if !inside {
			return k
		}
	}
	return -1
}
