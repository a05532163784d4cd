package taint

import "github.com/planlint/planlint/internal/fields"

// Words calls visit for every word of a text, in order: the maximal runs of
// letters and digits by which values are matched. Bytes start to end are the
// word. It is for those who keep texts as keyed digests and must cut them into
// words exactly as matching does.
func Words(text string, visit func(start, end int)) {
	fields.Words(text, func(w fields.Word) bool {
		visit(int(w.Start), int(w.End))
		return true
	})
}

// Distinctive reports whether finding this single word elsewhere says something.
func Distinctive(text string) (found bool) {
	fields.Words(text, func(w fields.Word) bool {
		found = distinctive(&w)
		return false
	})
	return found
}

// Decodings calls visit for every part of a text that holds another text in
// base64, hex or percent encoding, in order; bytes start to end are the part.
func Decodings(text string, visit func(start, end int, decoded string)) {
	if !hides(text) {
		return
	}
	for _, v := range fields.Views(text) {
		if !v.Disguised() {
			visit(v.Start, v.End, v.Text)
		}
	}
}
