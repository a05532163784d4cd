// Command planlint-hook answers an agent client's event like "planlint hook",
// out of a small binary that starts fast: it links no CEL, YAML, network or
// command-line library.
//
// In: the client's event on stdin, the policy that "planlint compile" flattened
// (or the built-in one, where neither the user nor the project has a policy),
// the session's record. Out: the client's answer.
//
// # How
//
// Masks, per-call rules and the effects of command lines decide here. Where a
// CEL condition has to be evaluated, or the compiled policy is missing, damaged
// or older than one of its files, the process becomes the full planlint that
// lies beside it, which starts over with the same event; nothing was written
// until then. Without one it denies.
//
// # Limits
//
// Rules on the plan as a whole (on: plan) only speak; they change no call's
// answer and are left to "planlint check".
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), process{
		args: os.Args[1:], env: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	}))
}
