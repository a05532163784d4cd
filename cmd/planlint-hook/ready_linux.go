package main

import (
	"os"
	"syscall"
	"unsafe"
)

// ready waits for a moment and reports whether a read of the file would not
// wait any more.
func ready(f *os.File) bool {
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(f.Fd()), events: pollIn}
	moment := syscall.NsecToTimespec(momentNs)
	n, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&moment)), 0, 0, 0)
	return errno == 0 && n == 1
}

// momentNs is how long a client may take to write its event, in nanoseconds.
const momentNs = 20e6

// pollIn is POLLIN.
const pollIn = 1
