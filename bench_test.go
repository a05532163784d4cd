package planlint_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

// ordinary returns a plan of n calls as sessions have them: reads, edits,
// fetches, a secret now and then, mails with references, ten calls a turn group
// of one, outputs of some hundred bytes.
func ordinary(n int) *plan.Plan {
	p := &plan.Plan{ID: "bench", Source: "bench.yaml", Format: "planlint", Env: plan.Env{Cwd: "/srv/app", Home: "/home/dev"}}
	p.Calls = make([]plan.Call, 0, n)
	p.Texts = []plan.Text{{Kind: plan.TextUser, Text: "Please fix the build and tell team@acme.example"}}
	arg := func(keys []string, values ...string) plan.Value {
		items := make([]plan.Value, len(values))
		for i, v := range values {
			items[i] = plan.Str(v)
		}
		return plan.Obj(keys, items...)
	}
	for i := 0; i < n; i++ {
		c := plan.Call{Index: i, ID: fmt.Sprintf("c%d", i), Turn: i, Outcome: plan.Ran, OutputState: plan.OutputRecorded}
		switch i % 10 {
		case 0, 1, 2:
			c.Tool = "read_file"
			c.Args = arg([]string{"path"}, fmt.Sprintf("/srv/app/src/file%d.go", i%97))
			c.Output = plan.Str(fmt.Sprintf("package app // file %d\nfunc run%d() error { return nil }\n", i, i))
		case 3, 4:
			c.Tool = "edit_file"
			c.Args = arg([]string{"path", "old", "new"}, fmt.Sprintf("/srv/app/src/file%d.go", i%97), "return nil", fmt.Sprintf("return err%d", i))
			c.Output = plan.Str("ok")
		case 5:
			c.Tool = "fetch_url"
			c.Args = arg([]string{"url"}, fmt.Sprintf("https://docs.vendor.example/page/%d", i))
			c.Output = plan.Str(fmt.Sprintf("Page %d tells how request number %d is retried with a delay.", i, i))
		case 6, 7, 8:
			c.Tool = "query_order"
			c.Args = arg([]string{"order_id"}, fmt.Sprintf("A-%d", i))
			c.Output = plan.Str(fmt.Sprintf(`{"id":"A-%d","state":"shipped","note":"left at door %d"}`, i, i))
		case 9:
			c.Tool = "send_email"
			c.Args = arg([]string{"to", "subject", "body"}, "team@acme.example", "build", fmt.Sprintf("order A-%d was shipped", i-1))
			c.Output = plan.Str("sent")
		}
		if i%100 == 50 {
			c.Tool, c.Args, c.Output = "read_secret", arg([]string{"name"}, "deploy"), plan.Str(fmt.Sprintf("tok-%08d-abcdefghij", i))
		}
		p.Calls = append(p.Calls, c)
	}
	return p
}

func builtin(tb testing.TB, name string) *planlint.Checker {
	tb.Helper()
	p, err := policy.Builtin(name)
	require.NoError(tb, err)
	return planlint.New(*p)
}

// peakMemory returns the greatest resident size that the process had so far, in
// bytes; Linux tells it. Run one size a process to know its own.
func peakMemory() (bytes float64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	n, err := fmt.Sscan(rest, &bytes)
	return bytes * 1024, n == 1 && err == nil
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{10, 100, 400, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("calls=%d", n), func(b *testing.B) {
			if n >= 100_000 && testing.Short() {
				b.Skip("large plans are skipped in short mode")
			}
			checker, p := builtin(b, "default"), ordinary(n)
			checker.Check(context.Background(), ordinary(10))
			if n >= 1_000_000 { // as the command does for large inputs
				defer debug.SetGCPercent(debug.SetGCPercent(15))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				checker.Check(context.Background(), p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/call")
			if peak, ok := peakMemory(); ok {
				b.ReportMetric(peak/(1<<20), "peak-MB")
			}
		})
	}
}
