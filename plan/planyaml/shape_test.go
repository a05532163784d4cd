package planyaml_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan/planyaml"
)

func TestHasCalls(t *testing.T) {
	for src, want := range map[string]bool{
		"version: 1\ncalls: []\n":                 true,
		"version: 1\ncalls: [\n":                  true,
		"\"calls\": [{]\n":                        true,
		"? calls\n: - {id: a}\n":                  true,
		"{version: 1, 'calls': [}":                true,
		"a: 1\n---\ncalls: []\n":                  true,
		"\ufeffcalls: [{idd: x}]\n":               true,
		"  version: 1\n  calls:\n":                true,
		"":                                        false,
		"version: 1\nservices: {a: 1}\n":          false,
		"version: 1\nstats: {calls: 3}\n":         false,
		"# calls\n- calls\n":                      false,
		"name: {{ .Values.calls }}\nkind: Role\n": false,
		"a: [\n":                                    false,
		"apiVersion: v1\n---\nkind: ConfigMap\n":    false,
		"a: &x [*x]\nb: calls\n":                    false,
		"description: it calls: home\nx: [broken\n": false,
	} {
		require.Equal(t, want, planyaml.HasCalls([]byte(src)), "%q", src)
	}
}
