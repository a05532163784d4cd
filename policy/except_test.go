package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/compiled"
)

// exceptionsOf returns the reasons of a rule's exceptions.
func exceptionsOf(t *testing.T, rules []finding.Rule, id string) (out []string) {
	t.Helper()
	found := 0
	for _, r := range rules {
		if r.ID == id {
			found++
			for _, e := range r.Exceptions {
				out = append(out, e.Reason)
			}
		}
	}
	require.Equal(t, 1, found, id)
	return out
}

const excepting = `version: 1
compose:
  - id: PL1001
    unless:
      - {source: read_public_key, reason: public keys are public}
      - {tool: send_email, when: "flow.precision == 'context'", reason: our mail is internal}
`

func TestExceptionsToARuleOfALowerLayer(t *testing.T) {
	plain, err := Builtin("default")
	require.NoError(t, err)
	l, problems := Read(Options{Session: []byte(excepting)})
	require.Empty(t, problems)
	require.Equal(t, []string{"public keys are public", "our mail is internal"}, exceptionsOf(t, l.Policy.Compose, "PL1001"))
	require.Len(t, l.Policy.Compose, len(plain.Compose), "no rule comes or goes")
	for i, r := range l.Policy.Compose {
		r.Exceptions = plain.Compose[i].Exceptions
		r.When = plain.Compose[i].When // numbers of conditions shift
		require.Equal(t, plain.Compose[i], r)
	}
	again, err := Builtin("default")
	require.NoError(t, err)
	require.Empty(t, exceptionsOf(t, again.Compose, "PL1001"), "the built-in policy is untouched")
}

func TestExceptionsNeedTrust(t *testing.T) {
	dir := project(t, map[string]string{"planlint.yaml": excepting})
	l, problems := Read(Options{Dir: dir})
	require.Equal(t, []string{DiagRule}, ids(problems), printed(problems))
	require.Empty(t, exceptionsOf(t, l.Policy.Compose, "PL1001"))

	user := t.TempDir()
	_, err := Trust(Options{Dir: dir, UserDir: user})
	require.NoError(t, err)
	l, problems = Read(Options{Dir: dir, UserDir: user})
	require.Empty(t, problems, printed(problems))
	require.Len(t, exceptionsOf(t, l.Policy.Compose, "PL1001"), 2)
}

func TestExceptionsThatDoNotLoad(t *testing.T) {
	for name, c := range map[string]struct{ entry, want string }{
		"no such rule":     {`{id: PL1O01, unless: [{tool: x, reason: y}]}`, `no layer below has the composition rule "PL1O01"`},
		"everything":       {`{id: PL1001, unless: [{reason: y}]}`, "it would switch the rule off"},
		"no reason":        {`{id: PL1001, unless: [{tool: x}]}`, `missing field "reason"`},
		"bad condition":    {`{id: PL1001, unless: [{when: "flow.prec == 'x'", reason: y}]}`, "prec"},
		"more than unless": {`{id: PL1001, severity: warning, unless: [{tool: x, reason: y}]}`, `missing field "title"`},
		"only an id":       {`{id: PL1001}`, `missing field "title"`},
	} {
		l, problems := Read(Options{Session: []byte("version: 1\ncompose: [" + c.entry + "]\n")})
		require.Nil(t, l, name)
		require.True(t, strings.Contains(printed(problems), c.want), "%s: %s", name, printed(problems))
	}
}

func TestExceptionsSurviveCompilation(t *testing.T) {
	o := Options{Session: []byte(excepting)}
	data, problems := Compile(o)
	require.Empty(t, problems)
	f, err := compiled.DecodeFile(data)
	require.NoError(t, err)
	p, wrong := build(&f.Document)
	require.Empty(t, wrong)
	l, _ := Read(o)
	require.Equal(t, l.Policy.Compose, p.Compose)
}
