// Package plan is the model of what an agent is about to do, or did: concrete
// tool calls in order, the references between them, and the text that entered
// the agent's context from elsewhere.
//
// In: values built by a reader (planyaml for planlint's own format, trace for
// recorded sessions, a hook for a running one). Out: an immutable Plan that the
// other packages share. The package parses references and computes canonical
// digests; it reads no files and knows no format.
//
// Guaranteed by Validate, which every reader calls last: calls are numbered by
// their place, ids are unique, references point to earlier calls, and every
// value has a position in the file that it came from.
package plan

// Plan is an ordered set of concrete tool calls. It is immutable once built.
type Plan struct {
	// ID is the plan's own name, or the session's id; Source is the path it was
	// read from ("-" for standard input); Format names the reader.
	ID, Source, Format string
	// Env is what is known of the machine, for paths in commands and rules.
	Env Env
	// Fixed says that every argument was fixed before the first call ran, so
	// that only references and cells carry data.
	Fixed bool
	// Recorded says that the plan is a recorded run and not a proposal.
	Recorded bool
	// Open says that more calls than listed can run.
	Open *Open
	// Calls are in plan order; Calls[i].Index == i.
	Calls []Call
	// Texts entered some agent's context other than as a call's output, sorted
	// by Before, then by order of appearance.
	Texts []Text
	// Agents are the agents that the calls name, by name, "main" first.
	Agents []Agent
	// Inputs are the plan's parameters.
	Inputs []Input
	// Notes say what the reader could not read or had to assume.
	Notes []Note
	// Lost counts the records of a trace that could not be read at all: what they
	// hold is not reviewed.
	Lost int
}

// Env is what a plan says of the machine that it runs on.
type Env struct {
	Cwd, Home, User string
	// Links maps a path to what it links to.
	Links map[string]string
	// Vars are environment variables that are known and constant.
	Vars map[string]string
	// Remotes maps a git remote's name to its address.
	Remotes map[string]string
	// Head is the branch that is checked out.
	Head            string
	CaseInsensitive bool
	// PersistentShell: cd and variables outlive a command call.
	PersistentShell bool
}

// Open marks a plan that can run more calls than it lists.
type Open struct {
	Why        string
	Candidates []string
	Pos        Position
}

// Agent is one agent of the run. A sub-agent was started by a call.
type Agent struct {
	// Name is unique in the plan; the first agent is "main".
	Name string
	// Parent is the agent that started this one, empty for none.
	Parent string
	// SpawnedBy is the index of the call that started it, -1 for none.
	SpawnedBy int
}

// Input is a parameter of a plan: a source of its own, trusted only if said.
type Input struct {
	Name    string
	Labels  []string
	Default *Value
	Pos     Position
}

// Kind says what a call is.
type Kind uint8

// The kinds of call.
const (
	// Tool is a concrete tool invocation.
	Tool Kind = iota
	// Model is a step whose output a model writes from its inputs.
	Model
	// Opaque is something that the reader could not lower: it may read every
	// earlier output.
	Opaque
)

// Outcome says what became of a call.
type Outcome uint8

// The outcomes. A call counts as run unless an event says that it did not.
const (
	// Planned: the call has not run yet.
	Planned Outcome = iota
	// Ran: there is a result.
	Ran
	// Refused: a person or a rule of the client said no; it did not run.
	Refused
	// Blocked: the call was stopped before it ran (abort, hook, sandbox).
	Blocked
	// Failed: it ran, and reported an error.
	Failed
	// Unknown: recorded, without a result.
	Unknown
)

var outcomeNames = [...]string{"planned", "ran", "refused", "blocked", "failed", "unknown"}

// String returns the outcome's name.
func (o Outcome) String() string { return outcomeNames[min(int(o), len(outcomeNames)-1)] }

// ParseOutcome returns the outcome of that exact name.
func ParseOutcome(name string) (Outcome, bool) {
	for i, n := range outcomeNames {
		if n == name {
			return Outcome(i), true
		}
	}
	return Unknown, false
}

// DidNotRun reports whether an event says that the call did not run, so that it
// is no source.
func (o Outcome) DidNotRun() bool { return o == Refused || o == Blocked }

// OutputState says how much of a call's output is known.
type OutputState uint8

// The states of an output.
const (
	// OutputAbsent: nothing recorded and nothing predicted.
	OutputAbsent OutputState = iota
	// OutputRecorded: the whole output.
	OutputRecorded
	// OutputPredicted: written by the planner, not by a run.
	OutputPredicted
	// OutputTruncated: only a part was kept.
	OutputTruncated
)

// Call is one concrete tool invocation. A plan may hold a million of them, so the
// small fields stand together, and what few calls have stands apart (Rare).
type Call struct {
	Index int
	// ID is unique in the plan; a reader makes one where the file has none.
	ID string
	// Tool is the raw identity, as the client names it (mcp__github__get_issue);
	// Server is given where the format keeps it apart.
	Tool, Server string
	// Agent is the name of the calling agent; empty means "main".
	Agent string
	// Caller is the program or cell that made the call, if it was not the model.
	Caller string
	// Turn numbers the turns of one agent from 0; calls of one turn had their
	// arguments fixed together.
	Turn int
	// Group names parallel siblings outside of a turn; Compete: one of them runs.
	Group string

	Kind        Kind
	Outcome     Outcome
	OutputState OutputState
	Compete     bool
	// RawArgs is set where the arguments could not be parsed; they are still
	// reviewed as one text.
	RawArgs bool
	// Repeat: the call is part of a loop and may run more than once.
	Repeat bool
	// Copied: an earlier file of the same review has this very call too; it is
	// kept because later calls may carry its data.
	Copied bool

	// Args is an object, or whatever the call was given if it is none.
	Args   Value
	Output Value
	// Rare holds what few calls have, nil for most. The methods of the same names
	// read it, Extend is for writing.
	Rare *Rare
	// Pos is where the call starts, OutputPos where its result stands.
	Pos, OutputPos Position
}

// HasOutput reports whether some of the output is known.
func (c *Call) HasOutput() bool { return c.OutputState != OutputAbsent }

// AgentName returns the calling agent's name, "main" if none was given.
func (c *Call) AgentName() string {
	if c.Agent == "" {
		return MainAgent
	}
	return c.Agent
}

// MainAgent is the name of the agent that the user talks to.
const MainAgent = "main"

// Branch places a call in one arm of a choice; arms exclude each other.
type Branch struct {
	Of  string
	Arm int
}

// TextKind says where a text in the context came from.
type TextKind uint8

// The kinds of text. Only User is the user's own words.
const (
	// TextUnknown: no positive evidence for anything better.
	TextUnknown TextKind = iota
	// TextUser: the user's own words.
	TextUser
	// TextSystem: the operator's instructions.
	TextSystem
	// TextModel: what the model itself wrote.
	TextModel
	// TextSummary: a compaction summary, model-written from what went before.
	TextSummary
	// TextAttachment: a file, image or selection put into the context.
	TextAttachment
	// TextPasted: a block that the user pasted.
	TextPasted
	// TextInstructions: CLAUDE.md, AGENTS.md and their like.
	TextInstructions
	// TextToolDescription: what a tool server says of its tools.
	TextToolDescription
	// TextHook: what a hook or the harness added.
	TextHook
	// TextSubagentPrompt: the parent model's words to a sub-agent.
	TextSubagentPrompt
	// TextOrphanResult: a result whose call is not in the record.
	TextOrphanResult
)

var textKindNames = [...]string{
	"unknown", "user", "system", "model", "summary", "attachment", "pasted",
	"instructions", "tool-description", "hook", "subagent-prompt", "orphan-result",
}

// String returns the kind's name.
func (k TextKind) String() string { return textKindNames[min(int(k), len(textKindNames)-1)] }

// ParseTextKind returns the kind of that exact name.
func ParseTextKind(name string) (TextKind, bool) {
	for i, n := range textKindNames {
		if n == name {
			return TextKind(i), true
		}
	}
	return TextUnknown, false
}

// Text is something that entered an agent's context other than as the output
// of a call.
type Text struct {
	Kind  TextKind
	Agent string
	// Before is the index of the first call whose arguments were fixed after
	// the text was there; len(Calls) where none was.
	Before int
	Text   string
	// Origin is what the reader knows of the source: a path, a server, a tool.
	Origin string
	Pos    Position
}

// Note is something that a reader could not read or had to assume. ID is a
// PL9xxx diagnostic; Call is -1 where it concerns no single call.
type Note struct {
	ID      string
	Call    int
	Message string
	Hint    string
	// Closing notes make their call at least ask.
	Closing bool
	Pos     Position
}

// Position is a place in the file that a plan was read from. Lines and columns
// count from 1, columns in bytes of the line; the zero value is "unknown".
type Position struct {
	Line, Column int32
	// Length is the length in bytes of what stands there, 0 if unknown.
	Length int32
}

// Known reports whether the position is one.
func (p Position) Known() bool { return p.Line > 0 }
