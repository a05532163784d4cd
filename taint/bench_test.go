package taint

import (
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"github.com/planlint/planlint/plan"
)

// session makes a plan like a recorded run: reads of private and untrusted text,
// files written and read, messages sent; output is the size of each result.
func session(calls, output int) *world {
	r := rand.New(rand.NewSource(1))
	w := newWorld()
	w.text(plan.TextUser, 0, "Read my mail and tell the team what changed")
	for i := 0; i < calls; i++ {
		var s step1
		switch i % 5 {
		case 0:
			s = w.add(fmt.Sprintf("read%d", i), fmt.Sprintf("id=msg-%d", i)).gives(Of(Untrusted)).field("body", Of(Private), "user")
		case 1:
			s = w.add(fmt.Sprintf("edit%d", i), fmt.Sprintf("path=src/file%d.go", i%50), "content="+prose(r, 20)).writes(fmt.Sprintf("file:/app/src/file%d.go", i%50), Overwrite)
		case 2:
			s = w.add(fmt.Sprintf("open%d", i), fmt.Sprintf("path=src/file%d.go", i%50)).reads(fmt.Sprintf("file:/app/src/file%d.go", i%50))
		case 3:
			s = w.add(fmt.Sprintf("list%d", i), "path=src").reads("file:/app/src/**")
		case 4:
			s = w.add(fmt.Sprintf("mail%d", i), "to=team@corp.example", "subject=news", "body="+prose(r, 15)).sends("to", "subject", "body").to("team@corp.example").decides("to")
		}
		if output > 0 {
			s.output(prose(r, output/6))
		}
	}
	return w
}

func prose(r *rand.Rand, words int) string {
	var b strings.Builder
	for i := 0; i < words; i++ {
		fmt.Fprintf(&b, "w%c%c%c ", 'a'+r.Intn(26), 'a'+r.Intn(26), 'a'+r.Intn(26))
	}
	return b.String()
}

func BenchmarkGraph(b *testing.B) {
	u, _ := NewUniverse()
	for _, c := range []struct{ calls, output int }{
		{10, 1000}, {100, 1000}, {400, 1000}, {100, 0}, {400, 0}, {10_000, 0}, {100_000, 0}, {1_000_000, 0},
	} {
		b.Run(fmt.Sprintf("calls=%d/output=%d", c.calls, c.output), func(b *testing.B) {
			if c.calls > 100_000 && testing.Short() {
				b.Skip("long")
			}
			w := session(c.calls, c.output)
			b.SetBytes(int64(c.calls * c.output))
			b.ReportAllocs()
			b.ResetTimer()
			var l *Labels
			for b.Loop() {
				l = Build(&w.plan, w.facts, u).Propagate()
				l.Flows()
			}
			b.ReportMetric(float64(l.graph.NumNodes())/float64(c.calls), "nodes/call")
			b.ReportMetric(float64(l.graph.NumEdges())/float64(c.calls), "edges/call")
			runtime.KeepAlive(l)
		})
	}
}
