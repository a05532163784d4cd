package compiled

// The fields that built-in policies have, by their names in document.go.

func (r *scanner) document(v *Document) {
	r.object(func(key string) {
		switch key {
		case "settings":
			r.settings(&v.Settings)
		case "sources":
			scanList(r, &v.Sources, (*scanner).source)
		case "compose":
			scanList(r, &v.Compose, (*scanner).composeRule)
		case "protected":
			scanList(r, &v.Protected, (*scanner).protected)
		case "gates":
			scanEntries(r, &v.Gates, (*scanner).gate)
		default:
			r.fail()
		}
	})
}

func (r *scanner) settings(v *Settings) {
	r.object(func(key string) {
		switch key {
		case "resolution":
			r.text(&v.Resolution)
		case "unmatched":
			r.text(&v.Unmatched)
		case "read_only":
			r.text(&v.ReadOnly)
		case "unknown_tool":
			r.text(&v.UnknownTool)
		case "mode":
			r.text(&v.Mode)
		default:
			r.fail()
		}
	})
}

func (r *scanner) source(v *Source) {
	r.object(func(key string) {
		switch key {
		case "match":
			r.text(&v.Match)
		case "labels":
			r.texts(&v.Labels)
		case "except":
			r.texts(&v.Except)
		case "readers":
			r.texts(&v.Readers)
		case "why":
			r.text(&v.Why)
		default:
			r.fail()
		}
	})
}

func (r *scanner) composeRule(v *ComposeRule) {
	r.object(func(key string) {
		switch key {
		case "id":
			r.text(&v.ID)
		case "title":
			r.text(&v.Title)
		case "on":
			r.text(&v.On)
		case "labels":
			r.texts(&v.Labels)
		case "all_labels":
			r.texts(&v.AllLabels)
		case "sink":
			r.texts(&v.Sink)
		case "origin":
			r.texts(&v.Origin)
		case "classes":
			r.texts(&v.Classes)
		case "min_precision":
			r.text(&v.Precision)
		case "when":
			r.text(&v.When)
		case "decision":
			r.text(&v.Decision)
		case "gate":
			r.text(&v.Gate)
		case "escalate":
			r.text(&v.Escalate)
		case "severity":
			r.text(&v.Severity)
		case "why":
			r.text(&v.Why)
		case "instead":
			r.text(&v.Instead)
		case "references":
			r.texts(&v.References)
		case "since":
			r.text(&v.Since)
		case "builtin":
			r.boolean(&v.Builtin)
		case "pos":
			r.origin(&v.Pos)
		default:
			r.fail()
		}
	})
}

func (r *scanner) protected(v *Protected) {
	r.object(func(key string) {
		switch key {
		case "name":
			r.text(&v.Name)
		case "paths":
			r.texts(&v.Paths)
		case "authority":
			r.boolean(&v.Authority)
		case "decision":
			r.text(&v.Decision)
		case "whole":
			r.boolean(&v.Whole)
		case "content":
			r.text(&v.Content)
		case "builtin":
			r.boolean(&v.Builtin)
		case "pos":
			r.origin(&v.Pos)
		default:
			r.fail()
		}
	})
}

func (r *scanner) gate(v *Gate) {
	r.object(func(key string) {
		switch key {
		case "effect_review":
			r.boolean(&v.EffectReview)
		case "approvals":
			r.integer(&v.Approvals)
		case "cooldown":
			r.text(&v.Cooldown)
		case "out_of_band":
			r.boolean(&v.OutOfBand)
		default:
			r.fail()
		}
	})
}
