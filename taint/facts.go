package taint

import (
	"slices"
	"sort"
	"strings"

	"github.com/planlint/planlint/plan"
)

// Facts are what the graph needs to know of one call. The tool package lowers a
// contract, or a command line, to them; this package knows no contracts.
//
// A call is an ordered list of steps. A step joins what it reads, changes the
// labels, and passes the result on to what it writes and to its sinks. A plain
// tool is one step; a command line is one step a simple command.
type Facts struct {
	// Slots partition the arguments: every argument value is in exactly one.
	Slots []Slot
	// Steps run in order; at least one.
	Steps []Step
	// Result says what comes out, nil for nothing of its own. Calls of one tool may
	// share it; the methods of the same names read it, Extend is for writing.
	Result *Result
}

// Result says what comes out of a call.
type Result struct {
	// Output are the labels that the contract gives the recorded output.
	Output []Source
	// Fields are the labels of parts of the output; a reference that leads into
	// a field gets Output and that field, a reference to the whole gets all.
	Fields []Field
	// Spawns is the name of the plan.Agent that the call started, if any.
	Spawns string
}

// Output returns Result.Output, nil if there is none.
func (f *Facts) Output() []Source {
	if f.Result == nil {
		return nil
	}
	return f.Result.Output
}

// Fields returns Result.Fields, nil if there are none.
func (f *Facts) Fields() []Field {
	if f.Result == nil {
		return nil
	}
	return f.Result.Fields
}

// Spawns returns Result.Spawns, "" if there is none.
func (f *Facts) Spawns() string {
	if f.Result == nil {
		return ""
	}
	return f.Result.Spawns
}

// Extend gives the call a Result of its own, with what it had, and returns it for
// writing. Lists that it had are clipped, so that appending to them copies.
func (f *Facts) Extend() *Result {
	own := Result{}
	if f.Result != nil {
		own = *f.Result
		own.Output, own.Fields = slices.Clip(own.Output), slices.Clip(own.Fields)
	}
	f.Result = &own
	return f.Result
}

// Source says that data has labels from the start, and who may see it.
type Source struct {
	Labels Set
	// Readers may already see what the confidentiality labels mark.
	Readers Readers
	// Why is half a sentence for people: "contract of read_secret".
	Why string
}

// Field is a labelled part of an output.
type Field struct {
	Path    plan.Path
	Sources []Source
}

// Step is one simple command, or the whole of a plain tool.
type Step struct {
	// Name is what a path shows: "curl"; empty for a plain tool.
	Name  string
	Reads []Operand
	// Change says what the step does to labels, nil for nothing. The methods of the
	// names of its fields read it, Extend is for writing.
	Change *Change
	Writes []Write
	Sinks  []Sink
}

// Change is what a step does to labels.
type Change struct {
	// Adds are labels that the step's result has from the start.
	Adds []Source
	// Removes are the labels that a declared sanitizer or endorser takes away
	// from what passes through; RemovesWhy is its reason.
	Removes    Set
	RemovesWhy string
}

// Adds returns Change.Adds, nil if there is none.
func (st *Step) Adds() []Source {
	if st.Change == nil {
		return nil
	}
	return st.Change.Adds
}

// Removes returns Change.Removes, none if there is no change.
func (st *Step) Removes() Set {
	if st.Change == nil {
		return 0
	}
	return st.Change.Removes
}

// RemovesWhy returns Change.RemovesWhy, "" if there is none.
func (st *Step) RemovesWhy() string {
	if st.Change == nil {
		return ""
	}
	return st.Change.RemovesWhy
}

// Extend gives the step a Change of its own, with what it had, and returns it for
// writing.
func (st *Step) Extend() *Change {
	own := Change{}
	if st.Change != nil {
		own = *st.Change
	}
	st.Change = &own
	return st.Change
}

// OperandKind says what a step reads.
type OperandKind uint8

// The kinds of operand.
const (
	// FromSlot: the arguments of Facts.Slots[Index].
	FromSlot OperandKind = iota
	// FromCell: the content of Cell.
	FromCell
	// FromStep: the result of an earlier step of the same call (a pipe).
	FromStep
)

// Operand is one thing that a step reads.
type Operand struct {
	Kind OperandKind
	// Index is that of a slot or step.
	Index int32
	// Cell is what FromCell reads, never nil then.
	Cell *Cell
}

// Cell is a thing that keeps data between calls. Its name starts with its kind:
// "file:/srv/app/.env", "url:https://...", "git:origin/main", "memory:key". What
// reads and writes the same cell may share it.
type Cell struct {
	Name string
	// Sources are labels that a step which reads it gets even if no call wrote it.
	Sources []Source
	// Tree: the cell and everything below it (a folder read or written whole).
	Tree bool
}

// Is reports whether both are the same cell, whatever its labels.
func (c *Cell) Is(o *Cell) bool {
	return c == o || c != nil && o != nil && c.Name == o.Name && c.Tree == o.Tree
}

// Sources returns the labels that the operand has by itself.
func (o *Operand) Sources() []Source {
	if o.Kind != FromCell {
		return nil
	}
	return o.Cell.Sources
}

// WriteMode says what a write does to a cell's former content.
type WriteMode uint8

// The modes of writing.
const (
	// Overwrite replaces the content and cuts earlier flows.
	Overwrite WriteMode = iota
	// Append keeps the former content too; so does a write that may not happen.
	Append
	// Delete empties the cell and cuts earlier flows.
	Delete
)

// Write passes a step's result on to a cell, or to the call's output.
type Write struct {
	// Cell is what is written, nil where it is the call's output.
	Cell *Cell
	Mode WriteMode
	// ToOutput: the call's output.
	ToOutput bool
}

// SinkKind is a set of kinds of sink.
type SinkKind uint8

// The kinds of sink.
const (
	// SinkPublic: third parties see it at once.
	SinkPublic SinkKind = 1 << iota
	// SinkExternal: it leaves the machine.
	SinkExternal
	// SinkInternal: own systems see it.
	SinkInternal
	// SinkExec: it is executed.
	SinkExec
	// SinkAuthority: it changes who may do what.
	SinkAuthority
	// SinkActuator: it moves something in the real world.
	SinkActuator
)

var sinkNames = [...]string{"public", "external", "internal", "exec", "authority", "actuator"}

// ParseSinkKind returns the kind of that exact name; ok is false for others.
func ParseSinkKind(name string) (SinkKind, bool) {
	for i, n := range sinkNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// SinkKinds lists the names of all kinds.
func SinkKinds() []string { return append([]string(nil), sinkNames[:]...) }

// Names returns the names of the kinds in the set, in the order above.
func (k SinkKind) Names() []string {
	names := make([]string, 0, len(sinkNames))
	for i, n := range sinkNames {
		if k&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String joins the names with commas.
func (k SinkKind) String() string { return strings.Join(k.Names(), ",") }

// Sink is where a step's data leaves.
type Sink struct {
	Kinds SinkKind
	// UnknownTool: nothing describes the tool, so only value and resource edges
	// count for it.
	UnknownTool bool
	Audience    Audience
	// From are the operands that leave by the sink; context edges enter only
	// slots among them. Empty means all that the step reads.
	From []Operand
	// Decides are the slots that say where and what (recipient, URL, path,
	// command, id): integrity rules ask what decided them.
	Decides []int
}

// Audience is who will see what a sink gets. The zero value is everyone: an
// audience is never empty.
type Audience struct{ names []string }

// AudienceOf returns the audience of the given principals; without any, or with
// "everyone" among them, it is everyone.
func AudienceOf(names ...string) Audience {
	n, all := principals(names)
	if all {
		return Audience{}
	}
	return Audience{names: n}
}

// Everyone reports whether anybody at all may see it.
func (a Audience) Everyone() bool { return len(a.names) == 0 }

// Names returns the principals, sorted; {"everyone"} for everyone.
func (a Audience) Names() []string {
	if a.Everyone() {
		return []string{"everyone"}
	}
	return append([]string(nil), a.names...)
}

// Equal reports whether the same people see it.
func (a Audience) Equal(b Audience) bool { return slices.Equal(a.names, b.names) }

// Join returns who sees either.
func (a Audience) Join(b Audience) Audience {
	if a.Everyone() || b.Everyone() {
		return Audience{}
	}
	return AudienceOf(append(a.Names(), b.names...)...)
}

// Readers are who may already see some data. The zero value is nobody.
type Readers struct {
	everyone bool
	names    []string
}

// AnyReader is the readers of unlabelled data.
var AnyReader = Readers{everyone: true}

// ReadersOf returns the given principals as readers; "everyone" among them
// makes it everyone.
func ReadersOf(names ...string) Readers {
	n, all := principals(names)
	return Readers{everyone: all && len(names) > 0, names: n}
}

// Everyone reports whether anybody may see the data.
func (r Readers) Everyone() bool { return r.everyone }

// Names returns the principals, sorted; {"everyone"} for everyone, empty for
// nobody.
func (r Readers) Names() []string {
	if r.everyone {
		return []string{"everyone"}
	}
	return append([]string{}, r.names...)
}

// Intersect returns who may see data made of both.
func (r Readers) Intersect(o Readers) Readers {
	if r.everyone {
		return o
	}
	if o.everyone {
		return r
	}
	var both []string
	for _, n := range r.names {
		if o.has(n) {
			both = append(both, n)
		}
	}
	return Readers{names: both}
}

// Contain reports whether everyone in the audience is among the readers, so
// that nothing new is shown to anybody.
func (r Readers) Contain(a Audience) bool {
	if r.everyone {
		return true
	}
	if a.Everyone() {
		return false
	}
	for _, n := range a.names {
		if !r.has(n) {
			return false
		}
	}
	return true
}

func (r Readers) has(name string) bool {
	i := sort.SearchStrings(r.names, name)
	return i < len(r.names) && r.names[i] == name
}

// principals sorts, folds case and drops doubles; all is true where the list is
// empty, holds an empty name, or names everyone.
func principals(names []string) (out []string, all bool) {
	if len(names) == 0 {
		return nil, true
	}
	for _, n := range names {
		n = strings.ToLower(strings.TrimSpace(n))
		if n == "" || n == "everyone" {
			return nil, true
		}
		out = append(out, n)
	}
	sort.Strings(out)
	uniq := out[:1]
	for _, n := range out[1:] {
		if n != uniq[len(uniq)-1] {
			uniq = append(uniq, n)
		}
	}
	return uniq, false
}
