package quick_test

import (
	"context"
	"testing"

	"github.com/planlint/planlint/internal/quick"
)

func BenchmarkAlone(b *testing.B) {
	p := policy(b)
	f := quick.Condense(p, "id", planOf())
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := quick.Alone(context.Background(), p, planOf(bash("git status")), f); !ok {
			b.Fatal("not quick")
		}
	}
}
