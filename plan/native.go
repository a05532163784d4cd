package plan

import "slices"

// MarshalJSON writes the plan in planlint's own format, as one line of JSON.
// Reading it back with package planyaml gives an equal plan, positions, Source
// and Format aside. The plan must have passed Validate.
func (p Plan) MarshalJSON() ([]byte, error) {
	w := newWriter(&p)
	writeObject(w, &p, &p, planFields)
	return w.b, nil
}

var planFields = []field[Plan]{
	{"version", func(w *writer, _, _ *Plan) bool { w.raw("1"); return true }},
	{"plan", func(w *writer, _, p *Plan) bool { return w.text(p.ID) }},
	{"prompt", func(w *writer, _, p *Plan) bool { return w.prompt(p) }},
	{"env", func(w *writer, _, p *Plan) bool { return w.env(p) }},
	{"fixed", func(w *writer, _, p *Plan) bool { return w.bool(p.Fixed) }},
	{"recorded", func(w *writer, _, p *Plan) bool { return w.bool(p.Recorded) }},
	{"open", func(w *writer, _, p *Plan) bool {
		if p.Open != nil {
			writeObject(w, p, p.Open, openFields)
		}
		return p.Open != nil
	}},
	{"inputs", func(w *writer, _, p *Plan) bool { return w.inputs(p) }},
	{"agents", func(w *writer, _, p *Plan) bool { return w.agents(p) }},
	{"texts", func(w *writer, _, p *Plan) bool {
		texts := p.Texts[prompts(p):]
		return w.list(len(texts), func(i int) { writeObject(w, p, &texts[i], textFields) })
	}},
	{"calls", func(w *writer, _, p *Plan) bool { w.calls(p); return true }},
	{"notes", func(w *writer, _, p *Plan) bool {
		return !w.canonical && w.list(len(p.Notes), func(i int) { writeObject(w, p, &p.Notes[i], noteFields) })
	}},
}

// prompts is how many leading texts are the prompt.
func prompts(p *Plan) int {
	n := 0
	for n < len(p.Texts) {
		t := &p.Texts[n]
		if t.Kind != TextUser || t.Before != 0 || t.Agent != "" || t.Origin != "" {
			break
		}
		n++
	}
	return n
}

func (w *writer) prompt(p *Plan) bool {
	n := prompts(p)
	if n == 1 {
		w.string(p.Texts[0].Text)
		return true
	}
	return w.list(n, func(i int) { w.string(p.Texts[i].Text) })
}

func (w *writer) env(p *Plan) bool {
	start := len(w.b)
	writeObject(w, p, &p.Env, envFields)
	return len(w.b)-start > len("{}")
}

var envFields = []field[Env]{
	{"case_insensitive", func(w *writer, _ *Plan, e *Env) bool { return w.bool(e.CaseInsensitive) }},
	{"cwd", func(w *writer, _ *Plan, e *Env) bool { return w.text(e.Cwd) }},
	{"head", func(w *writer, _ *Plan, e *Env) bool { return w.text(e.Head) }},
	{"home", func(w *writer, _ *Plan, e *Env) bool { return w.text(e.Home) }},
	{"links", func(w *writer, _ *Plan, e *Env) bool { return w.stringMap(e.Links) }},
	{"persistent_shell", func(w *writer, _ *Plan, e *Env) bool { return w.bool(e.PersistentShell) }},
	{"remotes", func(w *writer, _ *Plan, e *Env) bool { return w.stringMap(e.Remotes) }},
	{"user", func(w *writer, _ *Plan, e *Env) bool { return w.text(e.User) }},
	{"vars", func(w *writer, _ *Plan, e *Env) bool { return w.stringMap(e.Vars) }},
}

var openFields = []field[Open]{
	{"candidates", func(w *writer, _ *Plan, o *Open) bool { return w.strings(o.Candidates) }},
	{"why", func(w *writer, _ *Plan, o *Open) bool { return w.text(o.Why) }},
}

var inputFields = []field[Input]{
	{"default", func(w *writer, _ *Plan, in *Input) bool {
		if in.Default != nil {
			w.value(in.Default, true)
		}
		return in.Default != nil
	}},
	{"labels", func(w *writer, _ *Plan, in *Input) bool { return w.strings(in.Labels) }},
}

func (w *writer) inputs(p *Plan) bool {
	inputs := p.Inputs
	if w.canonical {
		inputs = slices.Clone(inputs)
		slices.SortStableFunc(inputs, func(a, b Input) int {
			if lessUTF16(a.Name, b.Name) {
				return -1
			}
			return 1
		})
	}
	w.raw("{")
	for i := range inputs {
		if i > 0 {
			w.raw(",")
		}
		w.string(inputs[i].Name)
		w.raw(":")
		writeObject(w, p, &inputs[i], inputFields)
	}
	w.raw("}")
	return len(inputs) > 0
}

// agents writes those that no call's agent or spawns tells.
func (w *writer) agents(p *Plan) bool {
	var told []Agent
	for _, a := range p.Agents {
		implied := ""
		if a.SpawnedBy >= 0 && a.SpawnedBy < len(p.Calls) {
			implied = p.Calls[a.SpawnedBy].AgentName()
		}
		unnamed := a.SpawnedBy < 0 && a.Name != MainAgent && !namesAgent(p, a.Name)
		if a.Parent != implied || unnamed {
			told = append(told, a)
		}
	}
	return w.list(len(told), func(i int) { writeObject(w, p, &told[i], agentFields) })
}

func namesAgent(p *Plan, name string) bool {
	for i := range p.Calls {
		if p.Calls[i].Agent == name {
			return true
		}
	}
	for i := range p.Texts {
		if p.Texts[i].Agent == name {
			return true
		}
	}
	return false
}

var agentFields = []field[Agent]{
	{"name", func(w *writer, _ *Plan, a *Agent) bool { return w.text(a.Name) }},
	{"parent", func(w *writer, _ *Plan, a *Agent) bool { return w.text(a.Parent) }},
}

var textFields = []field[Text]{
	{"after", func(w *writer, p *Plan, t *Text) bool {
		last := t.Before > 0 && t.Before >= len(p.Calls) && len(p.Calls) > 0
		if last {
			w.string(p.Calls[len(p.Calls)-1].ID)
		}
		return last
	}},
	{"agent", func(w *writer, _ *Plan, t *Text) bool { return w.text(t.Agent) }},
	{"before", func(w *writer, p *Plan, t *Text) bool {
		inside := t.Before > 0 && t.Before < len(p.Calls)
		if inside {
			w.string(p.Calls[t.Before].ID)
		}
		return inside
	}},
	{"kind", func(w *writer, _ *Plan, t *Text) bool { w.string(t.Kind.String()); return true }},
	{"origin", func(w *writer, _ *Plan, t *Text) bool { return w.text(t.Origin) }},
	{"text", func(w *writer, _ *Plan, t *Text) bool { w.string(t.Text); return true }},
}

var noteFields = []field[Note]{
	{"id", func(w *writer, _ *Plan, n *Note) bool { return w.text(n.ID) }},
	{"call", func(w *writer, p *Plan, n *Note) bool {
		known := n.Call >= 0 && n.Call < len(p.Calls)
		if known {
			w.string(p.Calls[n.Call].ID)
		}
		return known
	}},
	{"message", func(w *writer, _ *Plan, n *Note) bool { return w.text(n.Message) }},
	{"hint", func(w *writer, _ *Plan, n *Note) bool { return w.text(n.Hint) }},
	{"closing", func(w *writer, _ *Plan, n *Note) bool { return w.bool(n.Closing) }},
}
