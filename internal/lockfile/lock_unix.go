//go:build unix

package lockfile

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// poll is how often a lock that another process holds is tried again.
const poll = 3 * time.Millisecond

// Lock takes the lock at a path; it waits for another holder until the context ends
// (ErrHeld). The file stays behind, empty; a holder may remove it before it unlocks.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, err
		}
		if err := wait(ctx, f); err != nil {
			f.Close()
			return nil, err
		}
		if current(f, path) {
			return func() { f.Close() }, nil
		}
		f.Close() // the last holder removed it
	}
}

// current reports whether an open file is still the one at its path.
func current(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

func wait(ctx context.Context, f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		select {
		case <-ctx.Done():
			return ErrHeld
		case <-time.After(poll):
		}
	}
}
