package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// What is remembered of a file must not depend on who touched it first, nor
// outlive a link that makes its path mean another file.
func TestFileTable(t *testing.T) {
	secret := SourceRule{Pattern: pattern(t, "Read(**/.env)"), Labels: taint.Of(taint.Secret)}
	config := fileTool(t, Arg{Access: Read})
	config.Sources = []SourceRule{secret}
	write := config.Contracts[0]
	write.Name, write.Args = "w", []Arg{{Path: write.Args[0].Path, Role: Path, Access: Write}}
	config.Contracts = append(config.Contracts, write)
	r := registry(t, config)
	read := func(path string) plan.Call { return plan.Call{Tool: "f", Args: obj("path", path)} }

	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "w", Args: obj("path", "a/.env")}, read("a/.env"), read("a/x"), read("a/.env")))
	for _, i := range []int{1, 3} {
		reads := got[i].Facts.Steps[0].Reads
		require.Equal(t, r.Resolve(planOf(testEnv, read("a/.env")))[0].Facts.Steps[0].Reads, reads)
		require.Equal(t, taint.Of(taint.Secret), reads[1].Sources()[0].Labels)
	}
	require.Empty(t, got[2].Facts.Steps[0].Reads[1].Sources())

	table := fileTable{make([]fileFacts, tableSize(3))}
	plain := PathUse{Path: "/a", Known: true}
	require.NotNil(t, table.of(&plain, 7))
	require.Same(t, table.of(&plain, 7), table.of(&plain, 7))
	for _, u := range []PathUse{{Path: "/a"}, {Path: "/a", Known: true, Tree: true}, {Path: "/a", Known: true, Glob: true}, {Path: "/a", Known: true, Links: []string{"/b"}}} {
		require.Nil(t, table.of(&u, 7), "%+v", u)
	}
}
