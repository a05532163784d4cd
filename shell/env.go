package shell

// Dialect is the language of a line.
type Dialect string

// The dialects. The zero value means Bash.
const (
	Bash       Dialect = "bash"
	Posix      Dialect = "posix"
	Zsh        Dialect = "zsh"
	PowerShell Dialect = "powershell" // split into words only, everything unknown
	Cmd        Dialect = "cmd"        // likewise
)

// Env is what is known of the place where a line runs. The zero value knows
// nothing: relative paths then stay relative and are not Known.
type Env struct {
	Cwd     string  `json:"cwd,omitempty"`  // absolute working directory
	Root    string  `json:"root,omitempty"` // the workspace; Cwd if empty
	Home    string  `json:"home,omitempty"`
	User    string  `json:"user,omitempty"`
	Dialect Dialect `json:"dialect,omitempty"`

	// Vars are shell variables with a constant value; Exported names those
	// that programs inherit.
	Vars     map[string]string `json:"vars,omitempty"`
	Exported []string          `json:"exported,omitempty"`

	// Functions and Aliases of a persistent shell, name to source text.
	Functions map[string]string `json:"functions,omitempty"`
	Aliases   map[string]string `json:"aliases,omitempty"`

	// Links maps known symbolic links to their targets, absolute.
	Links map[string]string `json:"links,omitempty"`
	// Files holds the text of files that earlier calls wrote and whose content
	// is known, so that running them is judged as that content.
	Files map[string]string `json:"files,omitempty"`
	// Copies maps a file that earlier calls copied or linked to the program that it is.
	Copies map[string]string `json:"copies,omitempty"`

	// Clones maps folders and files that came out of repositories cloned by
	// earlier calls to the folder of the clone.
	Clones map[string]string `json:"clones,omitempty"`

	FoldCase bool              `json:"fold_case,omitempty"` // the file system ignores case
	Head     string            `json:"head,omitempty"`      // checked-out git branch
	Remotes  map[string]string `json:"remotes,omitempty"`   // git remote name to URL
}

// Hole stands in a text for a part that is not known.
const Hole = "\uFFFC"

func (e Env) root() string {
	if e.Root != "" {
		return e.Root
	}
	return e.Cwd
}

// Next is the environment in which a persistent shell would read its next line after s.
// Shells that start anew for each call keep only what lives in files (Links, Files, Copies, Remotes, Head).
func (s Script) Next(env Env, persistent bool) Env {
	next := env
	next.Links = merge(env.Links, s.After.Links)
	next.Copies = merge(env.Copies, s.After.Copies)
	next.Clones = merge(env.Clones, s.After.Clones)
	next.Remotes = merge(env.Remotes, s.After.Remotes)
	next.Files = merge(env.Files, s.After.Files)
	for _, p := range s.After.Gone {
		if _, ok := next.Files[p]; ok {
			next.Files = merge(next.Files, nil)
			delete(next.Files, p)
		}
	}
	if s.After.Head != "" {
		next.Head = s.After.Head
	}
	next.Root = env.root()
	if !persistent {
		return next
	}
	next.Cwd = s.After.Cwd
	next.Vars = merge(env.Vars, s.After.Vars)
	next.Functions = merge(env.Functions, s.After.Functions)
	next.Aliases = merge(env.Aliases, s.After.Aliases)
	next.Exported = append(append([]string(nil), env.Exported...), s.After.Exported...)
	return next
}

// After is what a line changed in the shell and in the files that shape later lines.
type After struct {
	Cwd       string            `json:"cwd,omitempty"` // "" if no longer known
	Vars      map[string]string `json:"vars,omitempty"`
	Exported  []string          `json:"exported,omitempty"`
	Functions map[string]string `json:"functions,omitempty"`
	Aliases   map[string]string `json:"aliases,omitempty"`
	Links     map[string]string `json:"links,omitempty"`
	Files     map[string]string `json:"files,omitempty"`  // text of files written with known content
	Copies    map[string]string `json:"copies,omitempty"` // copied or linked programs
	Clones    map[string]string `json:"clones,omitempty"` // see Env
	Gone      []string          `json:"gone,omitempty"`   // files whose known text no longer holds
	Remotes   map[string]string `json:"remotes,omitempty"`
	Head      string            `json:"head,omitempty"`
}

// merge copies base and lays over on top; a nil over makes a plain copy.
func merge(base, over map[string]string) map[string]string {
	if len(base) == 0 && len(over) == 0 {
		return nil
	}
	m := make(map[string]string, len(base)+len(over))
	for k, v := range base {
		m[k] = v
	}
	for k, v := range over {
		m[k] = v
	}
	return m
}
