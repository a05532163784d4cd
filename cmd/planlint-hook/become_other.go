//go:build !unix

package main

import (
	"errors"
	"syscall"
)

const (
	fullName = "planlint.exe"
	hangUp   = syscall.SIGTERM
)

func surviveSignals() {}

// become can't replace a process here; such systems run "planlint hook" itself.
func become(string, []string, []string, []byte) error {
	return errors.New("the full planlint can't take over on this system; configure planlint hook in place of planlint-hook")
}
