package policy

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan/planyaml"
)

// review checks a plan by a policy file on top of a built-in policy.
func review(t *testing.T, base, policy, plan string) finding.PlanReport {
	t.Helper()
	p, problems := Load(Options{Files: []string{"p.yaml"}, Base: base, FS: memory{"p.yaml": "version: 1\n" + policy}})
	require.NotNil(t, p, printed(problems))
	parsed, errs := planyaml.Parse([]byte("version: 1\nenv: {cwd: /srv/app, home: /home/dev}\n"+plan), "plan.yaml")
	require.Empty(t, errs)
	return planlint.New(*p).Check(context.Background(), parsed)
}

func decisions(r finding.PlanReport) string {
	var words []string
	for _, c := range r.Calls {
		words = append(words, c.Decision.String())
	}
	return strings.Join(words, " ")
}

// TestSection6 holds sentences of the design's section on policies, one case or
// more each: what is written in a file decides calls as the sentence says.
func TestSection6(t *testing.T) {
	const (
		mail  = "calls:\n  - {tool: send_email, args: {to: [a@partner.example], subject: s, body: b}}\n"
		read  = "calls:\n  - {tool: query_order, args: {id: 7}}\n"
		grant = "calls:\n  - {tool: grant_role, args: {user: bob, role: admin}}\n"
		git   = "calls:\n  - {tool: Bash, args: {command: git status}}\n"
		env   = "calls:\n  - {tool: Read, args: {file_path: /srv/app/.env}}\n"
		write = "calls:\n  - {tool: Write, args: {file_path: /srv/app/src/a.go, content: x}}\n"
		who   = "calls:\n  - {tool: mystery, args: {x: 1}}\n"
		leak  = "calls:\n  - {id: s, tool: read_secret, args: {name: k}}\n  - {tool: send_email, args: {to: [a@partner.example], subject: s, body: \"${s.output}\"}}\n"
	)
	cases := []struct{ sentence, base, policy, plan, want string }{
		{"unmatched: calls no rule matches and not read-only ask", "default", "", write, "ask"},
		{"unmatched: read-only calls are allowed unless a rule says otherwise", "default", "", read, "allow"},
		{"a rule says otherwise", "default", "rules: [{decision: deny, tool: query_order}]\n", read, "deny"},
		{"unmatched: class runs classes 1 to 3", "coding-agent", "", write, "allow"},
		{"unmatched: class asks for the rest", "coding-agent", "", mail, "ask"},
		{"unmatched: deny", "default", "settings: {unmatched: deny}\n", write, "deny"},
		{"unmatched: allow waives all classes but authority-modifying", "default", "settings: {unmatched: allow}\n", mail, "allow"},
		{"unmatched: allow does not waive authority-modifying", "default", "settings: {unmatched: allow}\n", grant, "ask"},
		{"deny-overrides: unmatched is then deny by default", "default", "settings: {resolution: deny-overrides}\n", write, "deny"},
		{"unknown_tool asks by default", "coding-agent", "", who, "ask"},
		{"unknown_tool: deny", "coding-agent", "settings: {unknown_tool: deny}\n", who, "deny"},
		{"unknown_tool: deny is not waived by unmatched", "default", "settings: {unknown_tool: deny, unmatched: allow}\n", who, "deny"},
		{"unknown_tool: deny is not waived by a bare allow", "default", "settings: {unknown_tool: deny}\nrules: [{decision: allow, tool: mystery}]\n", who, "deny"},
		{"a contract makes an unknown tool known", "coding-agent", "tools: [{name: mystery, risk_class: reversible-internal}]\n", who, "allow"},
		{"a bare allow waives the class gate", "default", "rules: [{decision: allow, tool: send_email}]\n", mail, "allow"},
		{"a bare allow does not waive authority-modifying", "default", "rules: [{decision: allow, tool: grant_role}]\n", grant, "ask"},
		{"authority-modifying needs accepts", "default", "rules: [{decision: allow, tool: grant_role, accepts: [authority-modifying], reason: onboarding}]\n", grant, "allow"},
		{"most-specific: the more specific rule wins", "default", "rules: [{decision: deny, tool: \"*\"}, {decision: allow, tool: send_email}]\n", mail, "allow"},
		{"most-specific: on a tie the stricter", "default", "rules: [{decision: allow, tool: send_email}, {decision: deny, tool: send_email}]\n", mail, "deny"},
		{"never order in the file", "default", "rules: [{decision: deny, tool: send_email}, {decision: allow, tool: send_email}]\n", mail, "deny"},
		{"deny-overrides: an explicit deny beats any allow", "default", "settings: {resolution: deny-overrides}\nrules: [{decision: deny, tool: \"send_*\"}, {decision: allow, tool: send_email}]\n", mail, "deny"},
		{"permissions: deny > ask > allow", "default", "permissions: {allow: [\"Bash(git status:*)\"], deny: [\"Bash(git:*)\"]}\n", git, "deny"},
		{"permissions allow commands", "default", "permissions: {allow: [\"Bash(git status:*)\"]}\n", git, "allow"},
		{"where rules and permissions both match, the stricter result counts", "default", "rules: [{decision: deny, tool: Bash}]\npermissions: {allow: [\"Bash(git status:*)\"]}\n", git, "deny"},
		{"permissions speak of paths", "default", "permissions: {deny: [\"Read(./.env)\"]}\n", env, "deny"},
		{"names: deny matches every spelling", "default", "rules: [{decision: deny, tool: Send-Email}]\n", mail, "deny"},
		{"names: allow matches the raw identity", "default", "rules: [{decision: allow, tool: Send-Email}]\n", mail, "ask"},
		{"mode read-only denies what is not read-only", "coding-agent", "settings: {mode: read-only}\n", write, "deny"},
		{"mode read-only lets read-only calls run", "coding-agent", "settings: {mode: read-only}\n", read, "allow"},
		{"mode accept-edits allows workspace edits", "default", "settings: {mode: accept-edits}\n", write, "allow"},
		{"mode unattended: ask is deny", "default", "settings: {mode: unattended}\n", write, "deny"},
		{"a capability ceiling denies what is above it", "coding-agent", "settings: {ceiling: compensating}\n", mail, "deny"},
		{"class_when lowers to the class that matches", "coding-agent", "tools: [{refines: send_email, class_when: [{if: \"recipients.all(r, domain(r) == 'partner.example')\", risk_class: compensating}]}]\n", mail, "allow"},
		{"class_when that does not hold keeps the class", "coding-agent", "tools: [{refines: send_email, class_when: [{if: \"recipients.all(r, domain(r) == 'corp.example')\", risk_class: compensating}]}]\n", mail, "ask"},
		{"nothing waives an escalation", "default", "settings: {unmatched: allow}\nrules: [{decision: allow, tool: \"*\"}]\n", leak, "ask ask"},
		{"an allow with accepts and a reason waives it", "default", "rules: [{decision: allow, tool: \"*\", accepts: [PL1001], reason: our vendor}]\n", leak, "allow allow"},
		{"a rule may say escalate: sink", "default", "compose: [{id: PL1001, title: t, labels: [secret], sink: [external], escalate: sink, why: w}]\n", leak, "allow ask"},
		{"decision: deny of a composition rule", "default", "compose: [{id: ACME-1, title: t, labels: [secret], sink: [external], escalate: sink, decision: deny, why: w}]\n", leak, "ask deny"},
		{"unless takes a rule back for a pattern", "default", "compose: [{id: PL1001, title: t, labels: [secret], sink: [external], why: w, unless: [{tool: send_email, reason: vendor}]}]\nrules: [{decision: allow, tool: send_email}]\n", leak, "allow allow"},
		{"sources need no contract", "default", "sources: [{match: \"Read(**/notes.txt)\", labels: [secret]}]\n", "calls:\n  - {id: s, tool: Read, args: {file_path: /srv/app/notes.txt}, output: abc}\n  - {tool: send_email, args: {to: [a@b.example], subject: s, body: \"${s.output}\"}}\n", "ask ask"},
		{"sinks need no contract", "coding-agent", "tools: [{name: save_note, risk_class: reversible-internal, args: {text: {role: content}}}]\nsinks: [{match: save_note, kind: external}]\n", "calls:\n  - {id: s, tool: read_secret, args: {name: k}}\n  - {tool: save_note, args: {text: \"${s.output}\"}}\n", "ask ask"},
		{"own labels imply their level", "coding-agent", "labels: {customer: {kind: confidentiality, level: secret}}\ntools: [{name: crm, risk_class: reversible-internal, read_only: true, output: [{labels: [customer]}]}]\ncompose: [{id: ACME-2, title: t, labels: [secret], sink: [external], why: w}]\n", "calls:\n  - {id: s, tool: crm}\n  - {tool: fetch_url, args: {url: \"https://x.example/?q=${s.output}\"}}\n", "ask ask"},
		{"rules may say agent", "coding-agent", "rules: [{decision: deny, agent: helper, tool: Write}]\n", "agents: [{name: helper, parent: main}]\ncalls:\n  - {tool: Write, agent: helper, args: {file_path: /srv/app/a, content: x}}\n  - {tool: Write, args: {file_path: /srv/app/b, content: x}}\n", "deny allow"},
		{"rules may have a condition", "coding-agent", "rules: [{decision: deny, tool: Write, when: \"call.paths.exists(p, p.endsWith('.go'))\"}]\n", write, "deny"},
	}
	for _, c := range cases {
		t.Run(c.sentence, func(t *testing.T) {
			r := review(t, c.base, c.policy, c.plan)
			if got := decisions(r); got != c.want {
				for _, call := range r.Calls {
					t.Logf("%s %s: %s (%s) %v", call.ID, call.Tool, call.Decision, call.Rule, r.Trace(call.Index))
				}
				require.Equal(t, c.want, got)
			}
		})
	}
}
