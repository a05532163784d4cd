package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/eval"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// seenIn reads what the runs of a file show of the example policies.
func seenIn(t *testing.T, file string) *unseen {
	t.Helper()
	in, err := os.Open(file)
	if os.IsNotExist(err) {
		t.Skip("the runs are not here")
	}
	require.NoError(t, err)
	defer in.Close()
	p, err := newSuites(&streams{stderr: &bytes.Buffer{}, env: map[string]string{}}, "--policies", "../../examples/policies")
	require.NoError(t, err)
	require.NoError(t, eval.Read(in, file, func(r *eval.Run) error {
		c, err := p.checker(r.Suite)
		if err == nil {
			p.sees(c, r)
		}
		return err
	}))
	return &p.unseen
}

// sets are the labelled runs at hand; the first lie beside the repository.
var sets = []string{"../../../shared/bench/dev.jsonl.gz", "../eval/testdata/suites.jsonl.gz", "../eval/testdata/heldout.jsonl.gz", "../eval/testdata/authors.jsonl.gz"}

// TestNamesThatNoRunHas: the example policies name optional arguments and fields of
// other versions, which are no mistakes.
func TestNamesThatNoRunHas(t *testing.T) {
	for _, file := range sets {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var out bytes.Buffer
			seenIn(t, file).write(&out, &tool.Registry{})
			require.Empty(t, out.String())
		})
	}
}

// TestMistypedNames changes each name of the example policies that the runs have, one
// at a time: one letter is left out, or another word stands there.
func TestMistypedNames(t *testing.T) {
	for _, file := range sets {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var all, typos, others int
			for c, s := range seenIn(t, file).tools {
				for _, kind := range []struct {
					at     *places
					paths  []plan.Path
					labels []tool.OutputLabel
				}{{&s.args, argPaths(c), nil}, {&s.outputs, outputPaths(c), c.Output}} {
					for i, path := range kind.paths {
						last := path[len(path)-1].Key
						if len(last) < 4 || kind.at.of == 0 || kind.at.absent(path) {
							continue
						}
						all++
						for key, count := range map[string]*int{last[:2] + last[3:]: &typos, "zzz_qqq": &others} {
							paths, labels := renamed(i, key, kind.paths, kind.labels)
							if len(kind.at.missing(paths, labels, nil).names) > 0 {
								*count++
							}
						}
					}
				}
			}
			t.Logf("%d names: %d typos and %d other names are told of", all, typos, others)
			require.Greater(t, all, 100)
			require.GreaterOrEqual(t, typos*100, all*96)
			require.GreaterOrEqual(t, others*100, all*95)
		})
	}
}

// renamed returns paths, and labels of them, of which one ends in another key.
func renamed(i int, key string, paths []plan.Path, labels []tool.OutputLabel) ([]plan.Path, []tool.OutputLabel) {
	old := paths[i].String()
	paths, labels = slices.Clone(paths), slices.Clone(labels)
	paths[i] = append(slices.Clone(paths[i][:len(paths[i])-1]), plan.Step{Key: key})
	for k := range labels {
		if labels[k].Field.String() == old {
			labels[k].Field = paths[i]
		}
	}
	return paths, labels
}
