package main

import (
	"bytes"
	"fmt"
	"time"
)

// fullBinary starts the full planlint with the event that was read.
type fullBinary struct {
	args, env []string
	event     *bytes.Buffer
	start     time.Time
	deadline  time.Duration
}

// leastTime is what the full binary gets at least, however late it is.
const leastTime = 200 * time.Millisecond

// replace becomes the full binary. It returns only with the reason why it could
// not; the caller has to deny then. compile asks it to compile the policy too.
func (f *fullBinary) replace(compile bool) error {
	path, err := sibling()
	if err != nil {
		return err
	}
	left := max(f.deadline-time.Since(f.start), leastTime)
	// The last --deadline counts.
	args := append([]string{path, "hook"}, f.args...)
	args = append(args, fmt.Sprintf("--deadline=%dms", left.Milliseconds()))
	if compile {
		args = append(args, "--refresh-policy")
	}
	return become(path, args, f.env, f.event.Bytes())
}
