// Command planlint reviews what an AI agent is about to do, or did.
package main

import (
	"context"
	"os"

	"github.com/planlint/planlint/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Environ(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}
