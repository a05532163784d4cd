// Package testbin builds this module's commands for tests that run them.
package testbin

import (
	"fmt"
	"os"
	"os/exec"
)

const commands = "github.com/planlint/planlint/cmd/"

// Build builds commands into a new folder, which the caller removes.
func Build(names ...string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "planlint-test-*"); err != nil {
		return "", err
	}
	args := []string{"build", "-o", dir + string(os.PathSeparator)}
	for _, name := range names {
		args = append(args, commands+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
}
