package planlint_test

import (
	"context"
	"fmt"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

// A plan is checked before its first call runs.
func ExampleChecker_Check() {
	builtin, err := policy.Builtin("default")
	if err != nil {
		fmt.Println(err)
		return
	}
	leak := &plan.Plan{ID: "pay-the-vendor", Calls: []plan.Call{
		{Index: 0, ID: "creds", Tool: "read_secret", Args: plan.Obj([]string{"name"}, plan.Str("stripe_key"))},
		{Index: 1, ID: "mail", Tool: "send_email", Turn: 1, Args: plan.Obj([]string{"to"}, plan.Str("ops@partner.example"))},
	}}
	report := planlint.New(*builtin).Check(context.Background(), leak)
	fmt.Println(report.Verdict, "-", report.Gate)
	for _, f := range report.Findings {
		fmt.Println(f.ID, f.Precision, f.Title)
	}
	// Output:
	// ask - 1 approval, 30 s cool-down
	// PL1001 context secret data reaches a public or external sink
}

// A session decides each call before it runs, knowing what came before.
func ExampleChecker_Session() {
	builtin, err := policy.Builtin("coding-agent")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	session := planlint.New(*builtin).Session(plan.Plan{ID: "live", Env: plan.Env{Cwd: "/srv/app"}})
	session.Say(plan.Text{Kind: plan.TextUser, Text: "what does the main file do?"})

	calls, _ := session.Next(ctx, plan.Call{ID: "1", Tool: "Read", Args: plan.Obj([]string{"file_path"}, plan.Str("/srv/app/main.go"))})
	fmt.Println(calls[0].Tool, calls[0].Decision)
	session.Result(0, plan.Ran, plan.Str("package main"), plan.OutputRecorded)

	calls, _ = session.Next(ctx, plan.Call{ID: "2", Tool: "grant_role", Args: plan.Obj([]string{"principal"}, plan.Str("self"))})
	fmt.Println(calls[0].Tool, calls[0].Decision, "-", calls[0].Gate.Requirements)
	// Output:
	// Read allow
	// grant_role ask - effect review, 1 approval, 30 s cool-down, out of band
}
