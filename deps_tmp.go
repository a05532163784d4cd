package planlint

import (
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/dominikbraun/graph"
	_ "github.com/google/cel-go/cel"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "gopkg.in/yaml.v3"
	_ "mvdan.cc/sh/v3/syntax"
	_ "github.com/go-json-experiment/json"
	_ "golang.org/x/term"
)
