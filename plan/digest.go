package plan

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest returns the plan's digest, "sha256:" and 64 hex digits, over its
// canonical form: the native format as JSON with sorted keys and normalised
// numbers. Positions, Source, Format, Notes and the spelling of references do not
// count; the order of calls and everything else that the plan says does.
func Digest(p *Plan) string {
	w := newWriter(p)
	w.canonical, w.sink = true, sha256.New()
	writeObject(w, p, p, sortedPlanFields)
	return w.sum()
}

var sortedPlanFields = sorted(planFields)

// CallDigest returns the digest of call i: what an approval is bound to. It
// covers the tool, its server, the calling agent and the arguments, references
// as references; not the id, the place in the plan, nor the outcome.
func CallDigest(p *Plan, i int) string {
	w := &writer{plan: p, canonical: true, sink: sha256.New()}
	writeObject(w, p, &p.Calls[i], digestedFields)
	return w.sum()
}

var digestedFields = []field[Call]{
	{"agent", func(w *writer, _ *Plan, c *Call) bool { w.string(c.AgentName()); return true }},
	{"args", func(w *writer, _ *Plan, c *Call) bool { w.value(&c.Args, false); return true }},
	{"raw_args", func(w *writer, _ *Plan, c *Call) bool { return w.bool(c.RawArgs) }},
	{"server", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Server) }},
	{"tool", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Tool) }},
}

func (w *writer) sum() string {
	w.flush(0)
	return "sha256:" + hex.EncodeToString(w.sink.Sum(nil))
}
