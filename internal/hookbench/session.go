package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/plan"
)

// record writes a session of a number of calls, as the hook of a coding agent
// would have recorded it.
func record(dir, cwd, id string, calls int) error {
	s, err := session.NewStore(dir).Open(context.Background(), "claude-code", id)
	if err != nil {
		return err
	}
	defer s.Close()
	s.At(cwd)
	s.Prompt("Make the login handler return 401 on a wrong password, and add a test.")
	for i := range calls {
		c, output := work(i, cwd)
		c.ID = fmt.Sprintf("toolu_%04d", i)
		index := s.Propose(c)[0]
		s.Decide(index, session.Verdict{Decision: gate.Allow, ReadOnly: c.Tool != "Edit"})
		out := plan.Str(output)
		s.Result(c, plan.Ran, &out, false)
	}
	return s.Commit()
}

// work is one call of an ordinary coding session with its output.
func work(i int, cwd string) (plan.Call, string) {
	file := fmt.Sprintf("%s/internal/part%02d/handler%d.go", cwd, i%17, i%41)
	str := func(keys []string, values ...string) plan.Value {
		var items []plan.Value
		for _, v := range values {
			items = append(items, plan.Str(v))
		}
		return plan.Obj(keys, items...)
	}
	switch i % 5 {
	case 0:
		return plan.Call{Tool: "Read", Args: str([]string{"file_path"}, file)}, source(i, 12)
	case 1:
		return plan.Call{Tool: "Grep", Args: str([]string{"pattern", "path"}, fmt.Sprintf("handle%d", i), cwd)}, file
	case 2:
		return plan.Call{Tool: "Edit", Args: str([]string{"file_path", "old_string", "new_string"}, file, source(i, 3), source(i+1, 4))}, "The file has been updated."
	case 3:
		return plan.Call{Tool: "Bash", Args: str([]string{"command"}, fmt.Sprintf("cd %s && go test ./internal/part%02d/ 2>&1 | tail -n 20", cwd, i%17))}, "ok  example.com/app/internal 0.012s"
	}
	return plan.Call{Tool: "Bash", Args: str([]string{"command"}, "git status --short && git diff --stat")}, " M internal/handler.go"
}

// source is some Go text of a number of lines.
func source(seed, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "\tif err := service%d.handle(request, user%d); err != nil {\n\t\treturn fmt.Errorf(\"handle %d: %%w\", err)\n\t}\n", seed%23, i, seed*7+i)
	}
	return b.String()
}
