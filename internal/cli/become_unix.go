//go:build unix

package cli

import (
	"fmt"
	"syscall"
)

// become replaces the process, so that the client's signals reach the program
// that answers and its parent is still the client.
func become(s *streams, path string, args []string) error {
	err := syscall.Exec(path, append([]string{path}, args...), s.environ())
	return fmt.Errorf("%s can't be started: %w", printable(path), err)
}
