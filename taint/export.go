package taint

// Words calls visit for every word of a text, in order: the maximal runs of
// letters and digits by which values are matched. Bytes start to end are the
// word. It is for those who keep texts as keyed digests and must cut them into
// words exactly as matching does.
func Words(text string, visit func(start, end int)) {
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return
		}
		at = int(w.end)
		visit(int(w.start), at)
	}
}

// Distinctive reports whether finding this single word elsewhere says something.
func Distinctive(text string) bool {
	w, ok := nextWord(text, 0)
	return ok && distinctive(&w)
}

// Decodings calls visit for every part of a text that holds another text in
// base64, hex or percent encoding, in order; bytes start to end are the part.
// It looks one level deep.
func Decodings(text string, visit func(start, end int, decoded string)) {
	if len(text) < minEncoded && (len(text) < 4 || text[0] != '%') {
		return
	}
	for _, v := range decodings(nil, text) {
		if v.Encoding == "rot13" || v.Encoding == "reversed" || v.Encoding == "spaced" {
			continue
		}
		visit(v.Start, v.End, v.Text)
	}
}
