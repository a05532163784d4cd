// Package session keeps what planlint knows of a running agent session between
// the short-lived processes that decide its calls.
//
// In: what a client's events say (a call is proposed, it ran, the user wrote, a
// sub-agent started) and the new bytes of the client's own transcript. Out: the
// session so far as a plan.Plan, and remembered approvals.
//
// # How
//
// A session is one file of records, each a line with a CRC-32C, appended to
// under a lock that is held from reading to writing, since clients run hooks
// side by side. A proposed call is recorded before its answer is given, so that
// its labels count for calls that are proposed before its result is there.
// State wins for calls that an event told of; transcripts only add calls,
// results that are missing, and texts, so they can only raise labels.
//
// # What is kept of values
//
// Outputs and texts are kept with every word of four or more bytes replaced by a
// keyed digest of it, cut to the word's own length and kind (mask.go); of the
// user's own words only those that may be keys or tokens are. Values are matched word by word, so a masked text still
// matches a masked copy of itself, and where a new call mentions a word, that
// word is put back for the time of the decision. Arguments are kept as they
// are, since paths and commands must be read, but for the words of labelled
// values in them.
//
// # Guarantees and limits
//
// Files have mode 0600. A torn last record is dropped and reported; any other
// damage is an error, and the caller must deny. Nothing is appended in part that
// a later reader would take for whole. The file is bounded: compact.go says what
// is dropped first, and a drop that can lose a flow is a diagnostic. Words of
// one to three bytes and punctuation are kept in clear. Each proposed call is a
// turn of its own unless a client hands over several at once, so parallel calls
// are judged as if each had seen the one before: strict, never lax.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/planlint/planlint/internal/lockfile"
	"github.com/planlint/planlint/plan"
)

// Store is the folder that sessions are kept in.
type Store struct{ dir string }

// NewStore returns the store in a folder, which is made when it is needed.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// Dir is the store's folder.
func (s *Store) Dir() string { return s.dir }

// Errors that a caller tells a person apart by.
var (
	// ErrLocked: another process held the session's lock until the deadline.
	ErrLocked = lockfile.ErrHeld
	// ErrNoFolder: neither a home nor a state folder is known.
	ErrNoFolder = errors.New("no folder for state is known")
	// ErrDamaged: a record that is not the last one can't be read.
	ErrDamaged = errors.New("the session's state is damaged")
)

// Session is one session, locked. It is not safe for concurrent use.
type Session struct {
	state
	path    string
	unlock  func()
	mask    *masker
	pending []record
	size    int64
	records int
	// clear are the arguments of calls of this process, by index, unmasked.
	// came are the outputs that this process saw.
	clear, came map[int]plan.Value
	// turns is the number of each agent's next turn.
	turns map[string]int
	// Torn says that a last record was cut off and dropped.
	Torn bool
	// rewrote: this process wrote the file anew, with other indexes than it has.
	rewrote bool
	// old is the head that was read, stale or not.
	old *Head
}

// Open locks and reads a session, or starts it. It waits for the lock until the
// context ends.
func (s *Store) Open(ctx context.Context, client, id string) (*Session, error) {
	session, err := s.locked(ctx, client, id)
	if err != nil {
		return nil, err
	}
	if err := session.Load(client, id); err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

// OpenHead locks a session and reads its head only, nil if it has none that
// fits. Before anything but Fits and Append is asked of the session, Load has to
// be called.
func (s *Store) OpenHead(ctx context.Context, client, id string) (*Session, *Head, error) {
	session, err := s.locked(ctx, client, id)
	if err != nil {
		return nil, nil, err
	}
	h := session.readHead()
	if h != nil && (h.Client != client || h.ID != id) {
		h = nil
	}
	return session, h, nil
}

// Load reads the record of a session that OpenHead opened, or starts it.
func (s *Session) Load(client, id string) error {
	if err := s.read(); err != nil {
		return err
	}
	if s.Client == "" {
		s.add(record{Kind: kindOpen, Client: client, ID: id})
	}
	return nil
}

// locked waits for a session's lock.
func (s *Store) locked(ctx context.Context, client, id string) (*Session, error) {
	if s.dir == "" {
		return nil, ErrNoFolder
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	name := fileName(client, id)
	unlock, err := lockfile.Lock(ctx, filepath.Join(s.dir, name+".lock"))
	if err != nil {
		return nil, err
	}
	return &Session{path: filepath.Join(s.dir, name+logSuffix), unlock: unlock, mask: newMasker(key),
		clear: map[int]plan.Value{}, came: map[int]plan.Value{}, turns: map[string]int{}}, nil
}

// Close gives the lock back. What was not committed is lost.
func (s *Session) Close() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

const (
	logSuffix = ".session"
	keyName   = "key"
	keySize   = 32
)

// fileName is a file name for a session id, which is the client's own text.
func fileName(client, id string) string {
	sum := sha256.Sum256([]byte(client + "\x00" + id))
	return hex.EncodeToString(sum[:12])
}

// key returns the store's key, making one where there is none. Two processes
// that start at once agree: the one whose link fails reads the other's.
func (s *Store) key() ([]byte, error) {
	path := filepath.Join(s.dir, keyName)
	data, err := os.ReadFile(path)
	if err == nil {
		if len(data) != keySize {
			return nil, fmt.Errorf("%s: %w: the key has %d bytes", path, ErrDamaged, len(data))
		}
		return data, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	data = make([]byte, keySize)
	if _, err := rand.Read(data); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(s.dir, ".key-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(path)
}
