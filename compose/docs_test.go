package compose

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const conditionsPage = "../docs/conditions.md"

// everyTool knows every tool and no arguments.
type everyTool struct{}

func (everyTool) Tools() []string              { return nil }
func (everyTool) Args(string) ([]string, bool) { return nil, true }

// TestConditionsPage: the tables of fields are those of the code, every function
// is named, every example compiles.
func TestConditionsPage(t *testing.T) {
	page, err := os.ReadFile(conditionsPage)
	require.NoError(t, err)
	written := regexp.MustCompile(`(?s)(<!-- fields:[^>]*-->\n).*(<!-- end of fields -->)`)
	fresh := written.ReplaceAllString(string(page), "${1}"+strings.ReplaceAll(fieldTables(), "$", "$$")+"${2}")
	if *update {
		require.NoError(t, os.WriteFile(conditionsPage, []byte(fresh), 0o644))
		page = []byte(fresh)
	}
	require.Equal(t, fresh, string(page), "run go test ./compose -run TestConditionsPage -update")
	for _, name := range functionNames {
		require.Contains(t, string(page), name)
	}

	examples := 0
	block := regexp.MustCompile("(?s)```cel (\\w+)\n(.*?)```")
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		scope, ok := ParseScope(m[1])
		require.True(t, ok, m[1])
		for _, line := range strings.Split(strings.TrimSpace(m[2]), "\n") {
			c := NewCompiler(testUniverse(t), everyTool{})
			_, err := c.Condition(scope, line, at(1, 1), Options{})
			require.NoError(t, err)
			examples++
		}
	}
	require.Greater(t, examples, 25)
}

func fieldTables() string {
	var b strings.Builder
	for _, o := range objectTypes {
		fmt.Fprintf(&b, "\n### %s\n\n| field | type | what it is |\n|---|---|---|\n", o.name)
		for _, f := range o.fields {
			typ := strings.NewReplacer("list(", "list of ", ")", "").Replace(plainTypes(f.typ.String()))
			if f.domain != anyWord {
				typ = strings.Replace(typ, "string", f.domain.String(), 1)
			}
			if typ == "dyn" {
				typ = "object"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, typ, f.doc)
		}
	}
	return b.String() + "\n"
}
