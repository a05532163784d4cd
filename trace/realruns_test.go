package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

// TestLabelledRuns reads all recorded runs of the bench, if they are there.
func TestLabelledRuns(t *testing.T) {
	src, err := os.ReadFile("../../shared/bench/dev.jsonl.gz")
	if err != nil {
		t.Skip("the recorded runs are not here: ", err)
	}
	plans, errs := Read(src, "dev.jsonl.gz", Unknown, Options{})
	require.Empty(t, errs)
	require.Len(t, plans, 1341)
	for _, p := range plans {
		require.Equal(t, string(AgentDojo), p.Format)
		require.NotEmpty(t, p.ID)
		sound(t, p)
		for _, n := range p.Notes {
			require.Contains(t, []string{NoteNoOutput, NoteReusedID}, n.ID, "%s: %s", p.ID, n.Message)
		}
	}
}

// TestClientRuns reads the transcripts that shared/clients/run.sh left in
// $PLANLINT_CLIENTS_DIR, if it ran: the leak script is found in each.
func TestClientRuns(t *testing.T) {
	dir := os.Getenv("PLANLINT_CLIENTS_DIR")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "planlint-clients")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "out", "*-none-leak", "session"))
	if len(files) == 0 {
		t.Skip("no transcripts of real clients in ", dir)
	}
	for _, session := range files {
		t.Run(filepath.Base(filepath.Dir(session)), func(t *testing.T) {
			found := false
			require.NoError(t, filepath.WalkDir(session, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				src, err := os.ReadFile(path)
				require.NoError(t, err)
				sibling := func(base string) []byte {
					b, _ := os.ReadFile(filepath.Join(filepath.Dir(path), base))
					return b
				}
				plans, _ := Read(src, path, Unknown, Options{Sibling: sibling})
				for _, p := range plans {
					sound(t, p)
					found = found || holdsLeak(t, p)
				}
				return nil
			}))
			require.True(t, found, "the leak is in none of the transcripts")
		})
	}
}

func holdsLeak(t *testing.T, p *plan.Plan) bool {
	if len(p.Calls) != 2 {
		return false
	}
	require.Contains(t, p.Calls[0].Output.Text, "sk-made-up")
	sent := false
	p.Calls[1].Args.Walk(func(_ plan.Path, v *plan.Value) bool {
		sent = sent || bytes.Contains([]byte(v.Text), []byte("curl"))
		return true
	})
	require.True(t, sent)
	require.Equal(t, plan.Ran, p.Calls[0].Outcome)
	require.Less(t, p.Calls[0].Turn, p.Calls[1].Turn)
	for _, text := range p.Texts {
		if text.Kind == plan.TextUser {
			require.Contains(t, text.Text, "Read .env")
			return true
		}
	}
	t.Error("no words of the user in ", p.Source)
	return true
}
