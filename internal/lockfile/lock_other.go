//go:build !unix

package lockfile

import (
	"context"
	"errors"
	"os"
	"time"
)

const (
	poll = 10 * time.Millisecond
	// stale is how old a lock is when its holder must be dead: a hook's own
	// deadline is seconds.
	stale = 2 * time.Minute
)

// Lock takes the lock at a path by creating the file; it waits for another holder
// until the context ends (ErrHeld).
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			f.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(path)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ErrHeld
		case <-time.After(poll):
		}
	}
}
