package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// parse reads the one YAML document of a file. The node is nil where the file
// cannot be used; an empty file is a problem of its own.
func parse(name string, data []byte) (*yaml.Node, []compiled.Problem) {
	if p := unreadable(name, data); p != nil {
		return nil, []compiled.Problem{*p}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	root, err := next(dec)
	if errors.Is(err, io.EOF) {
		return nil, []compiled.Problem{{At: tool.Origin{File: name}, Message: "the file is empty", Hint: "a policy starts with version: 1"}}
	}
	if err != nil {
		return nil, []compiled.Problem{syntax(name, data, err)}
	}
	if second, err := next(dec); err == nil && second != nil {
		at := tool.Origin{File: name, Line: max(second.Line, 1), Column: 1}
		return nil, []compiled.Problem{{At: at, Message: "a second document starts here", Hint: "a policy file is one YAML document"}}
	} else if err != nil && !errors.Is(err, io.EOF) {
		return nil, []compiled.Problem{syntax(name, data, err)}
	}
	return root.Content[0], nil
}

// next decodes one document; a panic of the YAML library is an error.
func next(dec *yaml.Decoder) (root *yaml.Node, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			root, err = nil, fmt.Errorf("yaml: cannot be parsed: %v", cause)
		}
	}()
	root = new(yaml.Node)
	if err := dec.Decode(root); err != nil {
		return nil, err
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, io.EOF
	}
	return root, nil
}

// unreadable finds what YAML readers disagree on or report without a place.
func unreadable(name string, data []byte) *compiled.Problem {
	if len(data) > MaxFile {
		return &compiled.Problem{At: tool.Origin{File: name}, Message: fmt.Sprintf("the file is larger than %d bytes", MaxFile)}
	}
	line, start := 1, 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		at := tool.Origin{File: name, Line: line, Column: i - start + 1}
		switch {
		case r == utf8.RuneError && size == 1:
			return &compiled.Problem{At: at, Message: "the file is not valid UTF-8"}
		case r < 0x20 && r != '\n' && r != '\r' && r != '\t', r == 0x7f:
			return &compiled.Problem{At: at, Message: fmt.Sprintf("control character U+%04X", r)}
		case r == '\n':
			line, start = line+1, i+1
		}
		i += size
	}
	return nil
}

var parserError = lazy(`^did not find expected (key|node content|[<'])`)

var yamlLine = lazy(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax places an error of the YAML library, which names a line at most.
func syntax(name string, data []byte, err error) compiled.Problem {
	p := compiled.Problem{At: tool.Origin{File: name}, Message: "not YAML: " + err.Error()}
	m := yamlLine().FindStringSubmatch(err.Error())
	if m == nil {
		return p
	}
	p.Message = "not YAML: " + m[2]
	n, numErr := strconv.Atoi(m[1])
	if numErr != nil {
		return p
	}
	// The library counts lines from 0 where its parser, and not its scanner, gave up.
	if parserError().MatchString(m[2]) {
		n++
		p.Hint = "look for wrong indentation, or a missing quote, comma or bracket, from here on"
	}
	line, ok := lineOf(data, n)
	if !ok {
		return p
	}
	text := strings.TrimLeft(line, " \t")
	p.At.Line, p.At.Column, p.Length = n, len(line)-len(text)+1, len(text)
	if strings.Contains(line[:len(line)-len(text)], "\t") || strings.Contains(m[2], "cannot start any token") {
		p.Hint = "YAML is indented by spaces, not tabs; quote texts that start with @, `, % or a tab"
	}
	return p
}
