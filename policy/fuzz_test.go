package policy

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzLoad: no panic, and either a policy or an error.
func FuzzLoad(f *testing.F) {
	a, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range a.Files {
		f.Add(string(file.Data))
	}
	for _, name := range []string{"packs/generic.yaml", "presets/strict.yaml"} {
		data, err := PackFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add(loose)
	f.Fuzz(func(t *testing.T, text string) {
		p, problems := Load(Options{Files: []string{"p.yaml"}, FS: memory{"p.yaml": text}})
		if (p == nil) != (len(Errors(problems)) > 0) {
			t.Fatalf("policy %v with problems %v", p != nil, problems)
		}
		for _, q := range problems {
			_ = q.Error()
		}
	})
}
