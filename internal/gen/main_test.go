package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	files, err := generated()
	require.NoError(t, err)
	require.Len(t, files, 9)
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, have), "%s is stale: run go generate ./...", name)
	}
}

func TestPlanSchema(t *testing.T) {
	data, err := planSchema()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(planSchemaID, doc))
	s, err := c.Compile(planSchemaID)
	require.NoError(t, err)
	const good = `{"version": 1, "plan": "p", "env": {"cwd": "/srv"}, "calls": [{"id": "a", "tool": "t", "args": {"x": ["${b}"]}, "after": ["b"]}]}`
	for text, ok := range map[string]bool{
		good: true,
		`{"version": 1, "calls": [{"tol": "t"}]}`: false,
		`{"version": 2, "calls": []}`:             false,
		`{"calls": 3}`:                            false,
	} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		require.NoError(t, err)
		require.Equal(t, ok, s.Validate(value) == nil, text)
	}
}
