package session

import (
	"encoding/binary"
	"strconv"

	"github.com/planlint/planlint/plan"
)

// headMagic starts a head's file; the number is the format's.
const headMagic = "planlint-head 1\n"

// headCode writes or reads a head field by field, in one order for both: numbers
// as varints, texts and lists behind their length. encoding/json would take
// longer for it than all the rest of a call that is answered by the head.
type headCode struct {
	out []byte
	in  []byte
	// reading, and bad once the input was not what was written.
	reading, bad bool
}

// headFront is the length of magic, checksum and the body's length.
const headFront = len(headMagic) + 8

// encodeHead writes magic, the checksum and length of the body, and the body.
func encodeHead(h *Head) []byte {
	c := &headCode{out: append(make([]byte, 0, 16<<10), headMagic+"12345678"...)}
	c.head(h)
	binary.LittleEndian.PutUint32(c.out[len(headMagic):], shortSum(c.out[headFront:]))
	binary.LittleEndian.PutUint32(c.out[len(headMagic)+4:], uint32(len(c.out)-headFront))
	return c.out
}

// decodeHead reads what encodeHead wrote; nil for anything else. What lies
// behind it is left of a longer head.
func decodeHead(data []byte) *Head {
	if len(data) < headFront || string(data[:len(headMagic)]) != headMagic {
		return nil
	}
	sum, length := binary.LittleEndian.Uint32(data[len(headMagic):]), binary.LittleEndian.Uint32(data[len(headMagic)+4:])
	if uint64(length) > uint64(len(data)-headFront) {
		return nil
	}
	body := data[headFront : headFront+int(length)]
	if shortSum(body) != sum {
		return nil
	}
	h, c := new(Head), &headCode{in: body, reading: true}
	c.head(h)
	if c.bad || len(c.in) > 0 {
		return nil
	}
	return h
}

func (c *headCode) head(h *Head) {
	c.text(&h.Client)
	c.text(&h.ID)
	c.text(&h.Cwd)
	c.int(&h.Calls)
	c.int(&h.Turn)
	c.int64(&h.Size)
	c.int(&h.Records)
	c.text(&h.Tail)
	c.int64(&h.Limit)
	c.bool(&h.Prompted)
	c.bool(&h.Loose)
	c.bool(&h.Secret)
	list(c, &h.Feeds, func(f *headFeed) { c.text(&f.Path); c.text(&f.Head); c.int64(&f.Offset) })
	c.facts(&h.Facts)
	list(c, &h.Memo, c.memo)
	c.digests(&h.Known)
	c.digests(&h.Open)
	c.digests(&h.Plain)
}

func (c *headCode) facts(f *Facts) {
	c.text(&f.Policy)
	c.bool(&f.Text)
	c.bool(&f.Unsure)
	list(c, &f.Labels, c.text)
	list(c, &f.Prelude, func(l *Line) {
		c.text(&l.Tool)
		c.text(&l.Server)
		c.text(&l.Agent)
		c.bytes(&l.Args)
		c.bool(&l.Failed)
	})
	c.digests(&f.Written)
}

func (c *headCode) memo(m *Memo) {
	c.text(&m.Key)
	c.text(&m.Rule)
	c.bool(&m.ReadOnly)
	c.bool(&m.Any)
	c.digests(&m.Runs)
	c.digests(&m.Writes)
	list(c, &m.Free, c.text)
}

func (c *headCode) int64(v *int64) {
	if !c.reading {
		c.out = binary.AppendVarint(c.out, *v)
		return
	}
	n, size := binary.Varint(c.in)
	if size <= 0 {
		c.bad, c.in = true, nil
		return
	}
	*v, c.in = n, c.in[size:]
}

func (c *headCode) int(v *int) {
	n := int64(*v)
	c.int64(&n)
	*v = int(n)
}

func (c *headCode) bool(v *bool) {
	n := int64(0)
	if *v {
		n = 1
	}
	c.int64(&n)
	*v = n == 1
}

// length passes the length of a list whose items take at least some bytes each.
func (c *headCode) length(n, least int) int {
	c.int(&n)
	if c.reading && (n < 0 || n > len(c.in)/max(least, 1)) {
		c.bad, n = true, 0
	}
	return n
}

func (c *headCode) bytes(v *[]byte) {
	n := c.length(len(*v), 1)
	if !c.reading {
		c.out = append(c.out, *v...)
		return
	}
	*v, c.in = c.in[:n:n], c.in[n:]
}

func (c *headCode) text(v *string) {
	if !c.reading {
		c.length(len(*v), 1)
		c.out = append(c.out, *v...)
		return
	}
	var b []byte
	c.bytes(&b)
	*v = string(b)
}

func (c *headCode) digests(v *[]uint64) {
	n := c.length(len(*v), 8)
	if !c.reading {
		for _, x := range *v {
			c.out = binary.LittleEndian.AppendUint64(c.out, x)
		}
		return
	}
	if n == 0 {
		return
	}
	*v = make([]uint64, n)
	for i := range *v {
		(*v)[i] = binary.LittleEndian.Uint64(c.in[8*i:])
	}
	c.in = c.in[8*n:]
}

func list[T any](c *headCode, v *[]T, item func(*T)) {
	n := c.length(len(*v), 1)
	if c.reading && n > 0 {
		*v = make([]T, n)
	}
	for i := range *v {
		item(&(*v)[i])
	}
}

// appendCall writes the record of a proposed call of the main agent, as encode
// writes it.
func appendCall(out []byte, c *plan.Call, id string, turn int, mark string) []byte {
	data := append([]byte(`{"k":`), '"')
	data = append(append(data, kindCall...), '"')
	data = field(data, "id", id)
	data = field(data, "tool", c.Tool)
	data = field(data, "server", c.Server)
	data = field(data, "caller", c.Caller)
	if turn != 0 {
		data = strconv.AppendInt(append(data, `,"turn":`...), int64(turn), 10)
	}
	data = append(data, `,"args":`...)
	data = appendJSON(data, &c.Args)
	if c.RawArgs {
		data = append(data, `,"raw":true`...)
	}
	data = field(data, "mark", mark)
	data = field(data, "outcome", plan.Planned.String())
	return appendLine(out, append(data, '}'))
}

// appendDecision writes the record of the answer for a call.
func appendDecision(out []byte, call int, v Verdict) []byte {
	data := append([]byte(`{"k":"`), kindUpdate...)
	data = append(data, '"')
	if call != 0 {
		data = strconv.AppendInt(append(data, `,"at":`...), int64(call), 10)
	}
	data = field(data, "outcome", plan.Planned.String())
	data = field(data, "decision", v.Decision.String())
	data = field(data, "rule", v.Rule)
	if v.ReadOnly {
		data = append(data, `,"ro":true`...)
	}
	return appendLine(out, append(data, '}'))
}

func field(data []byte, name, value string) []byte {
	if value == "" {
		return data
	}
	data = append(append(append(data, `,"`...), name...), `":`...)
	return appendString(data, value)
}

// appendLine writes a line as encode does.
func appendLine(out, data []byte) []byte {
	const digits = "0123456789abcdef"
	sum := shortSum(data)
	for shift := 28; shift >= 0; shift -= 4 {
		out = append(out, digits[sum>>shift&15])
	}
	out = append(out, ' ')
	return append(append(out, data...), '\n')
}
