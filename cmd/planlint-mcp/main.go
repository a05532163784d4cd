// Command planlint-mcp is `planlint mcp`: a proxy that reviews an MCP client's
// calls of a server. planlint starts it from beside itself.
package main

import (
	"context"
	"os"

	"github.com/planlint/planlint/internal/cli"
	"github.com/planlint/planlint/internal/mcpserve"
)

func main() {
	args := append([]string{"mcp"}, os.Args[1:]...)
	os.Exit(cli.RunWith(context.Background(), os.Environ(), os.Stdin, os.Stdout, os.Stderr, args, cli.Programs{MCP: mcpserve.Serve}))
}
