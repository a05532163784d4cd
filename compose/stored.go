package compose

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// storedConditions holds the built-in conditions as go generate checked and
// lowered them, one a line. A condition that is not in it is parsed when it is
// first asked; CEL's parser, checker and environments take several milliseconds
// to set up, which a run of the command would pay for one finding.
//
//go:embed checked.jsonl
var storedConditions string

// stored is one line.
type stored struct {
	Scope string `json:"scope"`
	Text  string `json:"text"`
	Form  form   `json:"form"`
}

type storedKey struct {
	scope Scope
	text  string
}

// find returns the stored form of a condition. Only its own line is decoded.
func (k storedKey) find() (f form, ok bool) {
	head, err := json.Marshal(stored{Scope: k.scope.String(), Text: k.text})
	if err != nil {
		return form{}, false
	}
	head = head[:bytes.LastIndex(head, []byte(`"form"`))]
	at := strings.Index(storedConditions, string(head))
	if at < 0 {
		return form{}, false
	}
	line, _, _ := strings.Cut(storedConditions[at:], "\n")
	var s stored
	if json.Unmarshal([]byte(line), &s) != nil {
		return form{}, false // parsed anew then; a test holds the file to its source
	}
	return s.Form, true
}

// restored links a condition that was checked before; it reports false for one
// that was not.
func (c *condition) restored() bool {
	f, ok := storedKey{c.scope, c.text}.find()
	if !ok {
		return false
	}
	direct, err := link(&f)
	if err != nil {
		return false
	}
	c.direct = direct
	return true
}

// Stored returns the set's built-in conditions, parsed and checked, in the form
// that this package embeds.
func (s *Set) Stored() ([]byte, error) {
	var lines []string
	seen := map[storedKey]bool{}
	for _, c := range s.conds {
		key := storedKey{c.scope, c.text}
		if !c.options.Builtin || seen[key] {
			continue
		}
		seen[key] = true
		line, err := c.stored()
		if err != nil {
			return nil, err
		}
		lines = append(lines, line+"\n")
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "")), nil
}

func (c *condition) stored() (string, error) {
	checked, errs := c.check()
	if len(errs) > 0 {
		return "", errs
	}
	f, ok := lower(c.scope, checked)
	if !ok {
		return "", fmt.Errorf("%s: condition %q is none that a built-in pack may hold: nodes can't evaluate it", originString(c.at), shorten(c.text))
	}
	line, err := json.Marshal(stored{c.scope.String(), c.text, f})
	return string(line), err
}
