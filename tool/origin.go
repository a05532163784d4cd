package tool

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Origins lowers resolved calls to what the analysis of origins needs. It is made
// apart from Resolve, since only that analysis needs it, and not for long.
func (r *Registry) Origins(calls []Resolved) []origin.Facts {
	slots := 0
	for i := range calls {
		slots += len(calls[i].Roles)
	}
	facts, roles := make([]origin.Facts, len(calls)), make([]origin.Role, slots)
	for i := range calls {
		n := len(calls[i].Roles)
		facts[i], roles = r.origin(&calls[i], roles[:n:n]), roles[n:]
	}
	return facts
}

// Origin is Origins of one call.
func (r *Registry) Origin(call *Resolved) origin.Facts {
	return r.origin(call, make([]origin.Role, len(call.Roles)))
}

// origin fills roles, one a slot.
func (r *Registry) origin(call *Resolved, roles []origin.Role) origin.Facts {
	f := origin.Facts{Effect: call.Effect, Slots: call.Facts.Slots, Roles: roles}
	for i, role := range call.Roles {
		roles[i] = originRole(role, f.Effect)
	}
	switch {
	case call.Unknown:
		f.Unknown = true
		for i := range roles {
			roles[i] = origin.Content
		}
	case call.Contract != nil:
		e := r.entry(call.Contract)
		f.Fields, f.Acts, f.About = e.fields, e.acts, e.about
	}
	return f
}

// effect says what the call does to the world: what changes nothing may still
// send its address or query away.
func (k *call) effect() origin.Effect {
	switch {
	case k.r.Contract != nil && k.e.acts == origin.ActFetch:
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
