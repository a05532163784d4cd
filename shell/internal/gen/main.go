// Command gen flattens programs/*.yaml into programs.txt, the form that package
// shell embeds. It is the only place where the tables' YAML is read.
//
// In goes a directory of YAML files, each a map from program names to entries
// (see programs/README.md); out comes one sorted text, one line a key, fields
// separated by tabs. Errors name file, line and column.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "programs.txt", "file to write")
	flag.Parse()
	text, err := flatten(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := os.WriteFile(*out, []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
