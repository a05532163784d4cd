//go:build !unix

package cli

import "os/exec"

// become runs the program to its end; a process can't be replaced here.
func become(s *streams, path string, args []string) error {
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.environ(), s.stdin, s.stdout, s.stderr
	if cmd.Run() != nil {
		return errReported
	}
	return nil
}
