package shell

// Script is what one line does. It is a plain value and prints as JSON.
type Script struct {
	Steps    []Step    `json:"steps,omitempty"`
	Unknowns []Unknown `json:"unknowns,omitempty"` // in order of position
	After    After     `json:"after"`
	// Broken is true where the text could not be parsed whole or a limit was reached:
	// the steps are then what could be made out, and cover no allow.
	Broken bool `json:"broken,omitempty"`
}

// Step is one simple command after quote removal and with its wrappers peeled off.
type Step struct {
	Name    string `json:"name"`    // base name of the program, "" if not known
	Program string `json:"program"` // the command word after quote removal: "/usr/bin/rm", "./cat"
	Args    []Word `json:"args,omitempty"`
	// Outer holds the wrappers peeled off, outermost first, each with its own
	// words up to the inner command: {"sudo", "-n", "-u", "app"}.
	Outer   []Wrapper `json:"outer,omitempty"`
	Assigns []Assign  `json:"assigns,omitempty"` // NAME=value before the command, those of env included
	// Inherits holds variables that the line or the session set earlier and that make this program load code: PAGER, PATH, LD_PRELOAD.
	Inherits []Assign `json:"inherits,omitempty"`

	Conditional bool   `json:"conditional,omitempty"` // may not run: after && or ||, in if, loop, function, trap
	Background  bool   `json:"background,omitempty"`
	Known       bool   `json:"known"`             // the program table has this program and subcommand
	Builtin     bool   `json:"builtin,omitempty"` // the shell's own: cd, echo, test
	Guess       bool   `json:"guess,omitempty"`   // made out of text that does not parse; for deny tests only
	Remote      string `json:"remote,omitempty"`  // the host or container it runs in, "" here
	// Local is true where the command word is a path, not a name looked up in PATH.
	Local bool `json:"local,omitempty"`

	Stdin   Input    `json:"stdin"`
	Stdout  []Output `json:"stdout,omitempty"` // empty: the caller's
	Effects []Effect `json:"effects,omitempty"`
	Class   string   `json:"class,omitempty"`     // risk class, "" if nothing describes the step
	RO      bool     `json:"read_only,omitempty"` // read-only by its options; see ReadOnly
	Labels  []string `json:"labels,omitempty"`    // what its own output carries: secret, untrusted
	Dry     bool     `json:"dry,omitempty"`       // an option makes it only show what it would do
	Sub     string   `json:"sub,omitempty"`       // subcommand found: "remote add"

	secrets []string // passwords that it is given, see Script.Secrets

	Pos int `json:"pos"` // byte offsets into the line; for text inside a quoted
	End int `json:"end"` // string (sh -c) those of the string
}

// Word is one argument.
type Word struct {
	Text   string `json:"text"`           // with Hole where it is not known
	Known  bool   `json:"known"`          // Text is what the program gets
	Glob   bool   `json:"glob,omitempty"` // Text is a pattern that the shell expands
	Quoted bool   `json:"quoted,omitempty"`
	// Steps are the steps whose output stands in this word, by substitution,
	// by a variable or by process substitution (then Fifo is true).
	Steps []int `json:"steps,omitempty"`
	Fifo  bool  `json:"fifo,omitempty"`
	// Vars are variables in it that were set outside the line, so from the environment.
	Vars []string `json:"vars,omitempty"`
	Pos  int      `json:"pos"`
	End  int      `json:"end"`
}

// Assign is a variable set for one command.
type Assign struct {
	Name  string `json:"name"`
	Value Word   `json:"value"`
}

// Wrapper is a command that ran the step's command.
type Wrapper struct {
	Name    string `json:"name"` // base name
	Program string `json:"program"`
	Args    []Word `json:"args,omitempty"` // its own words, before the inner command
}

// InputKind says where a step's standard input comes from.
type InputKind string

// The kinds of input. The zero value is the caller's own.
const (
	Inherited InputKind = ""
	FromPipe  InputKind = "pipe"
	FromFile  InputKind = "file"
	FromText  InputKind = "text" // here-document or here-string
	FromNet   InputKind = "net"  // /dev/tcp
	FromNull  InputKind = "null"
)

// Input is a step's standard input.
type Input struct {
	Kind  InputKind `json:"kind,omitempty"`
	Steps []int     `json:"steps,omitempty"` // the steps that write into the pipe
	Word  Word      `json:"word,omitzero"`   // file, or text with what stands in it
}

// OutputKind says where a step's standard output goes.
type OutputKind string

// The kinds of output.
const (
	ToPipe OutputKind = "pipe" // of step To
	ToFile OutputKind = "file"
	ToArg  OutputKind = "arg" // into an argument of step To
	ToVar  OutputKind = "var"
	ToNet  OutputKind = "net"
	ToNull OutputKind = "null"
)

// Output is one place that a step's standard output goes to.
type Output struct {
	Kind OutputKind `json:"kind"`
	To   int        `json:"to,omitempty"`
	Name string     `json:"name,omitempty"` // variable, path, host
}

// UnknownKind is a reason why something of a line is not known.
type UnknownKind string

// The reasons. All but UnknownRead are closing: the call asks unless an allow names it.
const (
	UnknownParse   UnknownKind = "parse"   // text does not parse, or another dialect
	UnknownLimit   UnknownKind = "limit"   // a named limit was reached
	UnknownCommand UnknownKind = "command" // the command word is not constant
	UnknownProgram UnknownKind = "program" // nothing describes the program or subcommand
	UnknownOption  UnknownKind = "option"  // the program's entry does not list the option
	UnknownCode    UnknownKind = "code"    // inline code or code from a pipe
	UnknownScript  UnknownKind = "script"  // runs a file outside the workspace, or one the line wrote with unknown content
	UnknownWrite   UnknownKind = "write"   // a written, deleted or changed path is not known
	UnknownRead    UnknownKind = "read"    // a read path is not known
	UnknownHost    UnknownKind = "host"    // the host that is contacted is not known
)

// Unknown is one thing that could not be known.
type Unknown struct {
	Kind UnknownKind `json:"kind"`
	Step int         `json:"step"` // -1: the whole line
	Text string      `json:"text"` // what: the program, the option, the code
	Pos  int         `json:"pos"`
	End  int         `json:"end"`
}

// Closing reports whether the unknown closes the call (at least ask, unless an allow names the command).
func (u Unknown) Closing() bool { return u.Kind != UnknownRead && u.Kind != UnknownOption }
