package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// variant is one case of testdata/gatecases/*.yaml.
type variant struct {
	Rules, Tools []string
	Env          struct {
		Cwd, Home string
		FS        []string
	}
	Mode string
	Plan []any
	Want string
	Step int
}

// mainArgument is the argument that "Tool: value" gives.
var mainArgument = map[string]string{
	"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "WebFetch": "url", "Grep": "path", "Glob": "path",
}

func (v *variant) asCase(t *testing.T, id, kind string) Case {
	c := Case{ID: id, Kind: kind, at: id}
	c.Setup.Rules, c.Setup.Tools = v.Rules, v.Tools
	c.Setup.Env.Cwd, c.Setup.Env.Home, c.Setup.Env.FS = "/srv/app", "/home/dev", v.Env.FS
	if v.Env.Cwd != "" {
		c.Setup.Env.Cwd = v.Env.Cwd
	}
	for _, call := range v.Plan {
		c.Plan = append(c.Plan, stepOf(t, call))
	}
	c.mode = v.Mode
	c.Expected = Expected{Decision: v.Want, Step: v.Step}
	require.NoError(t, c.check())
	return c
}

func stepOf(t *testing.T, call any) Step {
	args := map[string]any{}
	s := Step{}
	switch call := call.(type) {
	case string:
		name, value, ok := strings.Cut(call, ": ")
		require.True(t, ok, call)
		s.Tool = name
		args[mainArgument[name]] = strings.Trim(value, "'")
		if strings.Count(value, "'")%2 != 0 || !strings.HasPrefix(value, "'") {
			args[mainArgument[name]] = value
		}
		if name == "Write" {
			args["content"] = "text"
		}
	case map[string]any:
		if call["tool"] != nil {
			s.Tool, s.Agent = fmt.Sprint(call["tool"]), fmt.Sprint(call["agent"])
			args = call["args"].(map[string]any)
			break
		}
		for name, given := range call {
			s.Tool, args = name, given.(map[string]any)
		}
	}
	var err error
	s.Args, err = json.Marshal(args)
	require.NoError(t, err)
	return s
}

// TestVariants runs the project's own cases.
func TestVariants(t *testing.T) {
	policies := loader{}
	for _, name := range []string{"variants.yaml", "peers.yaml", "options.yaml"} {
		file := filepath.Join("../../testdata/gatecases", name)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var kinds []struct {
			Kind  string
			Cases []variant
		}
		require.NoError(t, yaml.Unmarshal(data, &kinds))
		for _, k := range kinds {
			for i := range k.Cases {
				v := &k.Cases[i]
				id := fmt.Sprintf("%s/%s/%d", filepath.Base(file), k.Kind, i+1)
				c := v.asCase(t, id, k.Kind)
				o, err := c.decide(policies)
				require.NoError(t, err, id)
				if o.verdict != right {
					t.Errorf("%s: %s\n\trules %q\n\tplan %v\n\twant %s: %s", id, verdictNames[o.verdict], v.Rules, v.Plan, v.Want, o.detail)
				}
			}
		}
	}
}
