package shell

// Flow is one step as a dataflow graph sees it: what it takes in, and which of
// that goes where. Indexes in From point into Reads.
type Flow struct {
	Step   int
	Reads  []FlowRead
	Writes []FlowWrite
	Sends  []FlowSend
	Class  string
	Maybe  bool // the step may not run, so its writes do not cut an earlier flow
	RO     bool
}

// ReadKind is what a step takes data from.
type ReadKind string

// The kinds of reads.
const (
	ReadFile   ReadKind = "file"   // Path
	ReadStep   ReadKind = "step"   // output of step Step, by pipe, substitution or variable
	ReadArg    ReadKind = "arg"    // text of argument Arg as the line has it
	ReadText   ReadKind = "text"   // here-document or here-string text
	ReadEnv    ReadKind = "env"    // environment; Path is the variable or ""
	ReadRemote ReadKind = "remote" // came from host Path, or from service Path
	ReadSource ReadKind = "source" // the step's own output, labelled
	ReadInput  ReadKind = "input"  // the caller's standard input
)

// FlowRead is one input of a step.
type FlowRead struct {
	Kind      ReadKind
	Path      string // absolute path, host, variable
	Real      string // after links, if another
	Known     bool
	Glob      bool
	Recursive bool
	Step      int
	Arg       int
	Text      string
	Labels    []string
}

// WriteMode is how a step writes.
type WriteMode string

// The modes. Only Overwrite and Remove of a step that is sure to run, to a
// known path without glob, cut an earlier flow.
const (
	Overwrite WriteMode = "overwrite"
	Extend    WriteMode = "append"
	Partly    WriteMode = "partly"
	Remove    WriteMode = "delete"
)

// FlowWrite is one file that a step writes or removes; Path "" is the step's
// own output (Step.Stdout says where that goes).
type FlowWrite struct {
	Path      string
	Real      string
	Known     bool
	Glob      bool
	Recursive bool
	Mode      WriteMode
	Maybe     bool
	From      []int
}

// FlowSend is data that reaches a sink.
type FlowSend struct {
	Kind     Kind   // Send, Fetch, Resolve, Push, Publish, Exec, ...
	Sink     string // external, public, internal, exec, authority
	Audience string // host, remote, registry; "" if not known
	Detail   string
	Known    bool
	Class    string
	Clone    string // of what is run: the folder of the clone that it comes from
	From     []int
}
