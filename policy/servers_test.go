package policy

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// toolList is what a server said of its tools in the form of MCP's tools/list:
// names and schemas, without descriptions. From says whether a running server
// gave it or its documentation or source does.
type toolList struct {
	Server, Package, Version, From string
	Tools                          []listedTool
}

type listedTool struct {
	Name        string
	InputSchema schema
	Annotations map[string]any
}

// schema is as much of a JSON Schema as a path of an argument can be followed in.
type schema struct {
	Properties           map[string]schema
	Items                *schema
	AnyOf, OneOf, AllOf  []schema
	AdditionalProperties any
}

// toolLists returns the lists of testdata/tools by server.
func toolLists(t *testing.T) map[string][]toolList {
	t.Helper()
	files, err := filepath.Glob("testdata/tools/*.json")
	require.NoError(t, err)
	lists := make(map[string][]toolList)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var list toolList
		require.NoError(t, json.Unmarshal(data, &list), file)
		require.NotEmpty(t, list.Tools, file)
		require.NotEmpty(t, list.From, file)
		lists[list.Server] = append(lists[list.Server], list)
	}
	require.GreaterOrEqual(t, len(lists), 25)
	return lists
}

// has reports whether arguments of the schema may have the path. What the
// schema leaves open may hold anything.
func (s *schema) has(path plan.Path) bool {
	alternatives := slices.Concat(s.AnyOf, s.OneOf, s.AllOf)
	if len(path) == 0 {
		return true
	}
	if path[0].Wild || path[0].IsIndex {
		if s.Items != nil {
			return s.Items.has(path[1:])
		}
	} else if p, ok := s.Properties[path[0].Key]; ok {
		return p.has(path[1:])
	}
	if slices.ContainsFunc(alternatives, func(a schema) bool { return a.has(path) }) {
		return true
	}
	return len(s.Properties) == 0 && s.Items == nil && len(alternatives) == 0
}

// TestPacksAgreeWithToolLists compares packs with what servers say: every tool
// has a contract that knows every parameter, and contracts name no tool and no
// argument that the server does not have.
func TestPacksAgreeWithToolLists(t *testing.T) {
	p, err := Builtin("default")
	require.NoError(t, err)
	lists := toolLists(t)
	for _, server := range slices.Sorted(maps.Keys(lists)) {
		t.Run(server, func(t *testing.T) {
			tools := make(map[string][]listedTool)
			for _, list := range lists[server] {
				for _, it := range list.Tools {
					tools[it.Name] = append(tools[it.Name], it)
					parametersAreKnown(t, p.Registry, server, it)
				}
			}
			nothingIsInvented(t, p.Registry, server, tools)
		})
	}
}

func parametersAreKnown(t *testing.T, reg *tool.Registry, server string, it listedTool) {
	c := reg.Contract("mcp__" + server + "__" + it.Name)
	if c == nil {
		t.Errorf("tool %s has no contract", it.Name)
		return
	}
	for param := range it.InputSchema.Properties {
		if !slices.ContainsFunc(c.Args, func(a tool.Arg) bool { return a.Path[0].Key == param }) {
			t.Errorf("tool %s: contract %s does not know the parameter %q", it.Name, c.Name, param)
		}
	}
	if it.Annotations["destructiveHint"] == true && c.ReadOnly && calledDestructive[server] == "" {
		t.Errorf("tool %s calls itself destructive, its contract is read-only", it.Name)
	}
}

// calledDestructive are servers that call tools destructive which change nothing,
// and why.
var calledDestructive = map[string]string{
	"playwright": "every tool that is not a mere look at the page has the hint, browser_resize too",
	"notion":     "every POST request has the hint, queries too",
	"ms365":      "every POST request has the hint, the preview of a file too",
}

// nothingIsInvented looks at the contracts of a server. One that says that it is
// unverified may name tools that the list lacks.
func nothingIsInvented(t *testing.T, reg *tool.Registry, server string, tools map[string][]listedTool) {
	byContract := make(map[*tool.Contract][]listedTool)
	for _, name := range reg.Names() {
		raw, ok := strings.CutPrefix(name, "mcp__"+server+"__")
		if !ok {
			continue
		}
		c := reg.Contract(name)
		if strings.HasPrefix(c.Source, "unverified: ") {
			continue
		}
		if len(tools[raw]) == 0 {
			t.Errorf("contract %s: the server has no tool %s", c.Name, raw)
		}
		byContract[c] = append(byContract[c], tools[raw]...)
	}
	for c, listed := range byContract {
		for _, a := range c.Args {
			if !slices.ContainsFunc(listed, func(it listedTool) bool { return it.InputSchema.has(a.Path) }) {
				t.Errorf("contract %s: no tool of it has an argument %s", c.Name, a.Path)
			}
		}
	}
}

// TestUnverifiedPacksAreListed: docs/contracts.md names the server of every
// contract whose source could not be verified, and every package with a list.
func TestUnverifiedPacksAreListed(t *testing.T) {
	data, err := os.ReadFile("../docs/contracts.md")
	require.NoError(t, err)
	_, unverified, ok := strings.Cut(string(data), "## Not verified")
	require.True(t, ok)
	p, err := Builtin("default")
	require.NoError(t, err)
	for _, name := range p.Registry.Names() {
		c := p.Registry.Contract(name)
		if strings.HasPrefix(c.Source, "unverified: ") {
			require.Contains(t, unverified, "`"+c.Pack+"`", c.Name)
		}
	}
	for _, lists := range toolLists(t) {
		for _, list := range lists {
			require.Contains(t, string(data), list.Package)
		}
	}
}
