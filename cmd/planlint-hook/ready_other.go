//go:build !linux

package main

import "os"

// ready reports whether a read of the file would not wait; only a regular file
// is sure not to.
func ready(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
