package origin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/planlint/planlint/plan"
)

// workload is a run of outputs of 1 KB to 256 KB in log-uniform sizes, of text
// with the frequencies of words of natural language, and of arguments of which
// half hold a piece of an output.
func workload(bytes, args int) (*plan.Plan, []Facts, int) {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 50000)
	words := make([]string, 50001)
	for i := range words {
		n := 2 + rng.IntN(9)
		b := make([]byte, n)
		for k := range b {
			b[k] = byte('a' + rng.IntN(26))
		}
		words[i] = string(b)
	}
	p := &plan.Plan{Recorded: true, Texts: []plan.Text{{Kind: plan.TextUser, Text: "Please send the report to kim@corp.example"}}}
	var facts []Facts
	total := 0
	var outputs []string
	for total < bytes {
		size := int(math.Exp(math.Log(1<<10) + rng.Float64()*(math.Log(1<<18)-math.Log(1<<10))))
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(words[zipf.Uint64()])
			if rng.IntN(12) == 0 {
				b.WriteString(".\n")
			} else {
				b.WriteByte(' ')
			}
		}
		text := b.String()
		total += len(text)
		outputs = append(outputs, text)
		p.Calls = append(p.Calls, plan.Call{Index: len(p.Calls), Turn: len(p.Calls), Tool: "read", OutputState: plan.OutputRecorded, Outcome: plan.Ran, Output: plan.Str(text)})
		facts = append(facts, Facts{Tool: &Tool{Fields: []Field{{Kind: Text}}}})
	}
	for i := range args {
		out := outputs[rng.IntN(len(outputs))]
		at := rng.IntN(len(out) - 140)
		text := out[at : at+32+rng.IntN(100)]
		if i%2 == 1 {
			text = fmt.Sprintf("%s %s user%d@corp.example", words[zipf.Uint64()], words[zipf.Uint64()], i)
		}
		p.Calls = append(p.Calls, plan.Call{Index: len(p.Calls), Turn: len(p.Calls), Tool: "send", Outcome: plan.Ran})
		facts = append(facts, withSlots(Facts{Effect: Writes, Tool: &Tool{Acts: Send}}, Content, "body", text))
	}
	return p, facts, total
}

func BenchmarkAnalyze(b *testing.B) {
	p, facts, total := workload(8<<20, 8000)
	b.SetBytes(int64(total))
	start := cpu()
	for b.Loop() {
		Analyze(p, facts)
	}
	b.ReportMetric(float64(total)*float64(b.N)/1e6/(cpu()-start), "MB/cpu-s")
}

// cpu is the processor time of the process in seconds: what counts on a machine
// that does other things too.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkRequest is the reading of what a user writes at length.
func BenchmarkRequest(b *testing.B) {
	text := strings.Repeat("Please send Ann what they want, as she says in 'the plan', to kim@corp.example; tell me when it's done. ", 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		newRequest([]string{text})
		delegates([]string{text})
	}
}
