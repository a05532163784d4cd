package main

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

// contract is an entry of a policy's tools. A tool that planlint describes
// already is refined, so that what the case does not speak of stays.
type contract struct {
	Name      string           `json:"name,omitempty"`
	Refines   string           `json:"refines,omitempty"`
	Alias     []string         `json:"alias,omitempty"`
	RiskClass string           `json:"risk_class,omitempty"`
	Source    string           `json:"source,omitempty"`
	Args      map[string]entry `json:"args,omitempty"`
	Output    []entry          `json:"output,omitempty"`
	Sinks     []entry          `json:"sinks,omitempty"`
	Audience  []string         `json:"audience,omitempty"`

	args []string // that the plan's calls give, sorted
}

func (c *contract) output(e entry) { c.Output = append(c.Output, clean(e)) }

func (c *contract) sink(e entry) { c.Sinks = append(c.Sinks, clean(e)) }

// clean drops an empty condition.
func clean(e entry) entry {
	if e["if"] == "" {
		delete(e, "if")
	}
	return e
}

// anyArgument is the condition that some argument matches a glob as a whole.
func (c *contract) anyArgument(glob string) string {
	var parts []string
	for _, p := range strings.Split(glob, "*") {
		parts = append(parts, regexp.QuoteMeta(p))
	}
	re := quote("(?is)^" + strings.Join(parts, ".*") + "$")
	var any []string
	for _, a := range c.args {
		any = append(any, fmt.Sprintf("(has(args.%s) && args.%s.matches(%s))", a, a, re))
	}
	return strings.Join(any, " || ")
}

// builtin is the built-in policy, which says which tools are described.
var builtin = sync.OnceValues(func() (*planlint.Policy, error) { return policy.Builtin("default") })

// contract returns the case's contract of a tool.
func (l *lowering) contract(name string) *contract {
	if c := l.contracts[name]; c != nil {
		return c
	}
	c := &contract{args: l.argumentsOf(name)}
	if builtinTool(name) {
		c.Refines = name
	} else {
		c.Name, c.RiskClass, c.Source = name, "reversible-internal", "the case"
		c.Args = map[string]entry{}
		for _, a := range c.args {
			c.Args[a] = entry{"role": "content"}
		}
	}
	l.contracts[name] = c
	l.doc.Tools = append(l.doc.Tools, c)
	return c
}

func builtinTool(name string) bool {
	p, err := builtin()
	return err == nil && p.Registry.Find(name, "") != nil
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// argumentsOf lists the arguments that the plan's calls of a tool give.
func (l *lowering) argumentsOf(name string) (list []string) {
	for i := range l.c.Plan {
		if l.c.Plan[i].Tool != name {
			continue
		}
		args, err := valueOf(l.c.Plan[i].Args)
		if err != nil || args.Kind != plan.Object {
			continue
		}
		for _, k := range args.Keys {
			if plainKey.MatchString(k) {
				list = append(list, k)
			}
		}
	}
	sort.Strings(list)
	return slices.Compact(list)
}

// tools lowers setup.tools: facts on repositories first, since conditions of
// contracts need them.
func (l *lowering) tools() error {
	for _, line := range l.c.Setup.Tools {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == "repo" {
			visibility, ok := strings.CutPrefix(f[2], "visibility=")
			if !ok {
				return l.c.errorf("unknown line %q in tools", line)
			}
			l.repos[f[1]] = visibility
			if visibility == "public" {
				l.audience("github:"+f[1], "everyone")
			}
		}
	}
	for _, line := range l.c.Setup.Tools {
		if err := l.tool(line); err != nil {
			return err
		}
	}
	return nil
}

func (l *lowering) audience(name string, members ...string) {
	if l.doc.Audiences == nil {
		l.doc.Audiences = map[string][]string{}
	}
	l.doc.Audiences[name] = members
}

// tool lowers one line of setup.tools.
func (l *lowering) tool(line string) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case name == "repo" || name == "server":
		return nil // servers: a name of a tool says which one it is of
	case strings.HasPrefix(rest, "alias-of "):
		l.alias(name, strings.TrimPrefix(rest, "alias-of "))
		return nil
	}
	facts, condition, _ := strings.Cut(rest, " if ")
	if strings.Contains(name, "(") {
		return l.patternFacts(line, name, facts, condition)
	}
	c := l.contract(name)
	when, err := l.condition(c, condition)
	if err != nil {
		return err
	}
	pathArg := entry{}
	for _, fact := range strings.Fields(facts) {
		key, value, ok := strings.Cut(fact, "=")
		switch {
		case !ok:
			return l.c.errorf("unknown fact %q in tools line %q", fact, line)
		case key == "source":
			out := entry{"labels": strings.Split(value, "+"), "if": when}
			if strings.HasPrefix(condition, "repo:") {
				out["readers"] = []string{repoAudience}
			}
			c.output(out)
		case key == "sink":
			c.sink(entry{"kind": strings.Split(value, "+"), "if": when})
			if strings.HasPrefix(condition, "repo:") {
				c.Audience = []string{repoAudience}
			}
		case key == "path":
			pathArg["role"] = "path"
			c.arg(argName(value), pathArg)
		case key == "access":
			pathArg["access"] = strings.Split(value, "+")
		case key == "base":
			pathArg["base"] = argName(value)
		case key == "exec":
			c.arg(argName(value), entry{"role": "command"})
		default:
			return l.c.errorf("unknown fact %q in tools line %q", fact, line)
		}
	}
	return nil
}

// repoAudience is who may see what is in the repository that a call names.
const repoAudience = "github:{args.owner}/{args.repo}"

// argName reads arg:files[] as files[*].
func argName(value string) string {
	return strings.ReplaceAll(strings.TrimPrefix(value, "arg:"), "[]", "[*]")
}

func (c *contract) arg(name string, e entry) {
	if c.Args == nil {
		c.Args = map[string]entry{}
	}
	delete(c.Args, strings.TrimSuffix(name, "[*]"))
	c.Args[name] = e
}

// alias makes a name another one of a tool.
func (l *lowering) alias(name, of string) {
	p, err := builtin()
	if err == nil && p.Registry.Find(name, "") != nil && p.Registry.Find(name, "") == p.Registry.Find(of, "") {
		return // built in
	}
	c := l.contract(of)
	c.Alias = append(c.Alias, name)
}

// patternFacts lowers "Bash(curl:*) source=untrusted".
func (l *lowering) patternFacts(line, pattern, facts, condition string) error {
	if condition != "" || !understood(pattern) {
		return l.c.errorf("tools line %q: a pattern with a condition can't be lowered", line)
	}
	for _, fact := range strings.Fields(facts) {
		switch key, value, _ := strings.Cut(fact, "="); key {
		case "source":
			l.doc.Sources = append(l.doc.Sources, entry{"match": pattern, "labels": strings.Split(value, "+")})
		case "sink":
			l.doc.Sinks = append(l.doc.Sinks, entry{"match": pattern, "kind": strings.Split(value, "+")})
		default:
			return l.c.errorf("unknown fact %q in tools line %q", fact, line)
		}
	}
	return nil
}

// condition lowers what stands after "if" to CEL: "repo:public", "arg:value",
// "arg~text", "url in text".
func (l *lowering) condition(c *contract, text string) (string, error) {
	text = strings.TrimSpace(text)
	key, value, colon := strings.Cut(text, ":")
	arg, part, tilde := strings.Cut(text, "~")
	_, in, isIn := strings.Cut(text, "url in ")
	switch {
	case text == "":
		return "", nil
	case isIn:
		return l.on(c, in, "args."+in+`.contains("://")`), nil
	case colon && key == "repo" && (value == "public" || value == "private"):
		return l.visible(c, value), nil
	case tilde && plainKey.MatchString(arg):
		return l.on(c, arg, "args."+arg+".lowerAscii().contains("+quote(strings.ToLower(part))+")"), nil
	case colon && plainKey.MatchString(key):
		return l.on(c, key, "args."+key+" == "+quote(value)), nil
	}
	return "", l.c.errorf("unknown condition %q in tools", text)
}

// on guards a test of an argument; one that no contract has is declared.
func (l *lowering) on(c *contract, arg, test string) string {
	if !slices.Contains(c.args, arg) && c.Args != nil && c.Args[arg] == nil {
		c.arg(arg, entry{"role": "content"})
	}
	return fmt.Sprintf("has(args.%s) && %s", arg, test)
}

// visible is the condition that the repository of a call has a visibility. One
// that the case does not speak of may have either.
func (l *lowering) visible(c *contract, visibility string) string {
	others := []string{}
	for repo, v := range l.repos {
		if v != visibility {
			others = append(others, quote(repo))
		}
	}
	sort.Strings(others)
	name := `args.owner + "/" + args.repo`
	if !slices.Contains(c.args, "owner") {
		name = "args.repo"
	}
	return fmt.Sprintf("!(%s in [%s])", name, strings.Join(others, ", "))
}

// finish drops contracts that say nothing.
func (l *lowering) finish() {
	l.doc.Tools = slices.DeleteFunc(l.doc.Tools, func(c *contract) bool {
		return c.Refines != "" && len(c.Alias)+len(c.Args)+len(c.Output)+len(c.Sinks)+len(c.Audience) == 0
	})
}
