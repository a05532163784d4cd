package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/policy"
)

// document is a policy file in planlint's own syntax, as far as cases need it.
// It is written as JSON, which is YAML.
type document struct {
	Version     int                 `json:"version"`
	Extends     []string            `json:"extends,omitempty"`
	Settings    map[string]string   `json:"settings"`
	Sources     []entry             `json:"sources,omitempty"`
	Sinks       []entry             `json:"sinks,omitempty"`
	Audiences   map[string][]string `json:"audiences,omitempty"`
	Tools       []*contract         `json:"tools,omitempty"`
	Rules       []entry             `json:"rules,omitempty"`
	Permissions map[string][]string `json:"permissions,omitempty"`
	Compose     []entry             `json:"compose,omitempty"`
}

// entry is one item of a section, by the names of its fields.
type entry map[string]any

// policyName is the file that a case's policy stands in.
const policyName = "/case/planlint.yaml"

// policyText writes the case's policy as a user would.
func (c *Case) policyText() ([]byte, error) {
	l := lowering{c: c, doc: document{
		Version: 1, Settings: map[string]string{"unmatched": "ask", "read_only": "unmatched"},
		Permissions: map[string][]string{},
	}, contracts: map[string]*contract{}, repos: map[string]string{}}
	if err := l.tools(); err != nil {
		return nil, err
	}
	for _, line := range c.Setup.Rules {
		if err := l.rule(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if c.mode != "" {
		l.doc.Settings["mode"] = c.mode
	}
	l.exceptions()
	l.finish()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(l.doc)
	return out.Bytes(), err
}

// loader loads policies, equal texts once.
type loader map[string]loaded

type loaded struct {
	policy   *planlint.Policy
	problems []policy.Problem
}

// load loads a policy text as the user's own file.
func (l loader) load(text []byte) (*planlint.Policy, []policy.Problem) {
	done, ok := l[string(text)]
	if !ok {
		done.policy, done.problems = policy.Load(policy.Options{Files: []string{policyName}, FS: memory{policyName: text}})
		l[string(text)] = done
	}
	return done.policy, done.problems
}

// memory is a file system of named texts.
type memory map[string][]byte

// ReadFile returns the text of that name.
func (m memory) ReadFile(name string) ([]byte, error) {
	if text, ok := m[name]; ok {
		return text, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// lowering turns the short form of rules into a policy.
type lowering struct {
	c         *Case
	doc       document
	contracts map[string]*contract
	// repos are the visibilities of repositories.
	repos  map[string]string
	trusts []trusted
	flows  []flowLine
}

// rule lowers one line of setup.rules.
func (l *lowering) rule(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	switch {
	case verb == "default":
		l.doc.Settings["unmatched"] = rest
		if rest == "allow" {
			delete(l.doc.Settings, "read_only")
		}
	case line == "allow @readonly":
		delete(l.doc.Settings, "read_only")
	case verb == "allow" || verb == "ask" || verb == "deny":
		l.permission(verb, rest)
	case verb == "label":
		return l.label(rest)
	case verb == "sink":
		return l.sink(rest)
	case verb == "flow":
		return l.flow(rest)
	default:
		return l.c.errorf("unknown line %q in rules: want allow, ask, deny, default, label, sink or flow", line)
	}
	return nil
}

// permission adds to the permission lists. Those know no agents, so a line with
// one is a rule.
func (l *lowering) permission(verb, rest string) {
	name, agent, byAgent := strings.Cut(rest, " agent:")
	if !byAgent {
		l.doc.Permissions[verb] = append(l.doc.Permissions[verb], rest)
		return
	}
	rule := entry{"decision": verb, "agent": agent}
	tool, pattern, ok := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	switch {
	case !ok && (tool == "Read" || tool == "Edit"):
		rule["path"], rule["access"] = "//**", map[string]string{"Read": "read", "Edit": "write"}[tool]
	case !ok:
		rule["tool"] = tool
	case tool == "Bash":
		rule["command"] = pattern
	case tool == "Read":
		rule["path"], rule["access"] = pattern, "read"
	case tool == "Edit":
		rule["path"], rule["access"] = pattern, "write"
	default:
		rule["tool"], rule["path"] = tool, pattern
	}
	l.doc.Rules = append(l.doc.Rules, rule)
}

// understood lists the tools whose patterns sources and sinks understand.
func understood(pattern string) bool {
	tool, _, brackets := strings.Cut(pattern, "(")
	switch tool {
	case "Bash", "Read", "Edit", "Write", "WebFetch", "Agent", "Task", "Grep", "Glob", "LS", "MultiEdit", "NotebookEdit":
		return true
	}
	return !brackets
}

// label lowers "Read(p) secret", "mcp__x__y(*text*) untrusted", "repo private".
func (l *lowering) label(rest string) error {
	pattern, label, ok := cutLast(rest)
	switch {
	case !ok:
		return l.c.errorf("label line %q: want a pattern and a label", rest)
	case pattern == "repo":
		l.doc.Sources = append(l.doc.Sources, entry{"match": "Read(./**)", "labels": []string{label}, "why": "the repository"})
	case understood(pattern):
		l.doc.Sources = append(l.doc.Sources, entry{"match": pattern, "labels": []string{label}})
	default:
		tool, glob, _ := strings.Cut(strings.TrimSuffix(pattern, ")"), "(")
		con := l.contract(tool)
		con.output(entry{"labels": []string{label}, "if": con.anyArgument(glob)})
	}
	return nil
}

// sink lowers "WebFetch(domain:h) trusted", "Edit(p) public". A trusted sink is
// an exception of the flow rules.
func (l *lowering) sink(rest string) error {
	pattern, kind, ok := cutLast(rest)
	if !ok {
		return l.c.errorf("sink line %q: want a pattern and a kind", rest)
	}
	host, isHost := strings.CutPrefix(strings.TrimSuffix(pattern, ")"), "WebFetch(domain:")
	switch {
	case kind == "trusted" && isHost:
		l.trusts = append(l.trusts, trusted{
			except: entry{
				"when":   "size(flow.sink.call.hosts) > 0 && flow.sink.call.hosts.all(h, h == " + quote(host) + ")",
				"reason": "the case trusts the host",
			},
			allow: entry{"host": host},
		})
	case kind == "trusted":
		return l.trust(rest, pattern)
	case understood(pattern):
		l.doc.Sinks = append(l.doc.Sinks, entry{"match": pattern, "kind": []string{kind}})
	default:
		tool, glob, _ := strings.Cut(strings.TrimSuffix(pattern, ")"), "(")
		con := l.contract(tool)
		con.sink(entry{"kind": []string{kind}, "if": con.anyArgument(glob)})
	}
	return nil
}

// trust makes commands or a tool, which a case calls trusted, an exception.
func (l *lowering) trust(line, pattern string) error {
	command, isCommand := strings.CutPrefix(strings.TrimSuffix(pattern, ")"), "Bash(")
	reason := "the case trusts it"
	switch {
	case isCommand:
		words := strings.TrimSuffix(strings.TrimSuffix(command, ":*"), " *")
		test := "c == " + quote(words) + " || c.startsWith(" + quote(words+" ") + ")"
		l.trusts = append(l.trusts, trusted{
			except: entry{"when": "flow.sink.call.commands.exists(c, " + test + ")", "reason": reason},
			allow:  entry{"command": command},
		})
	case !strings.Contains(pattern, "("):
		l.trusts = append(l.trusts, trusted{except: entry{"tool": pattern, "reason": reason}, allow: entry{"tool": pattern}})
	default:
		return l.c.errorf("sink line %q: only a host, a command or a tool can be trusted", line)
	}
	return nil
}

// trusted is an exception for the case's flow rules, and for the built-in ones.
type trusted struct{ except, allow entry }

// cutLast cuts a line at its last space.
func cutLast(s string) (head, last string, ok bool) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:i]), s[i+1:], true
}

// flowLine is "flow A+B->C ask".
type flowLine struct {
	labels         []string
	sink, decision string
}

func (l *lowering) flow(rest string) error {
	path, decision, ok := cutLast(rest)
	labels, sink, arrow := strings.Cut(path, "->")
	f := flowLine{labels: strings.Split(labels, "+"), sink: sink, decision: decision}
	if !ok || !arrow || labels == "" || sink == "" || decision != "ask" && decision != "deny" && decision != "allow" {
		return l.c.errorf("flow line %q: want LABEL->SINK and ask, deny or allow", rest)
	}
	for i := range f.labels {
		f.labels[i] = strings.TrimSpace(f.labels[i])
	}
	f.sink = strings.TrimSpace(f.sink)
	l.flows = append(l.flows, f)
	if decision == "allow" {
		return nil
	}
	rule := entry{
		"id": fmt.Sprintf("CASE-%d", len(l.flows)), "title": strings.Join(f.labels, " and ") + " data reaches a sink of kind " + f.sink,
		"on": "flow", "labels": f.labels[:1], "sink": []string{f.sink}, "decision": decision, "why": "the policy forbids this flow",
	}
	if len(f.labels) > 1 {
		rule["labels"], rule["all_labels"] = f.labels[len(f.labels)-1:], f.labels
	}
	if !f.integrity() {
		// Who may see the data already is no leak.
		rule["when"] = "!flow.sink.audience.subset(flow.readers)"
	}
	l.doc.Compose = append(l.doc.Compose, rule)
	return nil
}

// integrity reports whether the flow is about who wrote the data.
func (f *flowLine) integrity() bool {
	return len(f.labels) == 1 && f.labels[0] == "untrusted"
}

// builtinRules are the built-in composition rules that an allowed flow has to
// accept beside those of the case.
func builtinRules(label, sink string) []string {
	switch {
	case label == "untrusted" && sink == "exec":
		return []string{"PL1005", "PL3003"}
	case label == "untrusted" && sink == "authority":
		return []string{"PL1003", "PL3003"}
	case label == "untrusted":
		return []string{"PL1004", "PL3003"}
	case label == "private":
		return []string{"PL1002", "PL1006"}
	}
	return []string{"PL1001"}
}

// exceptions adds what the case allows to the rules that would stop it.
func (l *lowering) exceptions() {
	for _, f := range l.flows {
		if f.decision != "allow" {
			continue
		}
		l.except(f, entry{"when": "flow.sink.kinds.has(" + quote(f.sink) + ")", "reason": "the case allows this flow"})
		l.accept(entry{"tool": "*"}, builtinRules(f.labels[0], f.sink))
	}
	for _, t := range l.trusts {
		l.except(flowLine{}, t.except)
		l.accept(t.allow, []string{"PL1001", "PL1002", "PL1006"})
	}
}

// except adds an exception to the case's rules on the same flow; to all for an
// empty one.
func (l *lowering) except(f flowLine, e entry) {
	for _, rule := range l.doc.Compose {
		same := len(f.labels) == 0
		if !same {
			same = rule["labels"].([]string)[0] == f.labels[0] && rule["sink"].([]string)[0] == f.sink
		}
		if same {
			list, _ := rule["unless"].([]entry)
			rule["unless"] = append(list, e)
		}
	}
}

func (l *lowering) accept(rule entry, ids []string) {
	rule["decision"], rule["accepts"], rule["reason"] = "allow", ids, "the case allows this flow"
	l.doc.Rules = append(l.doc.Rules, rule)
}

// quote writes a text as CEL does.
func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
