package planyaml

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// top reads the plan's own fields; a JSON file's calls have been read by then.
func (d *decoder) top(n *node) {
	d.field = "the file"
	if n.kind != plan.Object {
		d.fail(n.pos, "a plan is a mapping with version and calls", "a plan must be a mapping, not %s", n.kindName())
		return
	}
	d.field = "plan"
	decode(d, n, planObject, d.plan)
}

var planObject = &object[plan.Plan]{"plan", []reader[plan.Plan]{
	{Field{Name: "version", Type: Version, Required: true, Doc: "The format's version, 1."},
		func(d *decoder, n *node, _ *plan.Plan) {
			if n.kind != plan.Number || n.text != "1" {
				d.fail(n.pos, "write version: 1", "version must be 1, not %s", n.shown())
			}
		}},
	{Field{Name: "plan", Type: String, Doc: "The plan's name."},
		func(d *decoder, n *node, p *plan.Plan) { p.ID = d.str(n) }},
	{Field{Name: "prompt", Type: Strings, Doc: "The user's own words. They are trusted."},
		func(d *decoder, n *node, _ *plan.Plan) {
			d.each(n, func(item *node) {
				d.prompts = append(d.prompts, plan.Text{Kind: plan.TextUser, Text: item.text, Pos: item.pos})
			})
		}},
	{Field{Name: "env", Type: ObjectOf, Object: "env", Doc: "What is known of the machine."},
		func(d *decoder, n *node, p *plan.Plan) { decode(d, n, envObject, &p.Env) }},
	{Field{Name: "fixed", Type: Boolean, Doc: "Every argument was fixed before the first call ran."},
		func(d *decoder, n *node, p *plan.Plan) { p.Fixed = d.boolean(n) }},
	{Field{Name: "recorded", Type: Boolean, Doc: "The plan is a recorded run and not a proposal."},
		func(d *decoder, n *node, p *plan.Plan) { p.Recorded = d.boolean(n) }},
	{Field{Name: "open", Type: ObjectOf, Object: "open", Doc: "More calls than listed can run."},
		func(d *decoder, n *node, p *plan.Plan) {
			p.Open = &plan.Open{Pos: n.pos}
			decode(d, n, openObject, p.Open)
		}},
	{Field{Name: "inputs", Type: MapOf, Object: "input", Doc: "The plan's parameters by name; ${name} refers to one."},
		func(d *decoder, n *node, p *plan.Plan) {
			if n.kind != plan.Object {
				d.wrong(n, "a mapping")
				return
			}
			for i := range n.keys {
				in := plan.Input{Name: n.keys[i].text, Pos: n.keys[i].pos}
				if n.items[i].kind != plan.Null {
					decode(d, &n.items[i], inputObject, &in)
				}
				p.Inputs = append(p.Inputs, in)
			}
		}},
	{Field{Name: "agents", Type: ListOf, Object: "agent", Doc: "Agents of which the calls say too little."},
		func(d *decoder, n *node, _ *plan.Plan) {
			d.objects(n, func(item *node) {
				e := agentEntry{Agent: plan.Agent{SpawnedBy: -1}, pos: item.pos}
				decode(d, item, agentObject, &e)
				d.agents = append(d.agents, e)
			})
		}},
	{Field{Name: "texts", Type: ListOf, Object: "text", Doc: "What entered an agent's context other than as a call's output."},
		func(d *decoder, n *node, _ *plan.Plan) {
			d.objects(n, func(item *node) {
				t := textEntry{Text: plan.Text{Pos: item.pos}}
				decode(d, item, textObject, &t)
				if t.before != "" && t.after != "" {
					d.fail(t.afterPos, "", "a text stands before a call or after one, not both")
				}
				d.texts = append(d.texts, t)
			})
		}},
	{Field{Name: "calls", Type: ListOf, Object: "call", Required: true, Doc: "The calls, in the order in which they run."},
		func(d *decoder, n *node, _ *plan.Plan) { d.objects(n, d.call) }},
	{Field{Name: "notes", Type: ListOf, Object: "note", Doc: "What the reader of a trace could not read or had to assume."},
		func(d *decoder, n *node, _ *plan.Plan) {
			d.objects(n, func(item *node) {
				e := noteEntry{Note: plan.Note{Call: -1, Pos: item.pos}}
				decode(d, item, noteObject, &e)
				d.notes = append(d.notes, e)
			})
		}},
}}

// objects visits the items of a list of mappings.
func (d *decoder) objects(n *node, visit func(item *node)) {
	if n.kind != plan.List {
		d.wrong(n, "a list of mappings")
		return
	}
	for i := range n.items {
		visit(&n.items[i])
	}
}

// shown is a short scalar for an error.
func (n *node) shown() string {
	switch {
	case n.kind == plan.Number && len(n.text) < 20:
		return n.text
	case n.kind == plan.String && len(n.text) < 20:
		return "the string " + strings.ToValidUTF8(quote(n.text), "")
	}
	return n.kindName()
}

var envObject = &object[plan.Env]{"env", []reader[plan.Env]{
	{Field{Name: "cwd", Type: String, Doc: "The working directory."},
		func(d *decoder, n *node, e *plan.Env) { e.Cwd = d.str(n) }},
	{Field{Name: "home", Type: String, Doc: "The home directory."},
		func(d *decoder, n *node, e *plan.Env) { e.Home = d.str(n) }},
	{Field{Name: "user", Type: String, Doc: "The user's name."},
		func(d *decoder, n *node, e *plan.Env) { e.User = d.str(n) }},
	{Field{Name: "links", Type: StringMap, Doc: "Symbolic links: path to target."},
		func(d *decoder, n *node, e *plan.Env) { e.Links = d.stringMap(n) }},
	{Field{Name: "vars", Type: StringMap, Doc: "Environment variables that are known and constant."},
		func(d *decoder, n *node, e *plan.Env) { e.Vars = d.stringMap(n) }},
	{Field{Name: "remotes", Type: StringMap, Doc: "Git remotes: name to address."},
		func(d *decoder, n *node, e *plan.Env) { e.Remotes = d.stringMap(n) }},
	{Field{Name: "head", Type: String, Doc: "The branch that is checked out."},
		func(d *decoder, n *node, e *plan.Env) { e.Head = d.str(n) }},
	{Field{Name: "case_insensitive", Type: Boolean, Doc: "Paths that differ in case only are the same."},
		func(d *decoder, n *node, e *plan.Env) { e.CaseInsensitive = d.boolean(n) }},
	{Field{Name: "persistent_shell", Type: Boolean, Doc: "cd and variables outlive a command call."},
		func(d *decoder, n *node, e *plan.Env) { e.PersistentShell = d.boolean(n) }},
}}

var openObject = &object[plan.Open]{"open", []reader[plan.Open]{
	{Field{Name: "why", Type: String, Doc: "Why more calls can run."},
		func(d *decoder, n *node, o *plan.Open) { o.Why = d.str(n) }},
	{Field{Name: "candidates", Type: Strings, Doc: "Tools that may be called."},
		func(d *decoder, n *node, o *plan.Open) { o.Candidates = d.strings(n) }},
}}

var inputObject = &object[plan.Input]{"input", []reader[plan.Input]{
	{Field{Name: "labels", Type: Strings, Doc: "What the input carries."},
		func(d *decoder, n *node, in *plan.Input) { in.Labels = d.strings(n) }},
	{Field{Name: "default", Type: Any, Doc: "Its value if none is given."},
		func(d *decoder, n *node, in *plan.Input) {
			v := d.literal(n)
			in.Default = &v
		}},
}}

var agentObject = &object[agentEntry]{"agent", []reader[agentEntry]{
	{Field{Name: "name", Type: String, Required: true, Doc: "The agent's name."},
		func(d *decoder, n *node, a *agentEntry) { a.Name, a.pos = d.str(n), n.pos }},
	{Field{Name: "parent", Type: String, Doc: "The agent that started it."},
		func(d *decoder, n *node, a *agentEntry) { a.Parent = d.str(n) }},
}}

var textObject = &object[textEntry]{"text", []reader[textEntry]{
	{Field{Name: "kind", Type: String, Enum: textKinds, Doc: "Where the text came from; unknown if not said."},
		func(d *decoder, n *node, t *textEntry) {
			t.Kind, _ = plan.ParseTextKind(d.enum(n, textKinds))
		}},
	{Field{Name: "text", Type: String, Required: true, Doc: "The text."},
		func(d *decoder, n *node, t *textEntry) { t.Text.Text, t.Pos = d.str(n), n.pos }},
	{Field{Name: "origin", Type: String, Doc: "A path, a server, a tool."},
		func(d *decoder, n *node, t *textEntry) { t.Origin = d.str(n) }},
	{Field{Name: "agent", Type: String, Doc: "Whose context it entered; main if not said."},
		func(d *decoder, n *node, t *textEntry) { t.Agent = d.agent(n) }},
	{Field{Name: "before", Type: String, Doc: "The first call that was made with it in the context; the first of all if not said."},
		func(d *decoder, n *node, t *textEntry) { t.before, t.beforePos = d.str(n), n.pos }},
	{Field{Name: "after", Type: String, Doc: "The call after which it came, instead of before."},
		func(d *decoder, n *node, t *textEntry) { t.after, t.afterPos = d.str(n), n.pos }},
}}

var noteObject = &object[noteEntry]{"note", []reader[noteEntry]{
	{Field{Name: "id", Type: String, Required: true, Doc: "The diagnostic's id, PL9xxx."},
		func(d *decoder, n *node, e *noteEntry) {
			e.ID = d.str(n)
			if n.kind == plan.String && !isDiagnostic(e.ID) {
				d.fail(n.pos, "", "a note's id is PL9 and three digits, not %s", n.shown())
			}
		}},
	{Field{Name: "call", Type: String, Doc: "The call that it concerns."},
		func(d *decoder, n *node, e *noteEntry) { e.call, e.callPos = d.str(n), n.pos }},
	{Field{Name: "message", Type: String, Doc: "What was found."},
		func(d *decoder, n *node, e *noteEntry) { e.Message = d.str(n) }},
	{Field{Name: "hint", Type: String, Doc: "What can be done."},
		func(d *decoder, n *node, e *noteEntry) { e.Hint = d.str(n) }},
	{Field{Name: "closing", Type: Boolean, Doc: "The call must at least be asked for."},
		func(d *decoder, n *node, e *noteEntry) { e.Closing = d.boolean(n) }},
}}

var refObject = &object[wholeRef]{"$ref", []reader[wholeRef]{
	{Field{Name: plan.RefKey, Type: Strings, Required: true, Doc: "A reference without braces, or with via several."},
		func(d *decoder, n *node, w *wholeRef) {
			d.each(n, func(item *node) {
				if ref, ok := d.bareRef(item); ok {
					w.refs = append(w.refs, ref)
				}
			})
		}},
	{Field{Name: "via", Type: String, Doc: "A transform that the value went through: jq, format, ..."},
		func(d *decoder, n *node, w *wholeRef) { w.via = d.str(n) }},
}}

var unknownObject = &object[plan.UnknownSource]{"$unknown", []reader[plan.UnknownSource]{
	{Field{Name: "from", Type: Strings, Doc: "The calls whose outputs decide it."},
		func(d *decoder, n *node, u *plan.UnknownSource) {
			d.each(n, func(item *node) {
				d.names = append(d.names, named{use: forUnknown, name: item.text, pos: item.pos, unknown: u})
			})
		}},
	{Field{Name: "by", Type: String, Enum: fillers, Doc: "Who fills it in."},
		func(d *decoder, n *node, u *plan.UnknownSource) { u.By = d.enum(n, fillers) }},
	{Field{Name: "candidates", Type: Strings, Doc: "Values that are possible."},
		func(d *decoder, n *node, u *plan.UnknownSource) { u.Candidates = d.strings(n) }},
}}

func isDiagnostic(id string) bool {
	if len(id) != len("PL9000") || !strings.HasPrefix(id, "PL9") {
		return false
	}
	return strings.Trim(id[3:], "0123456789") == ""
}
