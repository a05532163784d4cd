// Command gen writes what is made from other files of the tree: the flattened
// built-in packs that internal/compiled embeds, and the JSON Schemas in
// docs/schema. It is run by go generate, with the root of the tree as argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/planlint/planlint/policy"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen ROOT")
		os.Exit(2)
	}
	files, err := generated()
	if err == nil {
		err = write(os.Args[1], files)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// generated returns all files by their path below the root.
func generated() (map[string][]byte, error) {
	out := make(map[string][]byte)
	packs, err := policy.Flatten()
	if err != nil {
		return nil, err
	}
	for name, data := range packs {
		out["internal/compiled/data/"+name] = data
	}
	if out["compose/checked.jsonl"], err = policy.CheckedConditions(); err != nil {
		return nil, err
	}
	for name, schema := range map[string]func() ([]byte, error){
		"docs/schema/policy.schema.json": policy.Schema,
		"docs/schema/plan.schema.json":   planSchema,
	} {
		if out[name], err = schema(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func write(root string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
