// Package lockfile lets one process at a time change a file: a lock file beside it,
// which the system drops when its holder dies, or, where the system can't, which
// the holder removes.
package lockfile

import "errors"

// ErrHeld: another process held the lock until the deadline.
var ErrHeld = errors.New("another planlint holds the lock")
