package policy

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := Schema()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(schemaID, doc))
	s, err := c.Compile(schemaID)
	require.NoError(t, err)
	return s
}

func TestSchemaTakesWhatTheLoaderTakes(t *testing.T) {
	s := compiledSchema(t)
	for _, name := range PackFiles() {
		data, err := PackFile(name)
		require.NoError(t, err)
		require.NoError(t, s.Validate(asJSON(t, data)), name)
	}
	data, err := os.ReadFile("testdata/good/design.yaml")
	require.NoError(t, err)
	require.NoError(t, s.Validate(asJSON(t, data)))
}

// TestSchemaRefusesWhatTheDecoderRefuses covers the mistakes of form; what
// needs the meaning of other parts (labels, paths, conditions) only the loader
// can find.
func TestSchemaRefusesWhatTheDecoderRefuses(t *testing.T) {
	s := compiledSchema(t)
	a, err := txtar.ParseFile("testdata/errors.txtar")
	require.NoError(t, err)
	refused := 0
	for _, f := range a.Files {
		name, ok := strings.CutSuffix(f.Name, ".yaml")
		if !ok || strings.Contains(name, "alias") {
			continue
		}
		node, problems := parse("p.yaml", f.Data)
		if node == nil {
			continue
		}
		var r root
		problems, _ = decode("p.yaml", f.Data, node, &r)
		var value any
		if yaml.Unmarshal(f.Data, &value) != nil {
			continue // YAML itself refuses duplicate keys
		}
		err := s.Validate(normal(value))
		if len(problems) == 0 {
			require.NoError(t, err, name)
			continue
		}
		refused++
		require.Error(t, err, name)
	}
	require.Greater(t, refused, 15)
}

func asJSON(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	require.NoError(t, yaml.Unmarshal(data, &v))
	return normal(v)
}

// normal turns what YAML decodes to into what the validator knows.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case int:
		return float64(v)
	}
	return v
}
