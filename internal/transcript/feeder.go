package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/planlint/planlint/plan"
)

// ListClient is a Client whose records may be lists as well as objects.
type ListClient interface{ Lists() }

// MaxLine is the longest line that is read, in bytes; longer ones are noted.
const MaxLine = 64 << 20

// Feeder cuts a growing JSONL file into records. It holds back a last line
// that has no end yet.
type Feeder struct {
	// torn: the line being read has no end. Whether the file was cut off there or is
	// still written to can't be told, so an unreadable one counts as any other.
	torn   bool
	client Client
	emit   Emit
	dec    Decoder
	shape  Shape
	rest   []byte
	line   int32
	// tooLong: the line under way is longer than MaxLine and dropped.
	tooLong bool
}

// NewFeeder returns a feeder that hands records to client, events to emit.
func NewFeeder(client Client, emit Emit) *Feeder {
	return &Feeder{client: client, emit: emit, shape: client.Shape(), line: 1}
}

// Feed takes the next bytes of the file.
func (f *Feeder) Feed(b []byte) {
	for {
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			f.hold(b)
			return
		}
		if len(f.rest) > 0 || f.tooLong {
			f.hold(b[:end])
			f.Line(string(f.rest))
			f.rest, f.tooLong = f.rest[:0], false
		} else {
			f.Line(string(b[:end]))
		}
		b = b[end+1:]
	}
}

func (f *Feeder) hold(b []byte) {
	if f.tooLong || len(f.rest)+len(b) > MaxLine {
		f.rest, f.tooLong = f.rest[:0], true
		return
	}
	f.rest = append(f.rest, b...)
}

// Close reads a last line without an end, and ends the transcript.
func (f *Feeder) Close() {
	if len(f.rest) > 0 || f.tooLong {
		f.torn = true
		f.Line(string(f.rest))
	}
	f.rest = nil
	f.client.Close(f.emit)
}

// Line reads one line, without its end.
func (f *Feeder) Line(line string) {
	at := plan.Position{Line: f.line, Column: 1, Length: int32(len(line))}
	f.line++
	if f.tooLong || len(line) > MaxLine {
		f.emit(Event{Kind: Note, ID: NoteUnreadable, Pos: at, Lost: true,
			Message: fmt.Sprintf("line longer than %d MB, not read", MaxLine>>20)})
		return
	}
	if at.Line == 1 {
		line = f.withoutBOM(line)
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	f.dec.Reset(line, at.Line)
	v, err := f.dec.One(f.shape)
	if _, lists := f.client.(ListClient); err == nil && v.Kind != plan.Object && !(lists && v.Kind == plan.List) {
		err = errors.New("the record is no object")
	}
	if err != nil {
		emit := f.emit
		if f.torn {
			emit = func(e Event) {
				if e.Kind == Note {
					e.Hint = "the file ends inside its last record: it was cut off, or is still being written"
				}
				f.emit(e)
			}
		}
		Unreadable(err, line, at, emit)
		return
	}
	f.record(v, line, at)
}

func (f *Feeder) record(v plan.Value, line string, at plan.Position) {
	if odd := f.dec.Irregular(); odd != 0 {
		f.emit(Event{Kind: Note, ID: NoteUnreadable, Pos: at,
			Message: "the record is irregular: " + odd.String() + StillRead})
	}
	f.client.Record(&Record{Value: v, Raw: line}, f.emit)
}

// withoutBOM blanks a byte order mark, so that columns stay right.
func (f *Feeder) withoutBOM(line string) string {
	if rest, ok := strings.CutPrefix(line, "\ufeff"); ok {
		return "   " + rest
	}
	return line
}

// Unreadable emits the note of a record that could not be read, and its text:
// whatever it says may have been in the agent's context.
func Unreadable(err error, text string, at plan.Position, emit Emit) {
	msg := err.Error()
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		msg = syntax.Msg
		if syntax.Pos.Known() {
			at = syntax.Pos
		}
	}
	emit(Event{Kind: Note, ID: NoteUnreadable, Pos: at, Lost: true, Message: "record not readable: " + msg})
	emit(Event{Kind: Text, TextKind: plan.TextUnknown, Origin: "unreadable record",
		Value: plan.Value{Kind: plan.String, Text: text, Pos: at}, Pos: at})
}
