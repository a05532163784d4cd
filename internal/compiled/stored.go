package compiled

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/planlint/planlint/internal/content"
)

// ErrStale says that a compiled policy is missing or no longer what its files
// say.
var ErrStale = errors.New("the compiled policy is missing or stale")

// maxStored is the largest compiled policy that is read, in bytes.
const maxStored = 16 << 20

// StoredName is the file name of the compiled policy that a project's file and
// the user's folder make; project is "" where there is none.
func StoredName(project, userDir string) string {
	sum := sha256.Sum256([]byte(project + "\x00" + userDir))
	return hex.EncodeToString(sum[:12]) + ".policy"
}

// ReadStored reads a compiled policy and checks every file that it was made of.
// Errors that wrap ErrStale tell that it has to be compiled anew.
func ReadStored(path string) (*File, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrStale, err)
	}
	f, err := DecodeFile(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrStale, err)
	}
	if f.Builtin != BuiltinDigest() {
		return nil, fmt.Errorf("%w: another planlint compiled it", ErrStale)
	}
	for _, in := range f.Inputs {
		if err := in.check(); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrStale, err)
		}
	}
	return f, nil
}

// check says why an input is not as it was.
func (in *Input) check() error {
	data, err := readRegular(in.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && in.Digest == "":
		return nil
	case err != nil:
		return err
	case Digest(data) != in.Digest:
		return fmt.Errorf("%s has changed", in.Path)
	}
	return nil
}

func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxStored {
		return nil, fmt.Errorf("%s is no regular file of at most %d MB", path, maxStored>>20)
	}
	return os.ReadFile(path)
}

// WriteStored writes a compiled policy so that a reader sees the old one or the
// new one.
func WriteStored(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".policy-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // no-op once renamed
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Scanner returns what recognises secrets by a document's settings.
func Scanner(d *Document) *content.Scanner {
	return content.NewScanner(contentOptions(d.Settings.Content))
}
