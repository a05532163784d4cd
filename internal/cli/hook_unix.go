//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// surviveSignals keeps a closed pipe or a full quota from killing the process
// before it has answered; the failed write is an error and denies.
func surviveSignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }
