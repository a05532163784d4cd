// Package testbin builds this module's commands for tests that run them.
package testbin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const commands = "github.com/planlint/planlint/cmd/"

// Set is some commands, built when a test first asks for them.
type Set struct {
	names []string
	once  sync.Once
	dir   string
	err   error
}

// New returns the set of the commands of those names.
func New(names ...string) *Set { return &Set{names: names} }

// Path returns the path of one of the commands.
func (s *Set) Path(t testing.TB, name string) string {
	t.Helper()
	s.once.Do(func() { s.dir, s.err = build(s.names) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return filepath.Join(s.dir, name)
}

// Main runs a package's tests, removes what was built, and ends the process.
func (s *Set) Main(m *testing.M) {
	code := m.Run()
	os.RemoveAll(s.dir)
	os.Exit(code)
}

func build(names []string) (dir string, err error) {
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
