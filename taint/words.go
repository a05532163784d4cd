package taint

import "github.com/planlint/planlint/plan"

// word is a maximal run of letters and digits (all bytes from 0x80 on count as
// letters), with the hash of its lower-case form.
type word struct {
	hash       uint64
	start, end int32
	flags      uint8
}

const (
	hasLetter = 1 << iota
	hasDigit
	hasUpper
)

func (w *word) size() int { return int(w.end - w.start) }

// byteClass is, per byte, its lower-case form in the low half (0 for what is in
// no word) and flags in the high half.
var byteClass = func() (t [256]uint16) {
	for c := 0; c < 256; c++ {
		switch {
		case 'a' <= c && c <= 'z', c >= 0x80:
			t[c] = uint16(c) | hasLetter<<8
		case 'A' <= c && c <= 'Z':
			t[c] = uint16(c|0x20) | (hasLetter|hasUpper)<<8
		case '0' <= c && c <= '9':
			t[c] = uint16(c) | hasDigit<<8
		}
	}
	return t
}()

const (
	hashStart = 14695981039346656037 // FNV-1a
	hashPrime = 1099511628211
)

// nextWord returns the first word from a position on; ok is false if there is
// none. What follows a backslash as in JSON's escapes belongs to no word, so
// that escaped and plain text have the same words.
func nextWord(s string, at int) (w word, ok bool) {
	for at < len(s) {
		c := byteClass[s[at]]
		if c == 0 {
			if s[at] == '\\' {
				at += escape(s[at:])
			}
			at++
			continue
		}
		h, flags, start := uint64(hashStart), uint16(0), at
		for c != 0 {
			h = (h ^ uint64(c&0xff)) * hashPrime
			flags |= c
			if at++; at == len(s) {
				break
			}
			c = byteClass[s[at]]
		}
		return word{hash: h, start: int32(start), end: int32(at), flags: uint8(flags >> 8)}, true
	}
	return word{}, false
}

// escape returns how many bytes after a backslash belong to its escape.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case 'n', 't', 'r', 'b', 'f':
		return 1
	case 'u':
		if len(s) >= 6 && isHex(s[2:6]) {
			return 5
		}
	}
	return 0
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// appendWords appends the words of a text that lie outside of its references.
func appendWords(to []word, s string, refs []plan.Ref) []word {
	for at := 0; ; {
		w, ok := nextWord(s, at)
		if !ok {
			return to
		}
		at = int(w.end)
		for len(refs) > 0 && refs[0].End <= int(w.start) {
			refs = refs[1:]
		}
		if len(refs) > 0 && refs[0].Start < int(w.end) {
			at = max(at, refs[0].End) // a word that touches a reference is part of it
			continue
		}
		to = append(to, w)
	}
}

// userWords are the words of the user, each with the time since when.
type userWords map[uint64]int32

func (u userWords) add(text string, time int32) {
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return
		}
		at = int(w.end)
		if old, have := u[w.hash]; !have || time < old {
			u[w.hash] = time
		}
	}
}

// said reports whether the user had used a word by a time.
func (u userWords) said(w *word, time int32) bool {
	since, ok := u[w.hash]
	return ok && since <= time
}
