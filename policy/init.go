package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/compiled"
)

// Setup is what a working directory says of its agents.
type Setup struct {
	// Clients are the agent clients that are configured, by name, sorted.
	Clients []string
	// Servers are the names of configured MCP servers, sorted; Described says
	// which of them a built-in pack has contracts for.
	Servers   []string
	Described map[string]bool
}

// clientMarks are files and folders by which a client is known.
func clientMarks() map[string][]string {
	return map[string][]string{
		"Claude Code": {".claude", "CLAUDE.md", ".mcp.json"},
		"Codex":       {".codex"},
		"Gemini CLI":  {".gemini", "GEMINI.md"},
		"Qwen Code":   {".qwen", "QWEN.md"},
		"Copilot CLI": {".github/hooks", ".github/copilot-instructions.md"},
		"OpenCode":    {"opencode.json", ".opencode"},
		"Cline":       {".cline", ".clinerules"},
		"Cursor":      {".cursor"},
	}
}

// serverFiles are files that configure MCP servers, and the key that holds them.
func serverFiles() map[string]string {
	return map[string]string{
		".mcp.json": "mcpServers", ".cursor/mcp.json": "mcpServers", ".vscode/mcp.json": "servers",
		".gemini/settings.json": "mcpServers", ".qwen/settings.json": "mcpServers", "opencode.json": "mcp",
	}
}

// Detect looks at the files of a folder that configure agents. What it cannot
// read it does not find: a policy that is written from it is a beginning.
func Detect(files FS, dir string) Setup {
	s := Setup{Described: make(map[string]bool)}
	for client, marks := range clientMarks() {
		for _, mark := range marks {
			if exists(files, filepath.Join(dir, filepath.FromSlash(mark))) {
				s.Clients = append(s.Clients, client)
				break
			}
		}
	}
	for file, key := range serverFiles() {
		data, err := files.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err == nil {
			s.addServers(data, key)
		}
	}
	sort.Strings(s.Clients)
	sort.Strings(s.Servers)
	return s
}

// exists reports whether a file or folder is there.
func exists(files FS, path string) bool {
	if _, onDisk := files.(OS); onDisk {
		_, err := os.Stat(path)
		return err == nil
	}
	_, err := files.ReadFile(path)
	return err == nil
}

// serverName is what may stand in the file that is written: names come from a
// file of the project.
var serverName = lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

func (s *Setup) addServers(data []byte, key string) {
	var config map[string]json.RawMessage
	if json.Unmarshal(data, &config) != nil {
		return
	}
	var servers map[string]json.RawMessage
	if json.Unmarshal(config[key], &servers) != nil {
		return
	}
	pack, err := compiled.BuiltinPack()
	if err != nil {
		return
	}
	for name := range servers {
		if _, known := s.Described[name]; known || !serverName().MatchString(name) {
			continue
		}
		s.Servers = append(s.Servers, name)
		s.Described[name] = pack.HasServer(name)
	}
}

// Draft returns a commented policy for a setup. It loads as it is.
func (s Setup) Draft() []byte {
	var b bytes.Buffer
	base := "default"
	if len(s.Clients) > 0 {
		base = "coding-agent"
	}
	fmt.Fprintf(&b, "%s\n", Modeline)
	if len(s.Clients) > 0 {
		fmt.Fprintf(&b, "# Found here: %s\n", strings.Join(s.Clients, ", "))
	}
	fmt.Fprintf(&b, "version: 1\n\n# builtin:default reviews plans, builtin:coding-agent is quiet on ordinary coding,\n# builtin:strict runs only what is allowed below.\nextends: [builtin:%s]\n\n", base)
	b.WriteString(draftRules)
	s.draftServers(&b)
	return b.Bytes()
}

const draftRules = `# Who sees what is pushed or posted. Without an entry, everyone may.
# audiences:
#   "github:acme/site": [everyone]
#   "git:origin": [acme-staff]

rules:
  # What makes a result acceptable is not for the agent to change.
  - {decision: ask, path: "**/testdata/**", access: write, why: tests are the acceptance criteria, instead: change the code under test}
  # - {decision: allow, tool: Bash, command: "go test*"}
  # - {decision: deny, tool: refund, why: refunds are made by people, instead: open a ticket}

permissions:
  # allow: ["Bash(git status:*)", "Read(./**)"]
  deny: ["Edit(./.git/**)"]
`

func (s Setup) draftServers(b *bytes.Buffer) {
	if len(s.Servers) == 0 {
		return
	}
	b.WriteString("\n# MCP servers that are configured here:\n")
	var unknown []string
	for _, name := range s.Servers {
		says := "its tools are described by a built-in pack"
		if !s.Described[name] {
			says = "nothing describes its tools: they ask until you do"
			unknown = append(unknown, name)
		}
		fmt.Fprintf(b, "#   %s: %s\n", name, says)
	}
	if len(unknown) == 0 {
		return
	}
	fmt.Fprintf(b, `# tools:
#   - name: mcp__%s__TOOL
#     risk_class: reversible-internal   # or compensating, time-window-undoable, irreversible-internal,
#                                       # irreversible-public, authority-modifying
#     read_only: true
#     args: {query: {role: selector}}
#     output: [{labels: [private, untrusted], readers: [user]}]
`, unknown[0])
}

// ErrExists is returned by Init where there is a policy already.
var ErrExists = errors.New(FileName + " is there already")

// Init writes a policy for what Detect finds in a folder and pins it as trusted,
// if a user's folder is given. It never writes over a file.
func Init(o Options) (path string, err error) {
	path = filepath.Join(o.Dir, FileName)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, os.ErrExist) {
		return path, fmt.Errorf("%s: %w", path, ErrExists)
	}
	if err != nil {
		return path, err
	}
	_, err = f.Write(Detect(OS{}, o.Dir).Draft())
	if err := errors.Join(err, f.Close()); err != nil {
		return path, err
	}
	if o.UserDir == "" {
		return path, nil
	}
	_, err = Trust(o)
	return path, err
}
