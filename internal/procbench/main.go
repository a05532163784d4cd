// Command procbench measures whole processes: the time from start to end of each
// command beside that of an empty Go program, interleaved, so that what else the
// machine does meets all alike. It is run by hand; docs/performance.md has its
// figures.
//
//	go run ./internal/procbench 50 examples/plans/order-lookup.yaml
//
// builds ./cmd/planlint and an empty program in a temporary folder, both without
// cgo as README.md installs them (CGO_ENABLED=1 in the environment measures with
// it), runs each that many times, and prints medians, minimums, ratios and page
// faults. Ratios and faults are what counts: a machine under load has no
// milliseconds.
package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: procbench RUNS FILE...")
		os.Exit(2)
	}
	if err := measure(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func measure(count string, files []string) error {
	runs, err := strconv.Atoi(count)
	if err != nil || runs < 1 {
		return fmt.Errorf("%q is no number of runs", count)
	}
	dir, err := os.MkdirTemp("", "procbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	empty, planlint, err := build(dir)
	if err != nil {
		return err
	}
	commands := [][]string{{empty}, {planlint, "version"}}
	for _, f := range files {
		commands = append(commands, []string{planlint, "check", f})
	}
	show(commands, times(commands, runs))
	return nil
}

// build builds the empty program and planlint.
func build(dir string) (empty, planlint string, err error) {
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		return "", "", err
	}
	empty, planlint = filepath.Join(dir, "empty"), filepath.Join(dir, "planlint")
	for out, of := range map[string]string{empty: source, planlint: "./cmd/planlint"} {
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, of)
		if os.Getenv("CGO_ENABLED") == "" {
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		}
		if text, err := cmd.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("building %s: %w\n%s", of, err, text)
		}
	}
	return empty, planlint, nil
}

// run is one run of a command.
type run struct {
	took   time.Duration
	faults int64
}

// times runs the commands in turn. Their exit codes say what they found, not
// whether they ran; a command that does not start shows as one that takes no
// time.
func times(commands [][]string, runs int) [][]run {
	taken := make([][]run, len(commands))
	for range runs {
		for i, c := range commands {
			start := time.Now()
			cmd := exec.Command(c[0], c[1:]...)
			_ = cmd.Run()
			taken[i] = append(taken[i], run{time.Since(start), faults(cmd.ProcessState)})
		}
	}
	return taken
}

func show(commands [][]string, taken [][]run) {
	ms := func(r run) float64 { return float64(r.took.Microseconds()) / 1000 }
	var base [2]float64
	for i, list := range taken {
		slices.SortFunc(list, func(a, b run) int { return cmp.Compare(a.took, b.took) })
		middle := list[len(list)/2]
		median, least := ms(middle), ms(list[0])
		if i == 0 {
			base = [2]float64{median, least}
		}
		name := filepath.Base(commands[i][0])
		for _, arg := range commands[i][1:] {
			name += " " + arg
		}
		fmt.Printf("median %6.1f ms %5.1fx   minimum %6.1f ms %5.1fx   %5d faults   %s\n",
			median, median/base[0], least, least/base[1], middle.faults, name)
	}
}
