package trace

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// MaxUnzipped is the most that a gzipped file may unpack to, in bytes, and
// MaxRatio how many times its size where that is more than 16 MiB.
const (
	MaxUnzipped = 1 << 30
	MaxRatio    = 300
)

// gzipHint is what helps where gzipped data can't be unpacked.
const gzipHint = "gzip -t FILE tells whether a copy is whole"

// Unzip unpacks a gzipped file once and returns other files as they are, as Read
// does. Of data that ends early what is there comes with the error; the end of the
// data holds its checksum, so no cut goes unnoticed. By the name a file is gzipped
// that is cut before anything says so.
func Unzip(src []byte, name string) ([]byte, []plan.Error) {
	if len(src) < 2 && strings.HasSuffix(name, ".gz") {
		return nil, zipError(io.EOF)
	}
	return unzipped(src)
}

func unzipped(src []byte) ([]byte, []plan.Error) {
	if !isGzip(src) {
		return src, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, zipError(err)
	}
	most := min(int64(MaxUnzipped), max(int64(len(src))*MaxRatio, 16<<20))
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	switch {
	case int64(len(out)) > most:
		return nil, []plan.Error{{Message: fmt.Sprintf("the gzipped file unpacks to more than %d bytes", most)}}
	case isGzip(out):
		return nil, []plan.Error{{Message: "the file is gzipped twice", Hint: "gunzip it once: planlint unpacks one layer"}}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return out, zipError(err)
	case err != nil:
		return nil, zipError(err)
	}
	return out, nil
}

func isGzip(src []byte) bool { return len(src) >= 2 && src[0] == 0x1f && src[1] == 0x8b }

// zipError says what is wrong with gzipped data.
func zipError(err error) []plan.Error {
	msg := "the gzip data is damaged (" + err.Error() + ")"
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		msg = "the gzip data ends early: the file was cut off, and what is missing was not checked"
	}
	return []plan.Error{{Message: msg, Hint: gzipHint}}
}

// unzippedHead unpacks what it can of the beginning of a gzipped file.
func unzippedHead(head []byte) []byte {
	if !isGzip(head) {
		return head
	}
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(z, HeadSize)) //nolint:errcheck // a head breaks off
	return out
}

// isLines tells JSON lines from one JSON document: the first line is a whole
// value and others follow, or the file is no whole document.
func isLines(src []byte) bool {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	src = bytes.TrimLeft(src, " \t\r\n")
	first, rest, _ := bytes.Cut(src, []byte("\n"))
	if len(bytes.TrimSpace(rest)) == 0 {
		return len(first) == 0 || first[0] != '['
	}
	d := transcript.NewDecoder(string(first), 1)
	if d.Skip() == nil && !d.More() {
		return true
	}
	d = transcript.NewDecoder(string(src), 1)
	return d.Skip() != nil
}

// document reads the values of a JSON document; a list's items one by one.
func (r *reader) document(src []byte, want transcript.Shape, emit transcript.Emit) []plan.Value {
	text := string(src)
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text = "   " + rest // columns stay right
	}
	d := transcript.NewDecoder(text, 1)
	var values []plan.Value
	for d.More() {
		v, err := d.Next(want)
		if err != nil {
			transcript.Unreadable(err, "", v.Pos, emit)
		}
		if v.Kind == plan.List && !isConversation(&v) {
			values = append(values, v.Items...)
		} else {
			values = append(values, v)
		}
		if err != nil {
			break
		}
	}
	if odd := d.Irregular(); odd != 0 {
		emit(transcript.Event{Kind: transcript.Note, ID: NoteUnreadable, Pos: plan.Position{Line: 1, Column: 1},
			Message: "the document is irregular: " + odd.String() + transcript.StillRead})
	}
	return values
}

// isConversation reports whether a list is one of messages.
func isConversation(v *plan.Value) bool {
	return len(v.Items) > 0 && has(&v.Items[0], "role") && !has(&v.Items[0], "messages")
}

// collector keeps the records of a file of lines.
type collector struct{ values []plan.Value }

func (c *collector) Shape() transcript.Shape { return nil }
func (c *collector) Close(transcript.Emit)   {}
func (c *collector) Record(r *transcript.Record, _ transcript.Emit) {
	c.values = append(c.values, r.Value)
}
