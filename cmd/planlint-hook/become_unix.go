//go:build unix

package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const (
	fullName = "planlint"
	hangUp   = syscall.SIGHUP
)

// surviveSignals keeps a closed pipe or a full quota from killing the process
// before it has answered; the failed write is an error and denies.
func surviveSignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

// pipeSize is what a pipe is sure to hold without a reader.
const pipeSize = 4096

// become replaces the process, so that the client's signals reach the program
// that answers, and the session's lock is given back in the same moment.
func become(path string, args, env []string, stdin []byte) error {
	f, err := holding(stdin)
	if err != nil {
		return fmt.Errorf("the event can't be handed on: %w", err)
	}
	defer f.Close()
	if err := dup(int(f.Fd()), 0); err != nil {
		return fmt.Errorf("the event can't be handed on: %w", err)
	}
	return fmt.Errorf("%s can't be started: %w", path, syscall.Exec(path, args, env))
}

// holding returns a file to read the bytes from: a pipe, or for more than it
// holds a file without a name.
func holding(data []byte) (*os.File, error) {
	if len(data) <= pipeSize {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		defer w.Close()
		_, err = w.Write(data)
		return r, err
	}
	f, err := os.CreateTemp("", "planlint-event-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, 0)
	return f, err
}
