// Package mcpserve runs `planlint mcp`: it connects the client on stdin and
// stdout and the server with package mcp's proxy. It is a package of its own so
// that only cmd/planlint-mcp links the MCP SDK, HTTP and TLS.
//
// In: what the command line said (cli.MCPProxy). Out: nil when the client ended,
// an error when the server could not be started or ended first.
package mcpserve

import (
	"context"
	"fmt"
	"io"
	"os/exec"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/planlint/planlint/internal/cli"
	"github.com/planlint/planlint/mcp"
)

// Serve runs the proxy until the client or the server ends.
func Serve(ctx context.Context, p cli.MCPProxy) error {
	client, err := (&sdk.IOTransport{Reader: io.NopCloser(p.Stdin), Writer: nopCloser{p.Stdout}}).Connect(ctx)
	if err != nil {
		return err
	}
	server, err := connect(ctx, &p)
	if err != nil {
		return fmt.Errorf("the server can't be reached: %w", err)
	}
	proxy := &mcp.Proxy{
		Server: p.Server, Session: p.Session, Cwd: p.Cwd, Log: p.Stderr,
		Changed: p.Changed, Above: p.Above, Hook: p.Hook,
	}
	return proxy.Run(ctx, client, server)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func connect(ctx context.Context, p *cli.MCPProxy) (sdk.Connection, error) {
	if p.URL != "" {
		return mcp.Connect(ctx, p.URL, p.Header)
	}
	cmd := exec.Command(p.Command[0], p.Command[1:]...)
	cmd.Stderr, cmd.Env = p.Stderr, p.Env
	return (&sdk.CommandTransport{Command: cmd}).Connect(ctx)
}
