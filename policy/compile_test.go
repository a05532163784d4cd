package policy

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/compiled"
)

func TestCompiledPolicyIsTheSame(t *testing.T) {
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\nrules: [{decision: deny, tool: refund, why: no money}]\n"})
	o := Options{Dir: dir, Files: []string{"testdata/good/design.yaml"}}
	data, problems := Compile(o)
	require.Empty(t, problems)
	again, _ := Compile(o)
	require.Equal(t, data, again)

	f, err := compiled.DecodeFile(data)
	require.NoError(t, err)
	require.Equal(t, compiled.BuiltinDigest(), f.Builtin)
	missing, read := 0, 0
	for _, in := range f.Inputs {
		require.True(t, filepath.IsAbs(in.Path))
		if in.Digest == "" {
			missing++
		} else {
			read++
		}
	}
	require.Equal(t, 3, read, "the project's file, the named one and what it extends")
	require.Zero(t, missing, "the project's file lies where the search began")

	l, _ := Read(o)
	p, wrong := build(&f.Document)
	require.Empty(t, wrong)
	require.Equal(t, l.Policy.Compose, p.Compose)
	require.Equal(t, l.Policy.Gates, p.Gates)
	require.Equal(t, l.Policy.Name, p.Name)
	require.Equal(t, l.Policy.Registry.Contract("send_email").Audience, p.Registry.Contract("send_email").Audience)

	for _, broken := range [][]byte{nil, []byte("x"), data[:len(data)-1], append(data[:len(data):len(data)], ' ')} {
		_, err := compiled.DecodeFile(broken)
		require.Error(t, err)
	}
}
