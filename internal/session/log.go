package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// maxLog is the largest session file that is read. Compaction keeps files far
// below it, so a larger one is none of ours.
const maxLog = 64 << 20

// castagnoli is made when it is needed: a call that is answered by the head does
// without.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// encode writes one record as a line: eight hex digits of its checksum, a
// blank, JSON.
func encode(r *record) ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(make([]byte, 0, len(data)+10), "%08x ", crc32.Checksum(data, castagnoli()))
	return append(append(line, data...), '\n'), nil
}

// decode reads one line, without its end.
func decode(line []byte) (record, error) {
	var r record
	if len(line) < 10 || line[8] != ' ' {
		return r, ErrDamaged
	}
	data := line[9:]
	if fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli())) != string(line[:8]) {
		return r, ErrDamaged
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return r, nil
}

// read replays the session's file. A last line that is cut off is dropped.
func (s *Session) read() error {
	info, err := os.Lstat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > maxLog {
		return fmt.Errorf("%s: %w: not a session file", s.path, ErrDamaged)
	}
	data, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	return s.replay(data)
}

func (s *Session) replay(data []byte) error {
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		last := end < 0 || at+end+1 == len(data)
		if end < 0 {
			end = len(data) - at
		}
		r, err := decode(data[at : at+end])
		if err == nil && at+end == len(data) {
			err = ErrDamaged // whole by chance, but its end was not written
		}
		if err == nil {
			err = s.apply(&r)
		}
		if err != nil && last {
			s.Torn = true
			break
		}
		if err != nil {
			return fmt.Errorf("%s: record %d: %w", s.path, s.records+1, err)
		}
		s.records++
		at += end + 1
		s.size = int64(at)
	}
	return nil
}

// add applies a record and keeps it for Commit.
func (s *Session) add(r record) {
	if err := s.apply(&r); err == nil {
		s.pending = append(s.pending, r)
	}
}

// Commit appends what is new to the session's file. After an error nothing of
// it counts, and the caller must not let the call run.
func (s *Session) Commit() error {
	if len(s.pending) == 0 {
		return nil
	}
	s.sealArguments()
	var out []byte
	for i := range s.pending {
		line, err := encode(&s.pending[i])
		if err != nil {
			return err
		}
		out = append(out, line...)
	}
	if s.tooLarge(len(out)) {
		return s.rewrite()
	}
	if err := appendAt(s.path, s.size, out); err != nil {
		return err
	}
	s.size += int64(len(out))
	s.records += len(s.pending)
	s.pending = nil
	return nil
}

// replaceFile writes a file beside its place and renames it.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no-op once renamed
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
