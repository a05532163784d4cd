package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/planlint/planlint/plan"
)

// lowerPlan makes the case's plan: its calls, one a turn, with what they
// returned as recorded output.
func (c *Case) lowerPlan() (*plan.Plan, error) {
	p := &plan.Plan{ID: c.ID, Source: c.at, Format: "gatecases"}
	if err := c.env(&p.Env); err != nil {
		return nil, err
	}
	agents := map[string]bool{}
	for i := range c.Plan {
		call, err := c.call(i)
		if err != nil {
			return nil, err
		}
		p.Calls = append(p.Calls, call)
		chain := strings.Split(c.Plan[i].Agent, "<")
		for j, name := range chain {
			if name == "" || agents[name] {
				continue
			}
			agents[name] = true
			parent := ""
			if j+1 < len(chain) {
				parent = chain[j+1]
			}
			p.Agents = append(p.Agents, plan.Agent{Name: name, Parent: parent, SpawnedBy: -1})
		}
	}
	if errs := plan.Validate(p); len(errs) > 0 {
		return nil, c.errorf("%v", errs[0])
	}
	return p, nil
}

func (c *Case) call(i int) (plan.Call, error) {
	step := &c.Plan[i]
	call := plan.Call{Index: i, ID: fmt.Sprintf("s%d", i+1), Tool: step.Tool, Turn: i}
	call.Agent, _, _ = strings.Cut(step.Agent, "<")
	args, err := valueOf(step.Args)
	if err != nil {
		return call, c.errorf("arguments of call %d: %v", i+1, err)
	}
	call.Args = args
	if step.Output != nil {
		call.Output, call.OutputState, call.Outcome = plan.Str(*step.Output), plan.OutputRecorded, plan.Ran
	}
	return call, nil
}

// env lowers what is known of the machine.
func (c *Case) env(e *plan.Env) error {
	e.Cwd, e.Home = c.Setup.Env.Cwd, c.Setup.Env.Home
	e.User = path.Base(e.Home)
	if e.Home == "" {
		e.User = ""
	}
	for _, fact := range c.Setup.Env.FS {
		from, to, link := strings.Cut(fact, " -> ")
		switch {
		case link:
			if e.Links == nil {
				e.Links = map[string]string{}
			}
			if !path.IsAbs(from) && from[0] != '~' {
				from = path.Join(e.Cwd, from)
			}
			e.Links[from] = to
		case fact == "case-insensitive":
			e.CaseInsensitive = true
		case fact == "persistent-shell":
			e.PersistentShell = true
		case strings.HasPrefix(fact, "HEAD="):
			e.Head = strings.TrimPrefix(fact, "HEAD=")
		default:
			return c.errorf("unknown fact of the file system %q", fact)
		}
	}
	return nil
}

// valueOf turns JSON into a plan's value, keys in file order.
func valueOf(data []byte) (plan.Value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if len(data) == 0 {
		return plan.Obj(nil), nil
	}
	return decodeValue(dec)
}

func decodeValue(dec *json.Decoder) (plan.Value, error) {
	tok, err := dec.Token()
	if err != nil {
		return plan.Value{}, err
	}
	switch t := tok.(type) {
	case string:
		return plan.Str(t), nil
	case bool:
		return plan.Value{Kind: plan.Bool, Text: fmt.Sprint(t)}, nil
	case json.Number:
		return plan.Value{Kind: plan.Number, Text: t.String()}, nil
	case json.Delim:
		return decodeItems(dec, t)
	}
	return plan.Value{}, nil
}

func decodeItems(dec *json.Decoder, open json.Delim) (plan.Value, error) {
	v := plan.Value{Kind: plan.List}
	if open == '{' {
		v.Kind = plan.Object
	}
	for dec.More() {
		if v.Kind == plan.Object {
			key, err := dec.Token()
			if err != nil {
				return v, err
			}
			v.Keys = append(v.Keys, key.(string))
		}
		item, err := decodeValue(dec)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := dec.Token()
	return v, err
}
