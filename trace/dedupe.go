package trace

import (
	"crypto/sha256"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// Dedupe remembers the calls of the files read so far. Forks, resumes and
// background hand-overs write a session's past into a new file; such calls are
// marked as Copied there and not taken out, because what follows them in the
// new file may carry their data. Reports leave out what only concerns them.
type Dedupe struct{ seen map[[16]byte]bool }

// NewDedupe returns a memory for the files of one review.
func NewDedupe() *Dedupe { return &Dedupe{seen: map[[16]byte]bool{}} }

// shortID is the length from which an id is taken for unique across files.
const shortID = 10

// mark sets Copied on the calls of a plan that an earlier plan had, with the
// same id, tool, arguments and output, and remembers the others.
func (d *Dedupe) mark(p *plan.Plan) {
	if d == nil || !p.Recorded {
		return
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		if len(c.ID) < shortID {
			continue
		}
		h := sha256.New()
		for _, s := range []string{c.ID, c.Tool, transcript.Leaves(&c.Args), c.Output.Text} {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
		key := [16]byte(h.Sum(nil))
		c.Copied = d.seen[key]
		d.seen[key] = true
	}
}
