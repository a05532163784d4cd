package policy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// FS reads policy files. Paths are the operating system's.
type FS interface {
	// ReadFile returns a file's content, at most MaxFile bytes; a larger file is
	// an error.
	ReadFile(path string) ([]byte, error)
}

// OS reads the machine's files.
type OS struct{}

// ReadFile returns the content of a regular file of at most MaxFile bytes.
func (OS) ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		return nil, fmt.Errorf("larger than %d bytes", MaxFile)
	}
	return data, err
}

// Resolve follows links.
func (OS) Resolve(path string) (string, error) { return filepath.EvalSymlinks(path) }

func asPathError(err error, target **os.PathError) bool { return errors.As(err, target) }

// Find returns the policy file of a folder: planlint.yaml in it or in the
// nearest folder above; "" where there is none. What cannot be looked at is an
// error, since a policy may be there.
func Find(files FS, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, FileName)
		_, err := files.ReadFile(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}
