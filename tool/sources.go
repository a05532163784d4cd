package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// outputs adds the labels that the contract gives the output.
func (k *call) outputs() {
	f := k.r.Facts
	if k.e.fixed {
		f.Result = k.e.fixedResult
		return
	}
	if out, fields := k.e.outputs(k.reg, k); len(out)+len(fields) > 0 {
		f.Result = &taint.Result{Output: out, Fields: fields}
	}
}

// outputs lowers the contract's output labels; k is nil where nothing depends on
// the call. A condition that can't be decided keeps the label.
func (e *entry) outputs(r *Registry, k *call) (out []taint.Source, fields []taint.Field) {
	for i := range e.c.Output {
		o := &e.c.Output[i]
		if k != nil && !k.applies(o.If, "output label") {
			continue
		}
		why := "contract of " + e.c.Name
		if len(o.Field) == 0 {
			out = append(out, r.sources(o.Labels, k.readers(e.readers[i], nil, 0), why)...)
			continue
		}
		if items := k.records(o.Field, e.readers[i]); items > 0 {
			fields = append(fields, k.perRecord(o, e.readers[i], items, why)...)
			continue
		}
		fields = append(fields, taint.Field{Path: o.Field,
			Sources: r.sources(o.Labels, k.readers(e.readers[i], nil, 0), why)})
	}
	return out, fields
}

// applies evaluates a condition on the side that keeps labels and sinks.
func (k *call) applies(c Cond, what string) bool {
	holds, err := k.holds(c)
	if err != nil {
		k.note(NoteCondition, false, fmt.Sprintf("the condition of a %s of %q could not be decided: %v", what, k.e.c.Name, err))
		return true
	}
	return holds
}

// readers fills the templates of declared readers; one that can't be read is
// left out, so that fewer may see the data. at and item replace the wildcard of
// a path that leads through the same records as the labelled field.
func (k *call) readers(templates []template, at plan.Path, item int) (names []string) {
	for _, t := range templates {
		if t.constant() {
			names = append(names, t.text)
			continue
		}
		if k == nil {
			continue
		}
		more, ok := t.names(func(p templatePart) ([]string, bool) {
			if p.from == fromOutput {
				return k.readerHole(t, p, at, item)
			}
			return k.hole(t, p)
		})
		if ok {
			names = append(names, more...)
		}
	}
	return names
}

// readerHole reads a part of the output. Several records that the label does not
// tell apart have no common reader, unless all say the same.
func (k *call) readerHole(t template, p templatePart, at plan.Path, item int) ([]string, bool) {
	path := p.path
	if len(at) > 0 && len(path) >= len(at) && path[:len(at)].String() == at.String() {
		path = path.Clone()
		path[len(at)-1] = plan.Step{Index: item, IsIndex: true}
	}
	p.path = path
	names, ok := k.hole(t, p)
	wild := slices.IndexFunc(path, func(s plan.Step) bool { return s.Wild })
	if !ok || wild < 0 || wild == len(path)-1 {
		return names, ok
	}
	same := unique(slices.Clone(names))
	return same, len(same) == 1
}

// sharedPrefix returns the part of a field's path, up to its last wildcard, that
// a reader's path has too.
func sharedPrefix(field plan.Path, readers []template) plan.Path {
	for end := len(field); end > 0; end-- {
		if !field[end-1].Wild {
			continue
		}
		for _, t := range readers {
			for _, p := range t.parts {
				if p.from == fromOutput && len(p.path) > end && p.path[:end].String() == field[:end].String() {
					return field[:end]
				}
			}
		}
	}
	return nil
}

// records returns how many records a field's labels can be told apart for: 0
// where readers don't differ by record, or the output is not known.
func (k *call) records(field plan.Path, readers []template) int {
	at := sharedPrefix(field, readers)
	if k == nil || len(at) == 0 {
		return 0
	}
	v, ok := k.out.list(k.i, at[:len(at)-1])
	if !ok || v.Kind != plan.List || len(v.Items) > MaxFan {
		return 0
	}
	return len(v.Items)
}

func (k *call) perRecord(o *OutputLabel, readers []template, items int, why string) []taint.Field {
	at := sharedPrefix(o.Field, readers)
	fields := make([]taint.Field, items)
	for i := range fields {
		path := o.Field.Clone()
		path[len(at)-1] = plan.Step{Index: i, IsIndex: true}
		fields[i] = taint.Field{Path: path, Sources: k.reg.sources(o.Labels, k.readers(readers, at, i), why)}
	}
	return fields
}

// removals adds the contract's sanitizers and endorsers, each for labels of its
// own side only. One whose condition can't be decided removes nothing.
func (k *call) removals() {
	if len(k.e.c.Sanitizes)+len(k.e.c.Endorses) == 0 {
		return
	}
	integrity := k.reg.config.Universe.Integrity()
	var whys []string
	var removed taint.Set
	remove := func(list []Removal, side taint.Set) {
		for _, rm := range list {
			holds, err := k.holds(rm.If)
			if err != nil {
				k.note(NoteCondition, false, fmt.Sprintf("the condition of a sanitizer of %q could not be decided: %v", k.e.c.Name, err))
			}
			if err == nil && holds {
				removed |= rm.Labels & side
				whys = append(whys, rm.Reason)
			}
		}
	}
	remove(k.e.c.Sanitizes, ^integrity)
	remove(k.e.c.Endorses, integrity)
	if len(whys) > 0 {
		own := k.step.Extend()
		own.Removes, own.RemovesWhy = removed, strings.Join(whys, "; ")
	}
}

// pathSources returns the labels that the policy's sources give a file, or may
// give what a folder holds.
func (k *call) pathSources(u *PathUse) (out []taint.Source) {
	integrity := k.reg.config.Universe.Integrity()
	return k.sourcesOf(u, func(match Match, s *SourceRule) bool {
		p := s.Pattern
		switch {
		case match == Matches:
			return true
		case !u.Known && s.Labels&^integrity == 0:
			return false // nothing says that a stranger wrote what is read there
		case folder(u) && u.Known && !k.wholesale:
			return k.printed(p.path)
		case folder(u) && s.Labels&^integrity == 0:
			return false // an archive of the sources is not a stranger's for a README that may be in it
		}
		return match == MayMatch && !k.spared(p.path, u)
	})
}

func (k *call) sourcesOf(u *PathUse, counts func(Match, *SourceRule) bool) (out []taint.Source) {
	env, candidates := k.foldedEnv(), k.sources.reads
	if u.Known && !u.Tree && !u.Glob && len(u.Links) == 0 {
		candidates = k.sources.paths.Of(strings.ToLower(u.Path), k.candidates[:0])
		k.candidates = candidates
	}
	for _, i := range candidates {
		s := &k.reg.config.Sources[i]
		if match := s.Pattern.reaches(env, u); match == NoMatch || !counts(match, s) || s.excepts(env, u) {
			continue
		}
		for _, src := range k.reg.sources(s.Labels, s.Readers, s.because()) {
			if !slices.ContainsFunc(out, func(o taint.Source) bool { return sameSource(o, src) }) {
				out = append(out, src)
			}
		}
	}
	return out
}

// foldedEnv is the plan's with case that never counts: which file systems tell .ENV
// from .env the plan may not say, and a label too many does little.
func (r *resolver) foldedEnv() *plan.Env {
	if r.folded == nil {
		env := r.plan.Env
		env.CaseInsensitive = true
		r.folded = &env
	}
	return r.folded
}

// excepts reports whether all that is read is a file of the exceptions.
func (s *SourceRule) excepts(env *plan.Env, u *PathUse) bool {
	return slices.ContainsFunc(s.Except, func(g *PathGlob) bool { return !u.Glob && !u.Tree && g.coversRead(env, u) })
}

// sameSource reports whether two rules say the same of a file.
func sameSource(a, b taint.Source) bool {
	return a.Labels == b.Labels && a.Why == b.Why && slices.Equal(a.Readers.Names(), b.Readers.Names())
}

func (s *SourceRule) because() string {
	if s.Why != "" {
		return s.Why
	}
	return "source " + s.Pattern.String()
}

// sourceRules labels the outputs of calls that a source names by tool, host or
// command. Files are labelled where they are read.
func (k *call) sourceRules() {
	for _, i := range k.sources.others {
		s := &k.reg.config.Sources[i]
		if s.Pattern.MatchRestrict(k.c, k.r) == NoMatch {
			continue
		}
		add := k.reg.sources(s.Labels, s.Readers, s.because())
		if s.Pattern.kind != commandPattern || len(k.lowered) == 0 {
			k.r.Facts.Extend().Output = append(k.r.Facts.Output(), add...)
			continue
		}
		for i := range k.lowered {
			if s.Pattern.meansStep(k.r, i) {
				k.lowered[i].Extend().Adds = append(k.lowered[i].Adds(), add...)
			}
		}
	}
}

// folder reports whether a use is of a folder whole: a tree, or a glob over all
// that lies below (what find hands on to xargs).
func folder(u *PathUse) bool {
	return u.Tree && !u.Glob || u.Glob && strings.HasSuffix(u.Path, "**")
}
