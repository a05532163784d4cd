package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorsOfIgnoredEntries: what an untrusted project says in vain is checked all
// the same, so that it loads on the day that it is trusted.
func TestErrorsOfIgnoredEntries(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"accepts":    {"rules:\n  - {decision: allow, tool: send_email, accepts: [PL1001]}\n", "accepts needs a reason"},
		"condition":  {"rules:\n  - {decision: allow, tool: send_email, when: \"call.foo == 1\"}\n", `unknown field "foo"`},
		"class_when": {"tools:\n  - {name: zap, risk_class: compensating, class_when: [{if: \"nope.x\", risk_class: reversible-internal}]}\n", `unknown variable "nope"`},
		"exception":  {"compose:\n  - {id: PL1001, unless: [{when: \"flow.bar\", reason: x}]}\n", `unknown field "bar"`},
	} {
		dir := project(t, map[string]string{"planlint.yaml": "version: 1\n" + c.text})
		l, problems := Read(Options{Dir: dir})
		require.Nil(t, l, name)
		require.Contains(t, printed(Errors(problems)), c.want, name)
		require.Len(t, Errors(problems), 1, "%s: once: %s", name, printed(problems))
	}
}
