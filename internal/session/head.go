package session

import (
	"errors"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// Head is what a call that the session can't change the answer of needs to know
// of it: a small file beside the record, so that such a call does not read the
// record. It is written with every commit of a process that read all of it, and
// counts only while it fits the record's size and end; without it the
// record is read, so losing it costs time only.
type Head struct {
	Client string
	ID     string
	Cwd    string
	// Calls, Turn: the next call's index and the main agent's next turn.
	Calls int
	Turn  int
	// Size and Tail tell the record: its length, and a checksum of its end.
	Size    int64
	Records int
	Tail    string
	Limit   int64
	// Prompted: an event told of the user's words.
	Prompted bool
	// Loose: a call that only the transcript told of is open.
	Loose bool
	Feeds []headFeed
	// Secret: a call of the session carries what must not be kept in clear.
	Secret bool
	Facts  Facts
	// Memo are calls that were found not to depend on the session, newest last.
	Memo []Memo
	// Known and Open are digests of the ids of all calls, in their order, and of
	// those without a result. Plain are those of Open that were allowed and carry
	// no label.
	Known []uint64
	Open  []uint64
	Plain []uint64
}

// Facts are what the calls of a session leave for later ones to be resolved by.
type Facts struct {
	// Policy identifies the policy that the facts were found by.
	Policy string
	// Text: an output may hold third parties' text.
	Text bool
	// Labels are all that something in the session carries.
	Labels []string
	// Unsure: what command lines left behind is not fully in Prelude.
	Unsure bool
	// Prelude are the command lines that later ones depend on.
	Prelude []Line
	// Written are digests of the paths that calls wrote, as PathDigest has them.
	Written []uint64
}

// Memo is the answer for a call that does not depend on the session but for
// files that it runs.
type Memo struct {
	// Key is a digest of the call, of where it runs, and of the policy.
	Key      string
	Rule     string
	ReadOnly bool
	// Runs are digests of the files that it runs or loads; Any: it may run others.
	Runs []uint64
	Any  bool
	// Writes are digests of the files that it writes.
	Writes []uint64
	// Free are arguments whose text does not matter, as long as nothing is
	// recognised in it; Key is without them.
	Free []string
}

// maxMemo is how many answers a head keeps.
const maxMemo = 64

// Recall returns the remembered answer that is for a call and still holds, and
// the facts after it.
func (h *Head) Recall(isFor func(*Memo) bool) (m Memo, after Facts, ok bool) {
	for i := range h.Memo {
		if m := &h.Memo[i]; isFor(m) {
			if m.Any && len(h.Facts.Written) > 0 || overlap(m.Runs, h.Facts.Written) {
				return Memo{}, h.Facts, false
			}
			after := h.Facts.writing(m.Writes)
			return *m, after, len(after.Written) <= MaxWritten
		}
	}
	return Memo{}, h.Facts, false
}

// writing returns the facts with more files written.
func (f Facts) writing(files []uint64) Facts {
	for _, w := range files {
		if !slices.Contains(f.Written, w) {
			f.Written = append(f.Written[:len(f.Written):len(f.Written)], w)
		}
	}
	return f
}

// Remember keeps an answer for Recall; Append writes it.
func (h *Head) Remember(m Memo) {
	h.Memo = append(h.Memo, m)
	if n := len(h.Memo); n > maxMemo {
		h.Memo = h.Memo[n-maxMemo:]
	}
}

// MaxWritten bounds the written paths that are known one by one; beyond it no
// command line is answered by the head.
const MaxWritten = 4096

func overlap(a, b []uint64) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// same reports whether calls resolve and decide by both facts alike, but for
// the files that they run.
func (f *Facts) same(g *Facts) bool {
	return f.Policy == g.Policy && f.Text == g.Text && f.Unsure == g.Unsure && slices.Equal(f.Labels, g.Labels) &&
		slices.EqualFunc(f.Prelude, g.Prelude, func(a, b Line) bool {
			return a.Tool == b.Tool && a.Server == b.Server && a.Agent == b.Agent && a.Failed == b.Failed && string(a.Args) == string(b.Args)
		})
}

// Line is one call of Prelude.
type Line struct {
	Tool   string
	Server string
	Agent  string
	Args   []byte
	Failed bool
}

type headFeed struct {
	Path   string
	Head   string
	Offset int64
}

// PathDigest identifies a path in Facts.
func PathDigest(path string) uint64 { return digest64(path) }

// shortSum is a checksum of something small: CRC-32C as in records, without the
// tables that make it fast for more and cost more than they save here.
func shortSum(data []byte) uint32 {
	var table [256]uint32
	for i := range table {
		crc := uint32(i)
		for range 8 {
			crc = crc>>1 ^ crc32c&-(crc&1)
		}
		table[i] = crc
	}
	crc := ^uint32(0)
	for _, b := range data {
		crc = table[byte(crc)^b] ^ crc>>8
	}
	return ^crc
}

// crc32c is the reversed polynomial of CRC-32C.
const crc32c = 0x82f63b78

func digest64(s string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s) // never fails
	return h.Sum64()
}

const headSuffix = ".head"

func (s *Session) headPath() string { return strings.TrimSuffix(s.path, logSuffix) + headSuffix }

// readHead returns the head if it fits the record.
func (s *Session) readHead() *Head {
	data, err := os.ReadFile(s.headPath())
	if err != nil {
		return nil
	}
	h := decodeHead(data)
	if h == nil {
		return nil
	}
	s.old = h
	if size, tail := s.tail(); size != h.Size || tail != h.Tail || tail == "" {
		return nil
	}
	return h
}

// tailSize is how much of a record's end tells it from another one.
const tailSize = 256

// tail returns the record's size and a checksum of its end, "" where there is
// none.
func (s *Session) tail() (int64, string) {
	f, err := os.Open(s.path)
	if err != nil {
		return 0, ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, ""
	}
	b := make([]byte, min(info.Size(), tailSize))
	if _, err := f.ReadAt(b, info.Size()-int64(len(b))); err != nil && err != io.EOF {
		return 0, ""
	}
	return info.Size(), tailOf(b)
}

// tailOf is the checksum of a record's last lines.
func tailOf(lines []byte) string {
	all := lines[max(0, len(lines)-tailSize):]
	if len(all) == 0 || all[len(all)-1] != '\n' {
		return ""
	}
	return strconv.FormatUint(uint64(shortSum(all)), 16)
}

// KeepHead writes the head of a session that was read and committed. It is best
// effort: without it the next process reads the record.
func (s *Session) KeepHead(f Facts) {
	if len(s.pending) > 0 || s.rewrote {
		return
	}
	h := &Head{Client: s.Client, ID: s.ID, Cwd: s.Cwd, Calls: len(s.calls), Turn: s.turns[plan.MainAgent],
		Records: s.records, Limit: s.limit(), Prompted: s.prompted, Facts: f}
	for i := range s.calls {
		c := &s.calls[i]
		id := digest64(c.ID)
		h.Known = append(h.Known, id)
		if !c.HasOutput() && !c.Outcome.DidNotRun() {
			h.Open = append(h.Open, id)
			if c.decision == gate.Allow.String() && c.subject == nil && c.AgentName() == plan.MainAgent && c.Outcome == plan.Planned &&
				len(c.labelsIn)+len(c.labelsOut)+len(c.OutputLabels()) == 0 {
				h.Plain = append(h.Plain, id)
			}
		}
		h.Secret = h.Secret || c.secret
		h.Loose = h.Loose || c.from == fromTranscript && (c.Outcome == plan.Planned || c.Outcome == plan.Unknown)
	}
	if s.old != nil && s.old.Facts.same(&f) {
		h.Memo = s.old.Memo
	}
	for _, x := range s.feeds {
		h.Feeds = append(h.Feeds, headFeed{x.path, x.head, x.offset})
	}
	if h.Size, h.Tail = s.tail(); h.Size == s.size && h.Tail != "" {
		_ = s.writeHead(h) // a head that was not written is stale
	}
}

func (s *Session) writeHead(h *Head) error {
	// Its checksum tells a head that was not written to its end. What a longer one
	// left behind it is not read; cutting it off would cost more than all the rest.
	f, err := os.OpenFile(s.headPath(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(encodeHead(h))
	return errors.Join(err, f.Close())
}

// Fits reports whether a call can be appended by the head alone: nothing before
// it is about the same call, and the transcript has nothing that is not known.
func (s *Session) Fits(h *Head, c *plan.Call, cwd string, src Source) bool {
	switch {
	case h.Secret, c.ID == "" && h.Loose, h.Cwd == "" && cwd != "":
		return false
	}
	id := s.newID(h, c.ID)
	return !slices.Contains(h.Known, digest64(id)) && s.quiet(h, src, c.ID)
}

// newID is the id that uniqueID gives where nothing has it.
func (s *Session) newID(h *Head, id string) string {
	if id != "" {
		return id
	}
	for n := h.Calls + 1; ; n++ {
		if id := "call#" + itoa(n); !slices.Contains(h.Known, digest64(id)) {
			return id
		}
	}
}

// maxQuiet is how much of a transcript is looked at to find it quiet.
const maxQuiet = 1 << 20

// quiet reports whether a transcript holds nothing new but what the session has
// from events.
func (s *Session) quiet(h *Head, src Source, id string) bool {
	if src.Path == "" {
		return true
	}
	f, err := os.Open(src.Path)
	if errors.Is(err, os.ErrNotExist) {
		return true
	}
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || src.Client == "cline" || src.Client == "opencode" {
		return false
	}
	at := int64(0)
	for _, x := range h.Feeds {
		if x.Path == src.Path && x.Offset <= info.Size() && x.Head == s.head(f, x.Offset) {
			at = x.Offset
		}
	}
	if info.Size()-at > maxQuiet {
		return false
	}
	news := make([]byte, info.Size()-at)
	if _, err := f.ReadAt(news, at); err != nil && err != io.EOF {
		return false
	}
	whole, _ := wholeLines(news)
	quiet := true
	feeder := transcript.NewFeeder(reader(src.Client), func(e transcript.Event) { quiet = quiet && h.knows(&e, id) })
	feeder.Feed(whole)
	feeder.Close()
	return quiet
}

// knows reports whether a transcript's event tells nothing new; id is the call
// that is being decided.
func (h *Head) knows(e *transcript.Event, id string) bool {
	switch e.Kind {
	case transcript.Call:
		return e.ID != "" && (e.ID == id || slices.Contains(h.Known, digest64(e.ID)))
	case transcript.Result: // the event of this call tells of it, too
		d := digest64(e.ID)
		return e.ID != "" && slices.Contains(h.Known, d) && (e.ID == id || !slices.Contains(h.Open, d))
	case transcript.Text:
		return e.TextKind == plan.TextModel || e.TextKind == plan.TextSystem || e.TextKind == plan.TextUser && h.Prompted
	case transcript.Session:
		return h.Cwd != ""
	}
	return false
}

// Append records one decided call of the main agent by the head alone. After an
// error nothing of it counts, and the caller must not let the call run; ok is
// false where the record has to be read and compacted first.
func (s *Session) Append(h *Head, c plan.Call, v Verdict, f Facts) (ok bool, err error) {
	id := s.newID(h, c.ID)
	out := appendCall(nil, &c, id, h.Turn, s.markOf(&c))
	out = appendDecision(out, h.Calls, v)
	if h.Size+int64(len(out)) > h.Limit {
		return false, nil
	}
	if err := s.extend(h, out, 2); err != nil {
		return true, err
	}
	if !h.Facts.same(&f) {
		h.Memo = nil
	}
	h.Calls, h.Turn, h.Facts = h.Calls+1, h.Turn+1, f
	digest := digest64(id)
	h.Known, h.Open, h.Plain = append(h.Known, digest), append(h.Open, digest), append(h.Plain, digest)
	_ = s.writeHead(h) // a head that was not written is stale
	return true, nil
}

// FitsResult reports whether the result of a call can be appended by the head
// alone: no label is in the session that it could carry, and the transcript has
// nothing that is not known.
func (s *Session) FitsResult(h *Head, id string, src Source) bool {
	return id != "" && !h.Secret && len(h.Facts.Labels) == 0 && !h.Facts.Text && slices.Contains(h.Plain, digest64(id)) && s.quiet(h, src, id)
}

// AppendResult records what a call returned, in which nothing was recognised, by
// the head alone. Its results are those of Append.
func (s *Session) AppendResult(h *Head, id string, output *plan.Value, isCut bool) (ok bool, err error) {
	digest := digest64(id)
	r := record{Kind: kindUpdate, At: slices.Index(h.Known, digest), Outcome: plan.Ran.String()}
	if output != nil {
		short, more := cut(structured(*output), maxOutput)
		masked := s.mask.value(short)
		r.Output, r.Cut = JSON(&masked), isCut || more
	}
	line, err := encode(&r)
	if err != nil {
		return false, err
	}
	if h.Size+int64(len(line)) > h.Limit {
		return false, nil
	}
	if err := s.extend(h, line, 1); err != nil {
		return true, err
	}
	same := func(x uint64) bool { return x == digest }
	h.Open, h.Plain = slices.DeleteFunc(h.Open, same), slices.DeleteFunc(h.Plain, same)
	_ = s.writeHead(h) // a head that was not written is stale
	return true, nil
}

// extend appends lines to the record and brings the head up to it.
func (s *Session) extend(h *Head, lines []byte, records int) error {
	if err := appendAt(s.path, h.Size, lines); err != nil {
		return err
	}
	h.Size, h.Records, h.Tail = h.Size+int64(len(lines)), h.Records+records, ""
	if len(lines) >= tailSize {
		h.Tail = tailOf(lines)
	} else if size, tail := s.tail(); size == h.Size {
		h.Tail = tail
	}
	return nil
}

// appendAt writes at the end of a file, which is cut back where that fails.
func appendAt(path string, size int64, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	// What a torn record left behind is cut off, and so is what a full disk
	// leaves of this one.
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.WriteAt(data, size)
	}
	if err != nil {
		err = errors.Join(err, f.Truncate(size))
	}
	return errors.Join(err, f.Close())
}
