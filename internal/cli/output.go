package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/planlint/planlint/report"
)

// useColor decides by the option, NO_COLOR and whether stdout is a terminal.
func useColor(io *streams, option string) (bool, error) {
	switch option {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto", "":
		file, ok := io.stdout.(*os.File)
		return ok && io.env["NO_COLOR"] == "" && io.env["TERM"] != "dumb" && term.IsTerminal(int(file.Fd())), nil
	}
	return false, optionError("--color", option, []string{"auto", "always", "never"})
}

// The least and the greatest width that a terminal gives to text.
const (
	minWidth = 60
	maxWidth = 160
)

// terminalWidth is the number of columns of stdout where it is a terminal, 0 for
// the default elsewhere: what goes to a file or a pipe is the same everywhere.
func terminalWidth(s *streams) int { return columnsOf(s.stdout) }

func columnsOf(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil || columns <= 0 {
		return 0
	}
	return min(max(columns, minWidth), maxWidth)
}

// writeOutput writes a result to stdout, or to a file that is either complete
// or not there: it is written beside its place and renamed.
func writeOutput(s *streams, path string, write func(io.Writer) error) error {
	if path == "" || path == stdinName {
		buffered := bufio.NewWriter(s.stdout)
		if err := write(buffered); err != nil {
			return fmt.Errorf("writing the result: %w", err)
		}
		if err := buffered.Flush(); err != nil {
			return fmt.Errorf("writing the result: %w", err)
		}
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeDevice(path, write) // a rename would take the device's place
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("-o %s: %w", printable(path), reason(err))
	}
	defer os.Remove(temporary.Name())
	buffered := bufio.NewWriter(temporary)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("-o %s: %w", printable(path), reason(err))
	}
	return nil
}

// writeDevice writes to what is no regular file: a terminal, a pipe, /dev/null.
func writeDevice(path string, write func(io.Writer) error) error {
	device, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		buffered := bufio.NewWriter(device)
		if err = write(buffered); err == nil {
			err = buffered.Flush()
		}
		if closed := device.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return fmt.Errorf("-o %s: %w", printable(path), reason(err))
	}
	return nil
}

// printable escapes what must not reach a terminal.
func printable(text string) string { return report.Escape(text) }
