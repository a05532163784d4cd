package planlint_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/policy"
)

// hundred returns a checker with 100 entries of a policy's list, each from its
// number.
func hundred(tb testing.TB, list string, entry func(i int) string) *planlint.Checker {
	tb.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nlabels:\n  export: {kind: confidentiality, level: private}\n" + list + ":\n")
	for i := range 100 {
		b.WriteString("  - " + entry(i) + "\n")
	}
	p, problems := policy.Load(policy.Options{Files: []string{"p.yaml"}, FS: fstest.MapFS{"p.yaml": {Data: []byte(b.String())}}})
	require.NotNil(tb, p, "%v", problems)
	return planlint.New(*p)
}

// onLabel is a composition rule that asks CEL about each flow of a label.
func onLabel(label string) func(i int) string {
	return func(i int) string {
		return fmt.Sprintf(`{id: U%04d, title: rule %d, on: flow, labels: [%s], severity: warning, why: it must not, instead: leave it,`+
			` when: 'flow.others >= %d && flow.sink.tool == "send_email"'}`, i, i, label, 1000+i)
	}
}

// onCall is a per-call rule that asks CEL about each call that is not read-only.
func onCall(i int) string {
	return fmt.Sprintf(`{decision: deny, tool: "*_*", when: "size(call.recipients) > %d", why: too many at once}`, 1000+i)
}

// BenchmarkHundredRules is a check of 100 calls with 100 rules in CEL of the
// user's: composition rules that their masks keep away, composition rules that
// every flow of untrusted data asks, and rules that every call asks.
func BenchmarkHundredRules(b *testing.B) {
	for _, bm := range []struct {
		name    string
		checker *planlint.Checker
	}{
		{"none", builtin(b, "default")},
		{"flow rules, masked out", hundred(b, "compose", onLabel("export"))},
		{"flow rules, all asked", hundred(b, "compose", onLabel("untrusted"))},
		{"call rules, all asked", hundred(b, "rules", onCall)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			p := ordinary(100)
			bm.checker.Check(context.Background(), p)
			b.ReportAllocs()
			for b.Loop() {
				bm.checker.Check(context.Background(), p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/call")
		})
	}
}
