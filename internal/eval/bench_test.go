package eval_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// BenchmarkOutputs checks a run with outputs of 1 KB to 1 MB, log-uniform, of
// words with the frequencies of natural language, and with mails: all of Check.
// What counts is MB of outputs a second of processor time.
func BenchmarkOutputs(b *testing.B) {
	p, total := workload(20<<20, 10_000, sentences)
	checker := benchChecker(b)
	perSecond(b, total, func() { checker.Check(context.Background(), p) })
}

// BenchmarkProvenance is the part of it that finds out where values came from and
// what they hold: contracts and content labels (Resolve), the graph with value
// matching, origins. Rules and decisions are left out.
func BenchmarkProvenance(b *testing.B) {
	for _, c := range []struct {
		name         string
		bytes, mails int // a mail has two arguments
		bodies       bodies
	}{
		{"10MB", 10 << 20, 5_000, sentences},
		{"100MB", 100 << 20, 50_000, sentences},
		{"100MB-short", 100 << 20, 50_000, short},
		{"common-words", 10 << 20, 5_000, commonWords},
	} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() && c.bytes > 10<<20 {
				b.Skip("long")
			}
			p, total := workload(c.bytes, c.mails, c.bodies)
			policy := benchChecker(b).Policy()
			perSecond(b, total, func() {
				calls := policy.Registry.Resolve(p)
				facts := make([]taint.Facts, len(calls))
				for i := range calls {
					facts[i] = *calls[i].Facts
				}
				corpus := match.New(p)
				origins := origin.New(p, policy.Registry.Origins(calls), corpus)
				taint.Build(p, facts, policy.Universe, taint.In(corpus)).Propagate()
				origins.Report()
			})
		})
	}
}

// perSecond measures bytes a second of the clock and of the processor.
func perSecond(b *testing.B, bytes int, run func()) {
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	b.ResetTimer()
	start := cpuSeconds()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(bytes)*float64(b.N)/1e6/(cpuSeconds()-start), "MB/cpu-s")
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// bodies says what the mails of a workload hold: half of them a piece of an
// output, the others words of their own.
type bodies int

const (
	// sentences: pieces of 32 to 132 bytes, and a few sentences.
	sentences bodies = iota
	// short: pieces of 24 bytes, and ids.
	short
	// commonWords: pieces of 32 to 132 bytes, and two words that stand in most
	// outputs by chance.
	commonWords
)

// workload is a run of outputs of a size in bytes, 1 KB to 1 MB each, and of so
// many mails.
func workload(bytes, mails int, kind bodies) (*plan.Plan, int) {
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
	p := &plan.Plan{Recorded: true, Texts: []plan.Text{{Kind: plan.TextUser, Text: "Please send the report to kim@corp.example"}}}
	total := 0
	var texts []string
	add := func(c plan.Call) {
		c.Index, c.ID, c.Turn, c.Outcome = len(p.Calls), fmt.Sprint(len(p.Calls)), len(p.Calls), plan.Ran
		p.Calls = append(p.Calls, c)
	}
	for total < bytes {
		size := int(math.Exp(math.Log(1<<10) + rng.Float64()*(math.Log(1<<20)-math.Log(1<<10))))
		var text strings.Builder
		for text.Len() < size {
			text.WriteString(words[zipf.Uint64()])
			text.WriteString([]string{" ", " ", " ", " ", " ", ", ", ".\n"}[rng.IntN(7)])
		}
		total += text.Len()
		texts = append(texts, text.String())
		add(plan.Call{Tool: "get_file_by_id", Args: plan.Obj([]string{"file_id"}, plan.Str("17")), OutputState: plan.OutputRecorded, Output: plan.Str(text.String())})
	}
	own := func() string {
		var text strings.Builder
		n := 8 + rng.IntN(24)
		switch kind {
		case commonWords:
			n = 2
		case short:
			return fmt.Sprintf("order-%x", rng.Uint64())
		}
		for range n {
			text.WriteString(words[zipf.Uint64()])
			text.WriteByte(' ')
		}
		return text.String()
	}
	for i := range mails {
		text := texts[rng.IntN(len(texts))]
		at := rng.IntN(len(text) - 140)
		body := text[at : at+32+rng.IntN(100)]
		if kind == short {
			body = text[at : at+24]
		}
		if i%2 == 1 {
			body = own()
		}
		add(plan.Call{Tool: "send_email", Args: plan.Obj([]string{"recipients", "body"}, plan.Str("kim@corp.example"), plan.Str(body))})
	}
	return p, total
}
