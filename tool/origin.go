package tool

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// origin lowers the contract to what the analysis of origins needs.
func (k *call) origin() {
	f := &k.r.Origin
	f.Slots = k.r.Facts.Slots
	f.Roles = k.slabs.origins.take(len(k.r.Roles))
	f.Effect = k.effect()
	if k.r.Contract != nil && k.e.acts == origin.ActFetch {
		f.Effect = origin.Fetches // it keeps what it fetches
	}
	for i, role := range k.r.Roles {
		f.Roles[i] = originRole(role, f.Effect)
	}
	switch {
	case k.c.Kind == plan.Model:
		f.Effect = origin.Reads
	case k.r.Contract == nil:
		f.Unknown = true
		for i := range f.Roles {
			f.Roles[i] = origin.Content
		}
	default:
		f.Fields, f.Acts, f.About = k.e.fields, k.e.acts, k.e.about
	}
}

// effect says what the call does to the world: what changes nothing may still
// send its address or query away.
func (k *call) effect() origin.Effect {
	switch {
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
