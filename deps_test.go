package planlint_test

import (
	"encoding/json"
	"os/exec"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/planlint/planlint"

// imports is the import policy: what a package of ours may import of ours.
// A package that is not listed fails the test.
var imports = map[string][]string{
	"gate":                {},
	"plan":                {},
	"shell":               {},
	"internal/spell":      {},
	"internal/content":    {},
	"internal/fields":     {},
	"internal/reuse":      {},
	"internal/match":      {"plan", "internal/fields", "internal/reuse"},
	"docs":                {},
	"taint":               {"plan", "internal/content", "internal/fields", "internal/match", "internal/reuse"},
	"origin":              {"plan", "taint", "internal/fields", "internal/match", "internal/reuse"},
	"tool":                {"internal/content", "internal/fields", "internal/match", "internal/reuse", "origin", "gate", "plan", "shell", "taint", "internal/spell"},
	"finding":             {"origin", "gate", "plan", "taint"},
	"rules":               {"internal/reuse", "finding", "tool", "gate", "plan", "shell", "taint"},
	"":                    {"origin", "finding", "gate", "plan", "rules", "taint", "tool", "internal/match", "internal/reuse"},
	"compose":             {"origin", "finding", "gate", "plan", "taint", "tool", "internal/spell"},
	"plan/planyaml":       {"plan", "internal/spell"},
	"internal/compiled":   {"internal/content", "origin", "", "finding", "gate", "plan", "rules", "taint", "tool", "internal/spell"},
	"policy":              {"", "compose", "finding", "gate", "plan", "rules", "taint", "tool", "internal/compiled", "internal/lockfile", "internal/spell"},
	"internal/transcript": {"plan"},
	"trace":               {"plan", "plan/planyaml", "internal/transcript"},
	"internal/session":    {"", "gate", "plan", "rules", "taint", "internal/lockfile", "internal/transcript"},
	"hook":                {"", "finding", "gate", "plan", "rules", "taint", "tool", "internal/compiled", "internal/session"},
	"hook/install":        {},
	"report":              {"finding", "gate", "origin", "plan", "taint"},
	"internal/toollist":   {"", "gate", "taint", "tool"},
	"internal/policylint": {"finding", "gate", "rules", "taint", "tool", "policy", "internal/spell"},
	"internal/policytest": {"", "finding", "gate", "plan", "plan/planyaml", "rules", "tool", "policy", "trace", "internal/compiled"},
	"internal/quick":      {"", "finding", "gate", "internal/session", "origin", "plan", "shell", "taint", "tool"},
	"internal/lockfile":   {},
	"internal/testbin":    {},
	"internal/xdg":        {},
	"internal/hookbench":  {"gate", "internal/session", "plan"},
	"internal/procbench":  {},
	"mcp":                 {"", "finding", "gate", "hook", "plan"},
	"internal/eval":       {"", "finding", "gate", "origin", "plan", "taint", "tool", "trace"},
	"internal/cli":        {"*"},
	"internal/mcpserve":   {"mcp", "internal/cli"},
	"internal/gen":        {"*"},
	"internal/gatecases":  {"*"},
	"cmd/planlint":        {"internal/cli"},
	"cmd/planlint-mcp":    {"internal/cli", "internal/mcpserve"},
	"cmd/planlint-hook":   {"", "internal/content", "finding", "hook", "internal/compiled", "internal/quick", "internal/session", "internal/xdg", "plan", "tool"},
}

// owners are the third-party modules that only some packages may import.
var owners = map[string][]string{
	"github.com/google/cel-go":              {"compose"},
	"google.golang.org/genproto/":           {"compose"},
	"google.golang.org/protobuf":            {"compose"},
	"gopkg.in/yaml.v3":                      {"plan/planyaml", "policy", "internal/policytest", "internal/gen"},
	"github.com/spf13/cobra":                {"internal/cli"},
	"github.com/dominikbraun/graph":         {"taint"},
	"mvdan.cc/sh/v3":                        {"shell"},
	"github.com/bmatcuk/doublestar":         {"", "compose", "tool", "rules", "internal/cli"},
	"github.com/go-json-experiment/json":    {"taint", "plan", "plan/planyaml", "tool", "trace", "internal/transcript", "mcp"},
	"golang.org/x/term":                     {"internal/cli"},
	"github.com/modelcontextprotocol":       {"mcp", "internal/mcpserve"},
	"golang.org/x/text":                     {"taint", "tool"},
	"github.com/stretchr/testify":           {},
	"github.com/rogpeppe/go-internal":       {},
	"github.com/santhosh-tekuri/jsonschema": {},
}

// heavy must not be linked, even indirectly, by the packages of the engine.
var heavy = []string{"gopkg.in/yaml.v3", "go.yaml.in/", "github.com/google/cel-go", "cel.dev/", "net", "github.com/spf13/"}

var engine = []string{"hook", "internal/session", "plan", "tool", "taint", "rules", "gate", "finding", ""}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,Standard", "./...").Output()
	require.NoError(t, err)
	var packages []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p goPackage
		require.NoError(t, dec.Decode(&p))
		packages = append(packages, p)
	}
	require.NotEmpty(t, packages)
	return packages
}

func ours(path string) (name string, ok bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// policyOf returns the import policy of a package; generators and test programs
// below an allowed package follow their own entry or their parent's.
func policyOf(name string) ([]string, bool) {
	for {
		if allowed, ok := imports[name]; ok {
			return allowed, true
		}
		i := strings.LastIndex(name, "/internal/")
		if i < 0 {
			return nil, false
		}
		name = name[:i]
	}
}

func TestImportPolicy(t *testing.T) {
	for _, p := range listPackages(t) {
		name, ok := ours(p.ImportPath)
		require.True(t, ok, p.ImportPath)
		allowed, listed := policyOf(name)
		require.True(t, listed, "package %q is in no import policy: add it to deps_test.go and docs/architecture.md", name)
		for _, imported := range p.Imports {
			if dep, ok := ours(imported); ok {
				require.True(t, contains(allowed, dep) || contains(allowed, "*") || strings.HasPrefix(dep, name+"/internal/"),
					"%q imports %q, against the direction of design.md", name, dep)
			}
		}
	}
}

func TestThirdPartyOwners(t *testing.T) {
	for _, p := range listPackages(t) {
		name, _ := ours(p.ImportPath)
		for _, imported := range p.Imports {
			if !strings.Contains(imported, ".") {
				continue
			}
			if _, ok := ours(imported); ok {
				continue
			}
			owner := ownerOf(imported)
			require.NotEmpty(t, owner, "module of %q has no owner in deps_test.go", imported)
			require.True(t, contains(owners[owner], name) || generator(name), "%q imports %q, owned by %q", name, imported, owners[owner])
		}
	}
}

func generator(name string) bool { return strings.Contains(name, "internal/gen") }

func ownerOf(imported string) string {
	for module := range owners {
		if strings.HasPrefix(imported, module) {
			return module
		}
	}
	return ""
}

func TestEngineLinksNothingHeavy(t *testing.T) {
	for _, p := range listPackages(t) {
		name, _ := ours(p.ImportPath)
		if !contains(engine, name) {
			continue
		}
		sort.Strings(p.Deps)
		for _, dep := range p.Deps {
			for _, h := range heavy {
				require.False(t, dep == h || strings.HasSuffix(h, "/") && strings.HasPrefix(dep, h) || dep != "net" && h != "net" && strings.HasPrefix(dep, h+"/"),
					"%q links %q", name, dep)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
