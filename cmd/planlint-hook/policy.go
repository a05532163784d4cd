package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/internal/quick"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/internal/xdg"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// policyFile is the name of a policy, as package policy has it.
const policyFile = "planlint.yaml"

// preset is the built-in policy of hooks.
const preset = "coding-agent"

// decider decides by the compiled policy of the session's folder. It satisfies
// hook.Decider.
type decider struct {
	env  map[string]string
	full *fullBinary
	// found: file is the compiled policy of dir, nil for the built-in one. made is
	// what was built of it, and conds its conditions.
	found bool
	dir   string
	file  *compiled.File
	made  *planlint.Policy
	conds *conditions
	// scanner recognises secrets by the policy of dir, once it is needed.
	scanner *content.Scanner
}

// Decide reviews a session's plan, or becomes the full planlint.
func (d *decider) Decide(ctx context.Context, p *plan.Plan, s planlint.Situation) (finding.PlanReport, error) {
	policy, err := d.policy(p.Env.Cwd)
	if err != nil {
		if !errors.Is(err, compiled.ErrStale) {
			return finding.PlanReport{}, err
		}
		return finding.PlanReport{}, errors.Join(err, d.full.replace(true))
	}
	report := planlint.New(*policy).In(s).Check(ctx, p)
	return report, d.conds.failed
}

// Condense satisfies hook.Quick.
func (d *decider) Condense(p *plan.Plan) (session.Facts, bool) {
	policy, err := d.policy(p.Env.Cwd)
	id := d.Policy(p.Env.Cwd)
	if err != nil || id == "" {
		return session.Facts{}, false
	}
	return quick.Condense(policy, id, p), true
}

// Alone satisfies hook.Quick.
func (d *decider) Alone(ctx context.Context, p *plan.Plan, f session.Facts) (session.Memo, session.Facts, bool) {
	policy, err := d.policy(p.Env.Cwd)
	if err != nil {
		return session.Memo{}, f, false
	}
	return quick.Alone(ctx, policy, p, f)
}

// Policy satisfies hook.Quick. The identity tells this program and its policy
// from others.
func (d *decider) Policy(dir string) string {
	if err := d.find(dir); err != nil {
		return ""
	}
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(self)
	if err != nil {
		return ""
	}
	digest := ""
	if d.file != nil {
		digest = d.file.Sum
	}
	return fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), digest)
}

// Clean satisfies hook.Quick.
func (d *decider) Clean(dir, text string) bool {
	if d.find(dir) != nil {
		return false
	}
	if d.scanner == nil {
		doc := &compiled.Document{} // the built-in policy sets nothing for it
		if d.file != nil {
			doc = &d.file.Document
		}
		d.scanner = compiled.Scanner(doc)
	}
	return tool.Clean(d.scanner, text)
}

// policy returns the policy of a folder. An error that wraps ErrStale wants the
// full planlint.
func (d *decider) policy(dir string) (*planlint.Policy, error) {
	if err := d.find(dir); err != nil || d.made != nil {
		return d.made, err
	}
	d.conds = &conditions{full: d.full}
	doc, err := d.document()
	if err != nil {
		return nil, err
	}
	pack, err := compiled.BuiltinPack()
	if err != nil {
		return nil, err
	}
	universe, problems := compiled.Universe(doc)
	policy, more := compiled.Build(doc, universe, pack, d.conds)
	if problems = append(problems, more...); len(problems) > 0 || policy == nil {
		return nil, fmt.Errorf("%w: %v", compiled.ErrStale, compiled.Problems(problems))
	}
	policy.Compose = onCallsAndFlows(policy.Compose)
	d.made = policy
	return policy, nil
}

// onCallsAndFlows leaves out the rules on whole plans, which change no call's
// answer.
func onCallsAndFlows(rules []finding.Rule) []finding.Rule {
	kept := rules[:0:0]
	for _, r := range rules {
		if r.On != finding.OnPlan {
			kept = append(kept, r)
		}
	}
	return kept
}

// find finds the compiled policy of a folder, where the user or the project has
// a policy, and checks that it is as the files are.
func (d *decider) find(dir string) error {
	if d.found && d.dir == dir {
		return nil
	}
	d.found, d.dir, d.file, d.made, d.scanner = false, dir, nil, nil, nil
	project, err := projectFile(dir)
	if err != nil {
		return fmt.Errorf("%w: %v", compiled.ErrStale, err)
	}
	userDir := xdg.Config(d.env)
	own := false
	if userDir != "" {
		if own, err = exists(filepath.Join(userDir, policyFile)); err != nil {
			return fmt.Errorf("%w: %v", compiled.ErrStale, err)
		}
	}
	if project != "" || own {
		d.file, err = compiled.ReadStored(filepath.Join(xdg.Policies(d.env), compiled.StoredName(project, userDir)))
	}
	d.found = err == nil
	return err
}

// document returns the merged table of what find found.
func (d *decider) document() (*compiled.Document, error) {
	if d.file != nil {
		return &d.file.Document, nil
	}
	doc, err := compiled.BuiltinDocument(preset)
	if err == nil {
		doc.Name = "builtin:" + preset
	}
	return doc, err
}

// projectFile returns the project's policy file: in the folder or in the nearest one
// above it.
func projectFile(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, policyFile)
		if there, err := exists(path); there || err != nil {
			return path, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// conditions numbers conditions and evaluates none: where one has to be, the
// process becomes the full planlint. It satisfies compiled.Conditioner.
type conditions struct {
	count  tool.Cond
	full   *fullBinary
	failed error
}

// Condition numbers a condition; planlint compile has checked its text.
func (c *conditions) Condition(compiled.Condition) (tool.Cond, error) {
	c.count++
	return c.count, nil
}

// Holds returns only where the full planlint can't be started.
func (c *conditions) Holds(tool.Cond, *tool.Subject) (bool, error) {
	if c.failed == nil {
		c.failed = fmt.Errorf("a condition has to be evaluated: %w", c.full.replace(false))
	}
	return false, c.failed
}
