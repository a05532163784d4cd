package compose

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/tool"
)

// BenchmarkHolds is the time of one condition, by the built-in rules and by what
// users write.
func BenchmarkHolds(b *testing.B) {
	s := testSubject(b)
	for _, id := range []string{"PL1001", "PL1002", "PL1004", "PL1006", "PL2001", "PL3001", "PL3002", "PL3003"} {
		r := builtinRule(b, id)
		scope, _ := ParseScope(r.On)
		run(b, id, scope, r.When, Options{Builtin: true}, s)
	}
	run(b, "one comparison", ScopeFlow, `flow.sink.tool == "send_email"`, Options{}, s)
	run(b, "labels has", ScopeFlow, `flow.labels.has("private")`, Options{}, s)
	run(b, "argument", ScopeCall, `call.tool == "send_email" && size(call.args.to) > 10`, Options{}, s)
	run(b, "counted", ScopeFlow, `flow.sink.audience.exists(a, domain(a) == "partner.example")`, Options{}, s)
	run(b, "counted, builtin", ScopeFlow, `flow.sink.audience.exists(a, domain(a) == "partner.example")`, Options{Builtin: true}, s)
}

func run(b *testing.B, name string, scope Scope, text string, o Options, s *tool.Subject) {
	b.Run(name, func(b *testing.B) {
		c := testCompiler(b)
		n, err := c.Condition(scope, text, at(1, 1), o)
		require.NoError(b, err)
		set := c.Set()
		_, err = set.Holds(n, s)
		require.NoError(b, err)
		b.ReportAllocs()
		for b.Loop() {
			_, _ = set.Holds(n, s)
		}
	})
}

// usualConditions are what rules on flows say in practice.
var usualConditions = []string{
	`!flow.sink.audience.subset(flow.readers)`,
	`flow.level == "private" && !flow.sink.audience.subset(flow.readers)`,
	`flow.others >= 9`,
	`flow.sink.tool == "send_email"`,
	`flow.sink.decides && flow.sink.class == "irreversible-public"`,
	`flow.labels.has("private") && !("pii" in flow.labels)`,
	`flow.precision == "value" && flow.source.kind == "output"`,
	`flow.sink.kinds.has("public")`,
	`flow.source.tool == "read_secret"`,
	`flow.sink.audience.exists(a, domain(a) == "partner.example")`,
}

// BenchmarkHundredConditions is the CEL of one flow with 100 rules, none of them
// kept away by its masks.
func BenchmarkHundredConditions(b *testing.B) {
	c := testCompiler(b)
	var conds []tool.Cond
	for i := range 100 {
		n, err := c.Condition(ScopeFlow, usualConditions[i%len(usualConditions)], at(1, 1), Options{})
		require.NoError(b, err)
		conds = append(conds, n)
	}
	set, s := c.Set(), testSubject(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range conds {
			_, _ = set.Holds(n, s)
		}
	}
}

// BenchmarkCompile is a condition with all checks, in an environment of its own
// (cold) and in one that is there already (warm).
func BenchmarkCompile(b *testing.B) {
	text := builtinRule(b, "PL1002").When
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			_, err := testCompiler(b).Condition(ScopeFlow, text, at(1, 1), Options{})
			require.NoError(b, err)
		}
	})
	b.Run("warm", func(b *testing.B) {
		c := testCompiler(b)
		for b.Loop() {
			_, err := c.Condition(ScopeFlow, text, at(1, 1), Options{})
			require.NoError(b, err)
		}
	})
	b.Run("hundred, warm", func(b *testing.B) {
		for b.Loop() {
			c := testCompiler(b)
			for i := range 100 {
				_, err := c.Condition(ScopeFlow, usualConditions[i%len(usualConditions)], at(1, 1), Options{})
				require.NoError(b, err)
			}
		}
	})
	b.Run("builtin, not used", func(b *testing.B) {
		for b.Loop() {
			_, err := testCompiler(b).Condition(ScopeFlow, text, at(1, 1), Options{Builtin: true})
			require.NoError(b, err)
		}
	})
}
