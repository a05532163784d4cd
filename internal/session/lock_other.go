//go:build !unix

package session

import (
	"context"
	"errors"
	"os"
	"time"
)

const (
	lockPoll = 10 * time.Millisecond
	// lockStale is how old a lock is when its holder must be dead: a hook's own
	// deadline is seconds.
	lockStale = 2 * time.Minute
)

// lock takes a lock file by creating it.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			f.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockStale {
			os.Remove(path)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ErrLocked
		case <-time.After(lockPoll):
		}
	}
}
