package cli

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/report"
)

// writeProblems writes what is wrong with a policy: errors first, then what an
// untrusted policy said in vain, which without all is one line a file.
func writeProblems(s *streams, problems []policy.Problem, all bool) {
	for _, p := range policy.Errors(problems) {
		fmt.Fprintf(s.stderr, "error: %s\n", p.Error())
	}
	ignored := map[string][]policy.Problem{}
	var files []string
	for _, p := range problems {
		if p.ID == "" {
			continue
		}
		if len(ignored[p.At.File]) == 0 {
			files = append(files, p.At.File)
		}
		ignored[p.At.File] = append(ignored[p.At.File], p)
	}
	for _, file := range files {
		list := ignored[file]
		if all || len(list) == 1 {
			for _, p := range list {
				fmt.Fprintf(s.stderr, "warning: %s\n", p.Error())
			}
			continue
		}
		fmt.Fprintf(s.stderr, "warning: %s: %d entries would loosen the policy and are ignored, since it is not trusted: %s\n",
			printable(file), len(list), ignoredKinds(list))
		fmt.Fprintf(s.stderr, "hint: planlint check -v shows each; read the file, then run planlint trust\n")
	}
}

// writePlanError writes what is wrong with an input: the place, the message, the line
// with the place underlined where src is given, and the hint.
func writePlanError(s *streams, name string, src []byte, p plan.Error) {
	at := printable(name) + ":"
	if p.Pos.Known() {
		at += fmt.Sprintf("%d:%d:", p.Pos.Line, p.Pos.Column)
	}
	fmt.Fprintf(s.stderr, "error: %s %s\n", at, printable(p.Message))
	if p.Pos.Known() && src != nil {
		io.WriteString(s.stderr, report.Snippet(src, p.Pos)) //nolint:errcheck // as all of stderr
	}
	if p.Hint != "" {
		fmt.Fprintf(s.stderr, "hint: %s\n", printable(p.Hint))
	}
}

// ignoredKinds counts what was ignored by its kind: "3 allows, 1 contract".
func ignoredKinds(list []policy.Problem) string {
	names := map[string]string{
		policy.DiagAllow: "allow", policy.DiagContract: "contract", policy.DiagSetting: "setting", policy.DiagGate: "gate",
		policy.DiagAudience: "audience", policy.DiagPreset: "built-in policy", policy.DiagRule: "composition rule",
	}
	counts := map[string]int{}
	var ids []string
	for _, p := range list {
		if counts[p.ID] == 0 {
			ids = append(ids, p.ID)
		}
		counts[p.ID]++
	}
	sort.Strings(ids)
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = plural(counts[id], names[id])
	}
	return strings.Join(parts, ", ")
}

// plural is "1 file", "2 files", "2 built-in policies".
func plural(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
