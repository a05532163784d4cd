package cli_test

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/planlint/planlint/internal/cli"
	"github.com/planlint/planlint/internal/mcpserve"
)

// TestMain makes the commands that scripts run of this test's binary.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"planlint": func() {
			os.Exit(cli.Run(context.Background(), os.Environ(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
		},
		"planlint-mcp": func() {
			args := append([]string{"mcp"}, os.Args[1:]...)
			os.Exit(cli.RunWith(context.Background(), os.Environ(), os.Stdin, os.Stdout, os.Stderr, args, cli.Programs{MCP: mcpserve.Serve}))
		},
	})
}
