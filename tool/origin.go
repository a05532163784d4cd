package tool

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Origins says how resolved calls are lowered to what the analysis of origins
// needs. It is done apart from Resolve, since only that analysis needs it, and not
// for long.
func (r *Registry) Origins(calls []Resolved) func(call int) origin.Facts {
	var last *Contract
	var known *origin.Tool // of the last contract; the next is often the same
	return func(call int) origin.Facts {
		c := &calls[call]
		if c.Contract != nil && c.Contract != last {
			last, known = c.Contract, &r.entry(c.Contract).origins
		}
		return c.origin(known)
	}
}

// Origin lowers one call.
func (r *Registry) Origin(call *Resolved) origin.Facts {
	if call.Contract == nil {
		return call.origin(nil)
	}
	return call.origin(&r.entry(call.Contract).origins)
}

// origin lowers a call of a tool of which that is known, if it has a contract.
func (call *Resolved) origin(known *origin.Tool) origin.Facts {
	f := origin.Facts{Effect: call.Effect, Unknown: call.Unknown, Slots: call.Slots(), Roles: &originRoles[call.Effect], Tool: &saysNothing}
	switch {
	case call.Unknown:
		f.Roles = &unknownRoles
	case call.Contract != nil:
		f.Tool = known
	}
	return f
}

// saysNothing is what is known of a tool without contract.
var saysNothing origin.Tool

// unknownRoles are those of the slots of a tool that nothing describes, originRoles
// of others, by what the call does.
var unknownRoles, originRoles = func() (unknown origin.Roles, of [origin.Writes + 1]origin.Roles) {
	for role := range unknown {
		unknown[role] = origin.Content
		for effect := range of {
			of[effect][role] = originRole(Role(role), origin.Effect(effect))
		}
	}
	return unknown, of
}()

// effect says what the call does to the world: what changes nothing may still
// send its address or query away.
func (k *call) effect() origin.Effect {
	switch {
	case k.r.Contract != nil && k.e.origins.Acts == origin.ActFetch:
		return origin.Fetches // it keeps what it fetches
	case k.c.Kind == plan.Model:
		return origin.Reads
	case !k.r.ReadOnly:
		return origin.Writes
	case k.r.SinkKinds()&(taint.SinkExternal|taint.SinkPublic) != 0:
		return origin.Fetches
	}
	return origin.Reads
}

func originRole(r Role, effect origin.Effect) origin.Role {
	switch r {
	case Recipient, URL, Path:
		return origin.Target
	case Object:
		return origin.Object
	case SecretArg:
		return origin.Secret
	case Amount:
		return origin.Amount
	case When:
		return origin.When
	case Content, Code, Patch:
		return origin.Content
	case Selector:
		return origin.Selector
	case Query:
		if effect == origin.Writes {
			return origin.Content
		}
		return origin.Selector
	}
	return origin.Other
}

// originFields lowers a contract's output labels: untrusted fields are text,
// trusted ones made by the service, and others that it names are names.
func originFields(c *Contract, u *taint.Universe) []origin.Field {
	private := u.AtLeast(taint.Private)
	var out []origin.Field
	for i := range c.Output {
		o := &c.Output[i]
		said := o.Labels == 0 || private.Intersects(o.Labels) || o.Labels.Has(taint.Untrusted) || o.Open || o.Reference
		if !said {
			continue
		}
		f := origin.Field{Path: o.Field, Open: o.Open, Reference: o.Reference, Private: private.Intersects(o.Labels)}
		switch {
		case o.Labels.Has(taint.Untrusted):
			f.Kind = origin.Text
		case o.Trusted:
			f.Kind = origin.Service
		}
		out = append(out, f)
	}
	return out
}

// originActs returns the declared acts and objects, or those of the name.
func originActs(c *Contract) (origin.Acts, []string) {
	acts, about := c.Acts, c.About
	if c.ReadOnly || acts != 0 && len(about) > 0 {
		return acts, about
	}
	fromName, objects := origin.ActsOfName(c.Name)
	if acts == 0 {
		acts = fromName
		if c.Class < gate.IrreversibleInternal {
			acts &^= origin.Gated // a name alone makes nothing that can be undone worse
		}
	}
	if len(about) == 0 {
		about = objects
	}
	return acts, about
}
