package shell

// Kind is what an effect does.
type Kind string

// The kinds of effects. Target is what Effect.Target then holds.
const (
	Read    Kind = "read"    // file or directory; Target: path
	Write   Kind = "write"   // overwrites; path
	Append  Kind = "append"  // path
	Edit    Kind = "edit"    // changes part of a file in place; path
	Create  Kind = "create"  // makes a file or directory if it is not there; path
	Delete  Kind = "delete"  // path
	Move    Kind = "move"    // Source to Target; a Delete of Source follows
	Copy    Kind = "copy"    // Source to Target
	Link    Kind = "link"    // Target becomes a link to Source; Detail "hard" or "symbolic"
	Archive Kind = "archive" // Source goes into Target
	Unpack  Kind = "unpack"  // archive Source into directory Target
	Chmod   Kind = "chmod"   // mode, owner, times, attributes; path, Detail the mode

	Exec Kind = "exec" // runs a file; Target: path, or "" with Detail the language for inline code. Source "file" or "stdin" or "text"
	Load Kind = "load" // takes settings or code from a file that may run programs; path

	Send    Kind = "send"    // data leaves; Target: host, Detail: URL or address
	Fetch   Kind = "fetch"   // data comes in from a host the line names; host, URL
	Query   Kind = "query"   // asks a configured service read-only; service name
	Resolve Kind = "resolve" // name lookup or packet; host
	Listen  Kind = "listen"  // opens a port; address

	EnvRead Kind = "env-read" // the environment; variable name or ""
	Secret  Kind = "secret"   // prints a secret that is kept elsewhere; what

	Stage     Kind = "git-stage"    // path into the index
	Commit    Kind = "git-commit"   // repository path
	Push      Kind = "git-push"     // remote (Detail: branch)
	Pull      Kind = "git-pull"     // remote (Detail: branch)
	GitConfig Kind = "git-config"   // key
	Remote    Kind = "git-remote"   // remote name, Detail: URL
	Checkout  Kind = "git-checkout" // branch

	Install Kind = "install" // package, Detail: manager
	Publish Kind = "publish" // package or registry
	Call    Kind = "call"    // changes something behind a service; object, Detail: container, kube, cloud, db, api
	Kill    Kind = "kill"    // process
	Service Kind = "service" // starts or stops a service; name
	Grant   Kind = "grant"   // changes who may do what, or what runs later: cron, login, policy
	Change  Kind = "change"  // changes own state that is no file of the workspace; Detail says what
)

// Effect is one thing that a step does.
type Effect struct {
	Kind   Kind   `json:"kind"`
	Target string `json:"target,omitempty"` // path (absolute, clean), host, URL, remote, package: see Kind
	Real   string `json:"real,omitempty"`   // path after known links, if another
	Source string `json:"source,omitempty"` // of copy, move, link, archive, unpack; see Exec
	Detail string `json:"detail,omitempty"`

	Known     bool   `json:"known"`               // Target is complete; else it holds Hole
	Glob      bool   `json:"glob,omitempty"`      // Target is a glob
	Recursive bool   `json:"recursive,omitempty"` // reaches everything below
	Maybe     bool   `json:"maybe,omitempty"`     // may or may not happen even if the step runs
	Empties   bool   `json:"empties,omitempty"`   // what was in the file is thrown away and nothing put in its place
	Redirect  bool   `json:"redirect,omitempty"`  // by a redirect of the shell, not by the program
	From      Origin `json:"from,omitzero"`       // which data is written or sent; zero: all that the step reads

	// Clone is the folder into which somebody's repository was just cloned, of
	// the effect that makes it and of those that run a file out of it.
	Clone string `json:"clone,omitempty"`

	Sink   string   `json:"sink,omitempty"`   // external, public, internal, exec, authority
	Labels []string `json:"labels,omitempty"` // labels of what is read: secret, untrusted
	Class  string   `json:"class,omitempty"`  // risk class of this effect
	Pos    int      `json:"pos"`
	End    int      `json:"end"`
}

// Origin says which of a step's inputs an effect passes on.
type Origin struct {
	Stdin bool     `json:"stdin,omitempty"`
	Files []string `json:"files,omitempty"` // targets of Read effects of the same step
	Args  []int    `json:"args,omitempty"`  // indexes into Step.Args: their text, and what stands in them
	Env   bool     `json:"env,omitempty"`
	None  bool     `json:"none,omitempty"` // none of them
}

// IsZero reports whether the effect passes on all that its step reads.
func (o Origin) IsZero() bool {
	return !o.Stdin && len(o.Files) == 0 && len(o.Args) == 0 && !o.Env && !o.None
}

// The six risk classes, weakest first. Package gate has them as a type.
const (
	ClassReversible = "reversible-internal"
	ClassCompensate = "compensating"
	ClassWindow     = "time-window-undoable"
	ClassPermanent  = "irreversible-internal"
	ClassPublic     = "irreversible-public"
	ClassAuthority  = "authority-modifying"
)

// classRank orders the classes; an unknown name ranks as none.
func classRank(c string) int {
	switch c {
	case ClassReversible:
		return 1
	case ClassCompensate:
		return 2
	case ClassWindow:
		return 3
	case ClassPermanent:
		return 4
	case ClassPublic:
		return 5
	case ClassAuthority:
		return 6
	}
	return 0
}

func strictest(a, b string) string {
	if classRank(b) > classRank(a) {
		return b
	}
	return a
}

// sinkRank orders sinks for joins, weakest first.
const (
	SinkInternal  = "internal"
	SinkExternal  = "external"
	SinkPublic    = "public"
	SinkExec      = "exec"
	SinkAuthority = "authority"
)
