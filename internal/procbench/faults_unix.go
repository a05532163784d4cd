//go:build unix

package main

import (
	"os"
	"syscall"
)

// faults are the page faults of a process that ended.
func faults(p *os.ProcessState) int64 {
	if p == nil {
		return 0
	}
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Minflt)
	}
	return 0
}
