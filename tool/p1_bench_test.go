package tool_test

import (
	"fmt"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

func p1plan(n int) *plan.Plan {
	p := &plan.Plan{ID: "bench", Source: "bench.yaml", Format: "planlint", Env: plan.Env{Cwd: "/srv/app", Home: "/home/dev"}}
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

func BenchmarkP1(b *testing.B) {
	pol, err := policy.Builtin("default")
	if err != nil {
		b.Fatal(err)
	}
	p := p1plan(100)
	b.ReportAllocs()
	for b.Loop() {
		pol.Registry.Resolve(p)
	}
}
