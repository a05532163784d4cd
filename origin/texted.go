package origin

import "unicode/utf8"

// overheard is how far the texts were looked through for a word for some acts.
type overheard struct {
	acts   Acts
	leaf   int
	spoken bool
}

// unheard are the acts that are not asked about where no text speaks of them. What
// is sent or handed in somewhere may be asked for in all too many words.
const unheard = Pay | Refund | Destroy | Revoke | Grant | ActSecret

// texted reports whether some third-party text that was read could have asked for
// the call: it has a word for such an act, is long, or not in English letters. What
// neither the user nor a text speaks of is how the model takes the user's words.
// Texts are looked through once for calls of the same acts.
func (j *judgement) texted() bool {
	if j.f.Acts&^unheard != 0 {
		return true
	}
	h, v := j.heardOf(j.f.Acts), vocabularyOnce()
	for ; !h.spoken && h.leaf < len(j.leaves); h.leaf++ {
		l := &j.leaves[h.leaf]
		if l.call != -1 && !j.available(l.call, j.i) {
			break
		}
		if text := j.text(int32(h.leaf)); l.kind == Text {
			h.spoken = len(text) > maxList || foreign(text) || v.speaks(text, h.acts)
		}
	}
	return h.spoken
}

// heardOf returns how far the texts were looked through for some acts.
func (a *analysis) heardOf(acts Acts) *overheard {
	for i := range a.overheard {
		if a.overheard[i].acts == acts {
			return &a.overheard[i]
		}
	}
	a.overheard = append(a.overheard, overheard{acts: acts})
	return &a.overheard[len(a.overheard)-1]
}

// foreign reports whether a text has letters that English has not.
func foreign(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}
