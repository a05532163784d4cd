package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A device named by -o is written to; a rename would have put a file in its place.
func TestWriteOutputDevice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /dev/null")
	}
	link := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Symlink("/dev/null", link))
	s := &streams{stdout: &bytes.Buffer{}}
	require.NoError(t, writeOutput(s, link, func(w io.Writer) error {
		_, err := io.WriteString(w, "x")
		return err
	}))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
}
