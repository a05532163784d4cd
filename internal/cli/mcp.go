package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/hook"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/internal/toollist"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/tool"
)

// mcpOptions are the options of planlint mcp.
type mcpOptions struct {
	name, session, url, lock string
	headers                  []string
}

func mcpCommand(s *streams) *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp [--name NAME] (--url URL | -- SERVER [ARGS...])",
		Short: "Review an MCP client's calls of a server, as a proxy between them",
		Long: `Start an MCP server, or reach one over HTTP, and pass messages between it and the
client on stdin and stdout. Every tools/call is reviewed with the session's flow
first; a refusal is an isError result. Put it before the server's command in the
client's configuration:

    {"command": "planlint", "args": ["mcp", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "."]}

Exit codes: 0 the client ended; 2 the server could not be started, or ended first.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (o.url == "") == (len(args) == 0) {
				return errors.New("give a server to start, or --url\nhint: planlint mcp -- SERVER ARGS...")
			}
			if len(o.headers) > 0 && o.url == "" {
				return errors.New("--header goes with --url")
			}
			return runMCP(cmd.Context(), s, o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.name, "name", "", "the server's name in policies; default: made of its command or address")
	f.StringVar(&o.session, "session", "", "share the session of this id; default: one for the process that started planlint")
	f.StringVar(&o.url, "url", "", "reach the server at this address (streamable HTTP)")
	f.StringArrayVar(&o.headers, "header", nil, `a header for --url, as "Name: value"; $VARIABLES are expanded`)
	f.StringVar(&o.lock, "lock", toollist.LockFile, "file with the pinned definitions of tools; none is fine")
	return cmd
}

// MCPProxy is one run of the MCP proxy between a client on stdin and stdout and
// a server.
type MCPProxy struct {
	// Server is the server's name in policies, Session the session that the calls
	// belong to, Cwd the folder whose policy counts.
	Server, Session, Cwd string
	// URL is the server's address, with Header; or Command starts it, with Env.
	URL          string
	Header       map[string][]string
	Command, Env []string

	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Changed says what differs from the lock in a list of tools; nil without a
	// lock. Above reports whether a tool is above the policy's ceiling. Hook
	// returns what reviews a call.
	Changed func(server string, list json.RawMessage) []string
	Above   func(server, name string) bool
	Hook    func() *hook.Hook
}

// runMCP runs the proxy where this program has it, and else becomes the program
// that has.
func runMCP(ctx context.Context, s *streams, o mcpOptions, args []string) error {
	if o.session == "" {
		o.session = parentSession()
	}
	if s.programs.MCP == nil {
		return startMCP(s, o, args)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.name == "" {
		o.name = serverName(o.url, args)
	}
	changed, err := pinned(s, o.lock)
	if err != nil {
		return err
	}
	header, err := headers(s, o.headers)
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	return s.programs.MCP(ctx, MCPProxy{
		Server: o.name, Session: o.session, Cwd: cwd, URL: o.url, Header: header, Command: args, Env: s.environ(),
		Stdin: s.stdin, Stdout: s.stdout, Stderr: s.stderr, Changed: changed,
		Above: func(server, name string) bool { return aboveCeiling(s, cwd, server, name) },
		Hook: func() *hook.Hook {
			return &hook.Hook{Client: hook.ByName("generic"), Env: s.env,
				Store: session.NewStore(stateDir(s.env)), Decider: policyDecider{s: s}}
		},
	})
}

// startMCP becomes the planlint-mcp that lies beside this program, with the same
// options. Its libraries (MCP, HTTP, TLS) would start with every command if they
// were linked here.
func startMCP(s *streams, o mcpOptions, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	path := filepath.Join(filepath.Dir(self), "planlint-mcp"+filepath.Ext(self))
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("planlint-mcp is not beside %s\nhint: go install github.com/planlint/planlint/cmd/...@latest", self)
	}
	return become(s, path, append(o.flags(), args...))
}

// flags writes the options as arguments, up to the server's command.
func (o *mcpOptions) flags() []string {
	list := []string{"--name=" + o.name, "--session=" + o.session, "--url=" + o.url, "--lock=" + o.lock}
	for _, h := range o.headers {
		list = append(list, "--header="+h)
	}
	return append(list, "--")
}

func headers(s *streams, list []string) (map[string][]string, error) {
	h := map[string][]string{}
	for _, line := range list {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf(`--header: %q is not "Name: value"`, name)
		}
		key := textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		h[key] = append(h[key], os.Expand(strings.TrimSpace(value), func(v string) string { return s.env[v] }))
	}
	return h, nil
}

// launchers start a server that is named by one of their arguments.
var launchers = []string{"npx", "npm", "exec", "bunx", "uvx", "uv", "tool", "run", "pnpm", "dlx", "node", "python", "python3", "deno", "docker", "sh"}

// serverName makes a name of what the user wrote to start the server; what the
// server says of itself is not asked, since contracts are found by the name.
func serverName(address string, args []string) string {
	if u, err := url.Parse(address); address != "" && err == nil {
		parts := strings.Split(u.Hostname(), ".")
		return parts[max(0, len(parts)-2)]
	}
	for _, a := range args {
		base := filepath.Base(a)
		base, _, _ = strings.Cut(base, "@")
		base = strings.TrimSuffix(base, filepath.Ext(base))
		if base == "" || strings.HasPrefix(a, "-") || slices.Contains(launchers, base) {
			continue
		}
		for _, prefix := range []string{"mcp-server-", "server-", "mcp-"} {
			base = strings.TrimPrefix(base, prefix)
		}
		for _, suffix := range []string{"-mcp-server", "-server", "-mcp"} {
			base = strings.TrimSuffix(base, suffix)
		}
		return base
	}
	return "server"
}

// parentSession names the session of the client that started this process, so
// that the servers of one client share it.
func parentSession() string {
	id := fmt.Sprintf("mcp-%d", os.Getppid())
	// A process id is used again some day; with its start it is not.
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", os.Getppid()))
	if err != nil {
		return id
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	if fields := strings.Fields(after); len(fields) > 19 {
		id += "-" + fields[19]
	}
	return id
}

// pinned compares tools with the lock; without a lock there is nothing to
// compare.
func pinned(s *streams, path string) (func(string, json.RawMessage) []string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lock, err := toollist.ParseLock(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(server string, list json.RawMessage) []string {
		tools, err := toollist.Parse(list, "", server)
		if err != nil {
			return []string{fmt.Sprintf("the list of tools can't be compared with %s: %v", path, err)}
		}
		var out []string
		for _, d := range lock.Verify(tools) {
			switch d.What {
			case "missing": // a list comes in pages
			case "added":
				out = append(out, fmt.Sprintf("tool %q is not in %s", d.Tool, path))
			default:
				out = append(out, fmt.Sprintf("tool %q has another %s than in %s", d.Tool, d.What, path))
			}
		}
		return out
	}, nil
}

// aboveCeiling reports whether no call of a tool can be within the policy's
// ceiling. A policy that can't be loaded hides nothing: calls are refused then.
func aboveCeiling(s *streams, cwd, server, name string) bool {
	loaded, _ := policy.Load(policy.Options{Dir: cwd, UserDir: userConfigDir(s.env), Base: "coding-agent"})
	if loaded == nil {
		return false
	}
	limit := loaded.Rules.Settings().Ceiling
	return limit != gate.ClassUnset && lowestClass(loaded.Registry.Find(name, server)) > limit
}

// lowestClass is the lowest class that a call of a tool may have; what nothing
// describes may be anything.
func lowestClass(c *tool.Contract) gate.Class {
	if c == nil {
		return gate.AuthorityModifying
	}
	class := c.Class
	for _, w := range c.ClassWhen {
		class = min(class, w.Class)
	}
	for _, a := range c.Args {
		if a.Role == tool.Command {
			return gate.ReversibleInternal // it depends on the line
		}
	}
	return class
}
