package compiled

import (
	"errors"
	"fmt"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// builder turns a Document into a policy.
type builder struct {
	universe *taint.Universe
	conds    Conditioner
	problems []Problem
}

// Universe returns the label universe of a document. Labels that cannot be
// declared are problems, and missing from it.
func Universe(d *Document) (*taint.Universe, []Problem) {
	var problems []Problem
	var defs []taint.LabelDef
	base, _ := taint.NewUniverse()
	for _, e := range d.Labels {
		def := taint.LabelDef{Name: e.Key.S, Level: e.Value.Level.S}
		if e.Value.Kind.S == "integrity" {
			def.Kind = taint.Integrity
		}
		next, err := taint.NewUniverse(append(defs, def)...)
		if err != nil {
			problems = append(problems, Problem{At: e.Key.At, Length: len(e.Key.S), Message: err.Error()})
			continue
		}
		base, defs = next, append(defs, def)
	}
	return base, problems
}

// Build returns the policy of a document. The pack holds the contracts that the
// document does not name itself; nil for none. The policy is nil where a
// problem without an id was found.
func Build(d *Document, u *taint.Universe, pack *Pack, conds Conditioner) (*planlint.Policy, []Problem) {
	b := &builder{universe: u, conds: conds}
	p := &planlint.Policy{Name: d.Name, Universe: u, Gates: Gates(d.Gates)}
	if d.Settings.Precision.S != "" {
		p.Precision, _ = taint.ParsePrecision(d.Settings.Precision.S)
	}
	for i := range d.Compose {
		p.Compose = append(p.Compose, b.composeRule(&d.Compose[i]))
	}
	var list []rules.Rule
	for i := range d.Rules {
		list = append(list, b.rule(&d.Rules[i]))
	}
	config := b.registry(d, pack)
	var wrong []tool.Problem
	p.Registry, wrong = tool.NewRegistry(config)
	for _, w := range wrong {
		if !w.Lint {
			b.problems = append(b.problems, placed(d, w))
		}
	}
	p.Rules = b.table(list, d.Rules, settingsOf(d.Settings))
	p.Protected = b.places(d.Protected)
	p.Composer = conds
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	return p, nil
}

func (b *builder) registry(d *Document, pack *Pack) tool.Config {
	c := tool.Config{Universe: b.universe, Conditions: b.conds, Content: content.NewScanner(contentOptions(d.Settings.Content))}
	for i := range d.Tools {
		c.Contracts = append(c.Contracts, *b.contract(&d.Tools[i]))
	}
	for i := range d.Sources {
		s := &d.Sources[i]
		c.Sources = append(c.Sources, tool.SourceRule{
			Pattern: b.pattern(s.Match), Labels: b.some(s.Labels), Readers: Strings(s.Readers),
			Except: b.globs(s.Except), Why: orPlace(s.Why, s.Match), Pos: s.Pos,
		})
	}
	for i := range d.Sinks {
		s := &d.Sinks[i]
		c.Sinks = append(c.Sinks, tool.SinkRule{
			Pattern: b.pattern(s.Match), Kinds: sinkKinds(s.Kind), Audience: Strings(s.Audience),
			Why: orPlace(s.Why, s.Match), Pos: s.Pos,
		})
	}
	if len(d.Audiences) > 0 {
		c.Audiences = make(map[string][]string, len(d.Audiences))
		for _, e := range d.Audiences {
			c.Audiences[e.Key.S] = Strings(e.Value)
		}
	}
	if pack != nil {
		c.Packs = []tool.Pack{pack.bind(b)}
	}
	return c
}

func contentOptions(s *ContentSettings) content.Options {
	if s == nil {
		return content.Options{}
	}
	return content.Options{Personal: s.Personal, Canaries: Strings(s.Canaries)}
}

// placed returns a problem of the registry; what it says of a source or sink is
// shown at its pattern.
func placed(d *Document, w tool.Problem) Problem {
	p := Problem{At: w.Pos, Message: w.Message, Hint: w.Hint, Entry: w.Pos}
	show := func(pos tool.Origin, match Text) {
		if pos == w.Pos && pos.Line > 0 {
			p.At, p.Length = match.At, len(match.S)
		}
	}
	for i := range d.Sources {
		show(d.Sources[i].Pos, d.Sources[i].Match)
	}
	for i := range d.Sinks {
		show(d.Sinks[i].Pos, d.Sinks[i].Match)
	}
	return p
}

func orPlace(why, match Text) string {
	if why.S != "" {
		return why.S
	}
	return place(match.At.File, match.At.Line)
}

func (b *builder) pattern(t Text) *tool.Pattern {
	p, err := tool.ParsePattern(t.S)
	if err != nil {
		b.problem(t, err.Error(), "")
	}
	return p
}

func (b *builder) globs(list []Text) (globs []*tool.PathGlob) {
	for _, t := range list {
		g, err := tool.CompilePath(t.S)
		if err != nil {
			b.problem(t, err.Error(), "")
			continue
		}
		globs = append(globs, g)
	}
	return globs
}

func (b *builder) problem(t Text, message, hint string) {
	b.problems = append(b.problems, Problem{At: t.At, Length: len(t.S), Message: message, Hint: hint})
}

// conditionProblem keeps the place that the condition's compiler found, if its
// error is a list of problems.
func (b *builder) conditionProblem(t Text, err error) {
	var placed Problems
	if errors.As(err, &placed) {
		b.problems = append(b.problems, placed...)
		return
	}
	b.problem(t, fmt.Sprintf("bad condition: %v", err), "")
}
