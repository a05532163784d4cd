package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// ErrBehind: the transcript has more new bytes than could be read in time. What
// was read is kept, so the next try gets further.
var ErrBehind = errors.New("the session's transcript is longer than could be read in time")

// Source is what a client writes down of its sessions.
type Source struct {
	// Path is the file, "" for none; a file that is not there is none.
	Path string
	// Client names its form: claude-code, codex, gemini, qwen, copilot, cline,
	// opencode.
	Client string
	// Typed: the user's words may be taken from records that the client marks as
	// typed, since no event tells of prompts.
	Typed bool
}

const (
	// followChunk is how much is read at a time.
	followChunk = 1 << 20
	// headSize is how much of a file's start tells it from another one.
	headSize = 256
	// maxDocument is the largest transcript that is no list of lines and has to
	// be read as a whole.
	maxDocument = 32 << 20
)

// Follow reads what is new in a transcript. It ends early with ErrBehind when
// the context ends. A transcript that can't be read is an error that the caller
// may report and go on from: events alone tell of calls.
func (s *Session) Follow(ctx context.Context, src Source) error {
	if src.Path == "" {
		return nil
	}
	switch src.Client {
	case "cline":
		return s.document(src)
	case "opencode":
		return s.database(src)
	}
	f, err := os.Open(src.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("%q is no regular file", src.Path))
	}
	return s.lines(ctx, f, info.Size(), src)
}

// lines reads the whole lines from where the last process stopped.
func (s *Session) lines(ctx context.Context, f *os.File, size int64, src Source) error {
	at := s.resumeAt(f, size, src.Path)
	if at == size {
		return nil
	}
	in := &ingest{s: s, src: src}
	feeder := transcript.NewFeeder(reader(src.Client), in.event)
	start := at
	buf := make([]byte, followChunk)
	var behind error
	for at < size {
		if ctx.Err() != nil {
			behind = ErrBehind
			break
		}
		n, err := f.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if n == 0 && err != nil && err != io.EOF {
			return err
		}
		if n == 0 {
			break
		}
		feed, rest := wholeLines(buf[:n])
		if len(feed) == 0 && at+int64(n) == size {
			break // the last line is still being written
		}
		if len(feed) == 0 {
			feed, rest = buf[:n], 0 // a line longer than a chunk
		}
		feeder.Feed(feed)
		at += int64(n - rest)
	}
	feeder.Close()
	if at > start {
		s.add(record{Kind: kindFeed, Path: src.Path, Offset: at, Head: s.head(f, at)})
	}
	return behind
}

// wholeLines returns the part of a chunk up to its last line end, and how many
// bytes come after it.
func wholeLines(b []byte) (whole []byte, rest int) {
	for i := len(b); i > 0; i-- {
		if b[i-1] == '\n' {
			return b[:i], len(b) - i
		}
	}
	return nil, len(b)
}

// resumeAt returns where a file was read up to, 0 if it is another file now.
func (s *Session) resumeAt(f *os.File, size int64, path string) int64 {
	for _, known := range s.feeds {
		if known.path == path && known.offset <= size && known.head == s.head(f, known.offset) {
			return known.offset
		}
	}
	return 0
}

// head is a digest of a file's first bytes, of those that were read.
func (s *Session) head(f *os.File, offset int64) string {
	b := make([]byte, min(offset, headSize))
	if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
		return ""
	}
	return s.mask.mark(string(b))
}

func reader(client string) transcript.Client {
	switch client {
	case "codex":
		return transcript.NewCodex(plan.TextUser)
	case "gemini", "qwen":
		return transcript.NewGemini(plan.TextUser)
	case "copilot":
		return transcript.NewCopilot(plan.TextUser)
	}
	return transcript.NewClaude(plan.TextUser)
}

// document reads a transcript that is one JSON document, when it has changed.
func (s *Session) document(src Source) error {
	data, done, err := s.changed(src.Path, src.Path)
	if err != nil || data == nil {
		return err
	}
	v, err := Value(string(data))
	if err != nil {
		return nil // half written; the next event will find it whole
	}
	list := &v
	if messages := transcript.Member(&v, "messages"); messages != nil {
		list = messages
	}
	in := &ingest{s: s, src: src}
	messages := transcript.Messages{PromptKind: plan.TextUser}
	items := transcript.Items(list)
	for i := range items {
		messages.Message(&items[i], in.event)
	}
	done()
	return nil
}

// changed reads a whole file if it is not as it was read last; data is nil if it
// is. done records that it was read.
func (s *Session) changed(path, key string) (data []byte, done func(), err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxDocument {
		return nil, nil, fmt.Errorf("%q is no regular file of at most %d MB; its texts are not taken", path, maxDocument>>20)
	}
	head := s.mask.mark(info.ModTime().String())
	for _, f := range s.feeds {
		if f.path == key && f.offset == info.Size() && f.head == head {
			return nil, nil, nil
		}
	}
	if data, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	return data, func() { s.add(record{Kind: kindFeed, Path: key, Offset: info.Size(), Head: head}) }, nil
}
