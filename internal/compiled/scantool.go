package compiled

// The fields that built-in contracts have, by their names in document.go.

func (r *scanner) named(list *[]Named) {
	scanList(r, list, func(r *scanner, v *Named) {
		r.object(func(key string) {
			switch key {
			case "Scope":
				v.Scope = Scope(r.str())
			case "Tool":
				v.Tool = r.str()
			case "Text":
				v.Text = r.str()
			default:
				r.fail()
			}
		})
	})
}

func (r *scanner) tool(v *Tool) {
	r.object(func(key string) {
		switch key {
		case "name":
			r.text(&v.Name)
		case "alias":
			r.texts(&v.Alias)
		case "version":
			scanNew(r, &v.Version, (*scanner).integer)
		case "risk_class":
			r.text(&v.Class)
		case "facts":
			scanNew(r, &v.Facts, (*scanner).facts)
		case "read_only":
			scanNew(r, &v.ReadOnly, (*scanner).boolean)
		case "args":
			scanEntries(r, &v.Args, (*scanner).arg)
		case "output":
			scanList(r, &v.Output, (*scanner).outputLabel)
		case "sinks":
			scanList(r, &v.Sinks, (*scanner).sinkDecl)
		case "audience":
			r.texts(&v.Audience)
		case "class_when":
			scanList(r, &v.ClassWhen, (*scanner).classWhen)
		case "sanitizes":
			scanList(r, &v.Sanitizes, (*scanner).removal)
		case "endorses":
			scanList(r, &v.Endorses, (*scanner).removal)
		case "cells":
			scanList(r, &v.Cells, (*scanner).cell)
		case "compensation":
			r.text(&v.Compensation)
		case "window":
			r.text(&v.Window)
		case "preview":
			r.text(&v.Preview)
		case "spawns":
			r.text(&v.Spawns)
		case "act":
			r.texts(&v.Act)
		case "about":
			r.texts(&v.About)
		case "source":
			r.text(&v.Source)
		case "pack":
			v.Pack = r.str()
		case "pos":
			r.origin(&v.Pos)
		default:
			r.fail()
		}
	})
}

func (r *scanner) facts(v *Facts) {
	r.object(func(key string) {
		switch key {
		case "inverse":
			r.text(&v.Inverse)
		case "window":
			scanNew(r, &v.Window, (*scanner).boolean)
		case "observers":
			r.text(&v.Observers)
		case "widens_authority":
			scanNew(r, &v.Widens, (*scanner).boolean)
		default:
			r.fail()
		}
	})
}

func (r *scanner) arg(v *Arg) {
	r.object(func(key string) {
		switch key {
		case "role":
			r.text(&v.Role)
		case "access":
			r.texts(&v.Access)
		case "base":
			r.text(&v.Base)
		case "dialect":
			r.text(&v.Dialect)
		case "tree":
			r.boolean(&v.Tree)
		case "glob":
			r.boolean(&v.Glob)
		case "append":
			r.boolean(&v.Append)
		case "enum":
			r.texts(&v.Enum)
		default:
			r.fail()
		}
	})
}

func (r *scanner) outputLabel(v *OutputLabel) {
	r.object(func(key string) {
		switch key {
		case "field":
			r.text(&v.Field)
		case "labels":
			r.texts(&v.Labels)
		case "readers":
			r.texts(&v.Readers)
		case "open":
			r.boolean(&v.Open)
		case "reference":
			r.boolean(&v.Reference)
		case "if":
			r.text(&v.If)
		default:
			r.fail()
		}
	})
}

func (r *scanner) sinkDecl(v *SinkDecl) {
	r.object(func(key string) {
		switch key {
		case "kind":
			r.texts(&v.Kind)
		case "args":
			r.texts(&v.Args)
		case "if":
			r.text(&v.If)
		default:
			r.fail()
		}
	})
}

func (r *scanner) classWhen(v *ClassWhen) {
	r.object(func(key string) {
		switch key {
		case "if":
			r.text(&v.If)
		case "risk_class":
			r.text(&v.Class)
		default:
			r.fail()
		}
	})
}

func (r *scanner) removal(v *Removal) {
	r.object(func(key string) {
		switch key {
		case "labels":
			r.texts(&v.Labels)
		case "reason":
			r.text(&v.Reason)
		case "if":
			r.text(&v.If)
		default:
			r.fail()
		}
	})
}

func (r *scanner) cell(v *Cell) {
	r.object(func(key string) {
		switch key {
		case "name":
			r.text(&v.Name)
		case "access":
			r.texts(&v.Access)
		case "append":
			r.boolean(&v.Append)
		case "tree":
			r.boolean(&v.Tree)
		default:
			r.fail()
		}
	})
}
