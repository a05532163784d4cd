package planyaml

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/plan"
)

// Value reads one YAML document that is no plan of planlint's own, as a value
// with positions in which "${" means nothing. It is as strict as Parse about
// what YAML readers disagree on.
func Value(src []byte) (plan.Value, []plan.Error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if err := (Options{}).check(src); err != nil {
		return plan.Value{}, []plan.Error{*err}
	}
	if len(src) > MaxYAML {
		return plan.Value{}, []plan.Error{{Message: "a YAML file of this size is not read", Hint: "write it as JSON"}}
	}
	d := newDecoder(src)
	document, err := decodeYAML(yaml.NewDecoder(bytes.NewReader(src)))
	if err != nil || document == nil {
		d.yamlError(err)
		return plan.Value{}, plan.SortErrors(d.errs)
	}
	r := &yamlReader{decoder: d, marks: newYAMLMarks(src)}
	var top node
	r.node(document, &top, 0)
	if len(d.errs) > 0 || d.values > MaxValues {
		return plan.Value{}, plan.SortErrors(d.errs)
	}
	return d.literal(&top), nil
}
