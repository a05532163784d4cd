package eval_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/planlint/planlint/plan"
)

// BenchmarkOutputs checks a run with outputs of 1 KB to 1 MB, log-uniform, of
// words with the frequencies of natural language, and mails of which half hold a
// piece of an output: value matching, origins and content labels together. What
// counts is MB of outputs a second of processor time.
func BenchmarkOutputs(b *testing.B) {
	const bytes, args = 20 << 20, 20000
	p, total := outputs(bytes, args)
	checker := benchChecker(b)
	b.SetBytes(int64(total))
	start := cpuSeconds()
	for b.Loop() {
		checker.Check(context.Background(), p)
	}
	b.ReportMetric(float64(total)*float64(b.N)/1e6/(cpuSeconds()-start), "MB/cpu-s")
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func outputs(bytes, args int) (*plan.Plan, int) {
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
	for i := range args {
		text := texts[rng.IntN(len(texts))]
		at := rng.IntN(len(text) - 140)
		body := text[at : at+32+rng.IntN(100)]
		if i%2 == 1 {
			body = words[zipf.Uint64()] + " " + words[zipf.Uint64()]
		}
		add(plan.Call{Tool: "send_email", Args: plan.Obj([]string{"recipients", "body"}, plan.Str("kim@corp.example"), plan.Str(body))})
	}
	return p, total
}
