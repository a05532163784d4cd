package lockfile

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOneAtATime: holders exclude each other, also where they remove the file.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var all sync.WaitGroup
	var holders, together, turns atomic.Int32
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				unlock, err := Lock(context.Background(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if holders.Add(1) > 1 {
					together.Add(1)
				}
				turns.Add(1)
				holders.Add(-1)
				if i%2 == 0 {
					os.Remove(path)
				}
				unlock()
			}
		})
	}
	all.Wait()
	require.Zero(t, together.Load())
	require.EqualValues(t, 160, turns.Load())
}

func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	unlock, err := Lock(context.Background(), path)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err = Lock(ctx, path)
	require.ErrorIs(t, err, ErrHeld)
	unlock()
	unlock, err = Lock(context.Background(), path)
	require.NoError(t, err)
	unlock()
	_, err = Lock(context.Background(), filepath.Join(path, "no", "folder"))
	require.Error(t, err)
}
