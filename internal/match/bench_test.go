package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// prose is text with the word frequencies of natural language, and pieces of it.
func prose(bytes, pieces int) (string, []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 50000)
	words := make([]string, 50001)
	for i := range words {
		w := make([]byte, 2+rng.IntN(9))
		for k := range w {
			w[k] = byte('a' + rng.IntN(26))
		}
		words[i] = string(w)
	}
	var b strings.Builder
	for b.Len() < bytes {
		b.WriteString(words[zipf.Uint64()])
		b.WriteString([]string{" ", " ", " ", " ", " ", ", ", ".\n"}[rng.IntN(7)])
	}
	text := b.String()
	var list []string
	for range pieces {
		at := rng.IntN(len(text) - 140)
		list = append(list, text[at:at+32+rng.IntN(100)])
	}
	return text, list
}

func BenchmarkFillWords(b *testing.B) {
	text, _ := prose(1<<20, 0)
	buf := make([]fields.Word, 0, 256)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for at := 0; at < len(text); {
			_, at = fields.FillWords(buf[:0], text, at)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text, pieces := prose(1<<20, 1000)
	p := &plan.Plan{Calls: []plan.Call{{OutputState: plan.OutputRecorded, Outcome: plan.Ran, Output: plan.Str(text)}}}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		c := New(p)
		for i, piece := range pieces {
			words := fields.AppendWords(nil, piece)
			if i%2 == 0 {
				c.Add(words[:3])
			}
			Windows(words, func(h Run, at int) { c.AddRun(h, words, at, at+Gram) })
		}
		b.StartTimer()
		c.ReadAll()
	}
}
