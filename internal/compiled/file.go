package compiled

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// fileMagic starts every compiled policy; the number is the format's.
const fileMagic = "planlint-policy 1\n"

// File is a compiled policy: a merged document, and the files that it was made
// of, so that a reader can tell whether it is stale.
type File struct {
	// Builtin is the digest of the built-in data that the policy stands on; a
	// policy compiled by another version of planlint is stale.
	Builtin string `json:"builtin"`
	// Inputs are all files that were read or looked for, sorted by path.
	Inputs   []Input  `json:"inputs"`
	Document Document `json:"document"`
	// Sum is the digest of the whole, set by DecodeFile.
	Sum string `json:"-"`
}

// Input is one file that a policy was made of. An empty digest says that there
// was no such file: a policy is stale when one appears.
type Input struct {
	Path   string `json:"path"`
	Digest string `json:"digest,omitempty"`
}

// Encode writes a compiled policy: a line that names the format, the digest of
// what follows, and JSON.
func (f *File) Encode() ([]byte, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return append([]byte(fileMagic+digest(data)+"\n"), data...), nil
}

// DecodeFile reads a compiled policy. Anything else is an error: a policy that
// was cut or changed is not used.
func DecodeFile(data []byte) (*File, error) {
	rest, ok := bytes.CutPrefix(data, []byte(fileMagic))
	if !ok {
		return nil, fmt.Errorf("not a compiled policy of this version")
	}
	sum, body, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || string(sum) != digest(body) {
		return nil, fmt.Errorf("compiled policy is damaged")
	}
	f := new(File)
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(f); err != nil {
		return nil, fmt.Errorf("compiled policy: %w", err)
	}
	f.Sum = string(sum)
	return f, nil
}

// BuiltinDigest identifies the built-in data of this planlint.
func BuiltinDigest() string {
	h := sha256.New()
	parts := []string{contractsIndex, contractsLines, contractsConditions}
	for _, name := range Presets() {
		parts = append(parts, presetText(name))
	}
	for _, part := range parts {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write([]byte(part))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Digest is how files are identified.
func Digest(data []byte) string { return digest(data) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
