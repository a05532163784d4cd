package planyaml

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const formatPage = "../../docs/plan-format.md"

var fenced = regexp.MustCompile("(?ms)^```(yaml|json)\n(.*?)^```$")

func TestDocsExamplesParse(t *testing.T) {
	page, err := os.ReadFile(formatPage)
	require.NoError(t, err)
	blocks := fenced.FindAllStringSubmatchIndex(string(page), -1)
	require.Equal(t, strings.Count(string(page), "```"), 2*len(blocks))
	require.GreaterOrEqual(t, len(blocks), 6)
	for _, at := range blocks {
		line := 1 + strings.Count(string(page[:at[4]]), "\n")
		p, errs := Parse(page[at[4]:at[5]], formatPage)
		require.Empty(t, errs, "the block at line %d", line)
		requireRoundTrip(t, p)
	}
}

// TestDocsNameEveryField holds the page to the tables of the reader.
func TestDocsNameEveryField(t *testing.T) {
	page, err := os.ReadFile(formatPage)
	require.NoError(t, err)
	for _, o := range Schema() {
		for _, f := range o.Fields {
			if strings.HasPrefix(f.Name, "$") {
				require.Contains(t, string(page), f.Name)
				continue
			}
			require.Regexp(t, "`(\\{|[^`]*\\b)?"+regexp.QuoteMeta(f.Name)+"\\b[^`]*`", string(page), "%s.%s", o.Name, f.Name)
			for _, word := range f.Enum {
				require.Contains(t, string(page), "`"+word+"`", "%s.%s", o.Name, f.Name)
			}
		}
	}
}
