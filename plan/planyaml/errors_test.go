package planyaml

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// head makes a YAML plan of calls; the first call stands in line 3.
const head = "version: 1\ncalls:\n"

// badPlans are files with all of their errors: exactly these, in this order.
var badPlans = []struct {
	name, src string
	want      []string
}{
	{"empty", "", []string{"p: empty file\nhint: a plan has at least version and calls"}},
	{"only space", " \n\t\n", []string{"p: empty file\nhint: a plan has at least version and calls"}},
	{"only a comment", "# nothing\n", []string{"p: empty file\nhint: a plan has at least version and calls"}},
	{"NUL", "version: 1\ncalls: [\x00]\n", []string{"p:2:9: a NUL byte; this is no text file"}},
	{"invalid UTF-8", "version: 1\nplan: caf\xe9\n", []string{"p:2:10: invalid UTF-8: byte 0xe9"}},
	{"UTF-16", "\xff\xfev\x00", []string{"p:1:4: a NUL byte; this is no text file"}},
	{"a list", "- 1\n", []string{"p:1:1: a plan must be a mapping, not a list\nhint: a plan is a mapping with version and calls"}},
	{"a word", "hello\n", []string{"p:1:1: a plan must be a mapping, not a string\nhint: a plan is a mapping with version and calls"}},
	{"YAML syntax", "version: 1\ncalls: [\n", []string{"p:2:1: not valid YAML: did not find expected node content"}},
	{"tab", "version: 1\ncalls:\n\t- tool: t\n", []string{"p:3:1: not valid YAML: found character that cannot start any token\nhint: YAML is indented with spaces, not tabs"}},
	{"JSON syntax", `{"version": 1, "calls": [}`, []string{`p:1:26: not valid JSON: invalid character '}' at start of value`}},
	{"JSON cut", `{"version": 1, "calls": [`, []string{`p:1:26: not valid JSON: unexpected end of the file`}},
	{"JSON trailing comma", "{\"version\": 1,\n\"calls\": [],}", []string{`p:2:12: not valid JSON: invalid character ',' at start of value`}},
	{"JSON twice", "{\"version\": 1, \"calls\": []}\n{}", []string{"p:2:1: more than one JSON value in the file\nhint: one file holds one plan"}},
	{"JSON lone surrogate", `{"version": 1, "plan": "\ud83d", "calls": []}`, []string{`p:1:25: not valid JSON: invalid surrogate pair "\\ud83d\", \"ca" in string`}},
	{"nothing", "{}", []string{`p:1:1: plan without "calls"`, `p:1:1: plan without "version"`}},
	{"version", "version: 2\ncalls: []\n", []string{"p:1:10: version must be 1, not 2\nhint: write version: 1"}},
	{"version as string", "version: \"1\"\ncalls: []\n", []string{"p:1:10: version must be 1, not the string \"1\"\nhint: write version: 1"}},
	{"unknown field", "version: 1\nclals: []\ncalls: []\n", []string{
		"p:2:1: unknown field \"clals\" in plan\nhint: did you mean \"calls\"? one of version, plan, prompt, env, fixed, recorded, open, inputs, agents, texts, calls, notes",
	}},
	{"unknown field in env", "version: 1\nenv: {cwd: /, hom: /h}\ncalls: []\n", []string{
		"p:2:15: unknown field \"hom\" in env\nhint: did you mean \"home\"? one of cwd, home, user, links, vars, remotes, head, case_insensitive, persistent_shell",
	}},
	{"duplicate key", head + "  - {tool: t, args: {a: 1, b: 2, a: 3}}\n", []string{`p:3:34: key "a" stands twice in one mapping, first at 3:22`}},
	{"duplicate key in JSON", `{"version": 1, "calls": [{"tool": "t", "args": {"a": 1, "a": 2}}]}`, []string{`p:1:57: key "a" stands twice in one mapping, first at 1:49`}},
	{"duplicate top key", "version: 1\nversion: 1\ncalls: []\n", []string{`p:2:1: key "version" stands twice in one mapping, first at 1:1`}},
	{"duplicate id", head + "  - {id: a, tool: t}\n  - {id: a, tool: t}\n", []string{"p:4:10: call id \"a\" is used twice, first at 3:10\nhint: ids are unique in a plan"}},
	{"duplicate of a default id", head + "  - {id: call-2, tool: t}\n  - {tool: t}\n", []string{"p:4:5: call id \"call-2\" is used twice, first at 3:10\nhint: ids are unique in a plan"}},
	{"empty id", head + "  - {id: '', tool: t}\n", []string{"p:3:10: id is empty"}},
	{"id is a number", head + "  - {id: 7, tool: t}\n", []string{"p:3:10: id must be a string, not a number\nhint: put it in quotes"}},
	{"no tool", head + "  - {id: a}\n", []string{`p:3:5: call "a" names no tool`}},
	{"tool is a list", head + "  - {tool: [t]}\n", []string{"p:3:12: tool must be a string, not a list"}},
	{"call is a string", head + "  - read_secret\n", []string{"p:3:5: a call must be a mapping, not a string"}},
	{"calls is a mapping", "version: 1\ncalls: {a: b}\n", []string{"p:2:8: calls must be a list of mappings, not a mapping"}},
	{"null", "version: 1\ncalls:\n", []string{"p:2:7: calls must be a list of mappings, not null"}},
	{"unknown outcome", head + "  - {tool: t, outcome: refuse}\n", []string{"p:3:24: unknown outcome \"refuse\"\nhint: did you mean \"refused\"? one of planned, ran, refused, blocked, failed, unknown"}},
	{"unknown kind", head + "  - {tool: t, kind: tol}\n", []string{"p:3:21: unknown kind \"tol\"\nhint: did you mean \"tool\"? one of tool, model, opaque"}},
	{"wrong boolean", "version: 1\nfixed: yes\ncalls: []\n", []string{"p:2:8: fixed must be true or false, not a string"}},
	{"negative turn", head + "  - {tool: t, turn: -1}\n", []string{"p:3:21: turn must be a whole number from 0 to 1000000000, not -1"}},
	{"turn over the limit", head + "  - {tool: t, turn: 2147483648}\n", []string{"p:3:21: turn must be a whole number from 0 to 1000000000, not 2147483648"}},
	{"reference without quotes", head + "  - {tool: t, args: {x: ${a.output}}}\n", []string{"p:3:25: not valid YAML: did not find expected ',' or '}'\nhint: quote a value that holds a reference: \"${call.output}\""}},
	{"turn for some", head + "  - {id: a, tool: t, turn: 0}\n  - {id: b, tool: t}\n", []string{"p:4:5: call \"b\" has no turn, but others have one\nhint: give every call its turn, or none"}},
	{"turns fall", head + "  - {id: a, tool: t, turn: 1}\n  - {id: b, tool: t, turn: 0}\n", []string{"p:4:5: call \"b\" is in turn 0, after a call of turn 1\nhint: turns are numbered in plan order"}},
	{"dangling reference", head + "  - {id: creds, tool: t}\n  - {tool: t, args: {x: \"key ${cred.output}\"}}\n", []string{
		"p:4:30: reference to \"cred\", which is no call, input or item of this plan\nhint: did you mean \"creds\"? (write $${ for a literal ${)",
	}},
	{"dangling $ref", head + "  - {tool: t, args: {x: {$ref: nobody.output}}}\n", []string{
		"p:3:32: reference to \"nobody\", which is no call, input or item of this plan\nhint: write $${ for a literal ${",
	}},
	{"forward reference", head + "  - {id: a, tool: t, args: {x: \"${b.output}\"}}\n  - {id: b, tool: t}\n", []string{
		"p:3:33: call \"a\" (3:10) refers to call \"b\" (4:10), which comes later\nhint: the order of the file is the order of the plan: move one of them",
	}},
	{"reference to itself", head + "  - {id: a, tool: t, args: [\"${a.output}\"]}\n", []string{"p:3:30: call \"a\" refers to itself"}},
	{"no output in reference", head + "  - {id: a, tool: t}\n  - {tool: t, args: {x: \"${a.key}\"}}\n", []string{"p:4:26: reference to call \"a\" without \".output\"\nhint: write ${a.output.key}"}},
	{"a shell variable", head + "  - {tool: t, args: {x: \"echo ${HOME:-/}\"}}\n", []string{
		"p:3:31: expected \"}\" at the end of a reference, not \":-/}\"\nhint: write ${id.output.path}, or $${ for a literal ${",
	}},
	{"dangling after", head + "  - {id: creds, tool: t}\n  - {tool: t, after: [cred]}\n", []string{"p:4:23: after names \"cred\", which is no call of this plan\nhint: did you mean \"creds\"?"}},
	{"forward after", head + "  - {id: a, tool: t, after: b}\n  - {id: b, tool: t}\n", []string{
		"p:3:29: call \"a\" (3:10) is after call \"b\" (4:10), which comes later\nhint: the order of the file is the order of the plan: move one of them",
	}},
	{"cycle", head + "  - {id: a, tool: t, after: [b]}\n  - {id: b, tool: t, after: [a]}\n", []string{
		"p:3:30: cycle: \"a\" (3:10) needs \"b\" (4:10) needs \"a\" (3:10)\nhint: take one of these references or after entries away",
	}},
	{"dangling from", head + "  - {tool: t, args: {x: {$unknown: {from: [z], by: modle}}}}\n", []string{
		"p:3:44: from names \"z\", which is no call of this plan",
		"p:3:52: unknown by \"modle\"\nhint: did you mean \"model\"? one of model, person, input, env, code",
	}},
	{"$ref not alone", head + "  - {id: a, tool: t}\n  - {tool: t, args: {x: {$ref: a.output, y: 1}}}\n", []string{"p:4:42: unknown field \"y\" in $ref\nhint: one of $ref, via"}},
	{"$unknown not alone", head + "  - {tool: t, args: {x: {$unknown: {}, y: 1}}}\n", []string{"p:3:40: $unknown stands alone in its mapping, not beside \"y\"\nhint: write $$unknown for a key of that name"}},
	{"several $ref without via", head + "  - {id: a, tool: t}\n  - {tool: t, args: {x: {$ref: [a.output, a.output]}}}\n", []string{"p:4:25: several references without via\nhint: name what joins them, as in via: jq"}},
	{"bad $ref", head + "  - {tool: t, args: {x: {$ref: 'a b'}}}\n", []string{"p:3:32: unexpected \" b\" in a reference\nhint: write id.output.path"}},
	{"siblings", head + "  - {id: a, tool: t, parallel: g}\n  - {id: b, tool: t, parallel: g, args: [\"${a.output}\"]}\n", []string{
		"p:4:43: reference to call \"a\" of the same parallel group \"g\"\nhint: the calls of one group start together; take one of them out of it",
	}},
	{"item and call", head + "  - {id: item, tool: t}\n  - {tool: t, each: item.output}\n", []string{"p:4:21: item name \"item\" is also a call or an input\nhint: name the item otherwise: each: REF as NAME"}},
	{"bad item", head + "  - {id: a, tool: t}\n  - {tool: t, each: a.output as two words}\n", []string{"p:4:21: each names its item \"two words\"\nhint: write REF as NAME"}},
	{"alias", head + "  - {tool: t, args: &x {a: 1}}\n  - {tool: t, args: *x}\n", []string{
		"p:3:21: YAML anchor \"&x\" is not allowed in a plan",
		"p:4:21: YAML alias \"*x\" is not allowed in a plan\nhint: write the value out",
	}},
	{"alias bomb", head + "  - {tool: t, args: [&a [x, x], &b [*a, *a], [*b, *b]]}\n", []string{
		"p:3:22: YAML anchor \"&a\" is not allowed in a plan",
		"p:3:33: YAML anchor \"&b\" is not allowed in a plan",
		"p:3:37: YAML alias \"*a\" is not allowed in a plan\nhint: write the value out",
		"p:3:41: YAML alias \"*a\" is not allowed in a plan\nhint: write the value out",
		"p:3:47: YAML alias \"*b\" is not allowed in a plan\nhint: write the value out",
		"p:3:51: YAML alias \"*b\" is not allowed in a plan\nhint: write the value out",
	}},
	{"merge key", head + "  - {tool: t, args: {<<: {a: 1}}}\n", []string{"p:3:22: YAML merge key << is not allowed in a plan\nhint: quote it to have a key of that name"}},
	{"tag", head + "  - {tool: !!str 5, args: !secret x}\n", []string{
		"p:3:12: YAML tag \"!!str\" is not allowed in a plan\nhint: quote the value to make it a string",
		"p:3:27: YAML tag \"!secret\" is not allowed in a plan\nhint: quote the value to make it a string",
	}},
	{"number as key", head + "  - {tool: t, args: {1: x}}\n", []string{"p:3:22: a key must be a string, not a number\nhint: write \"1\""}},
	{"list as key", head + "  - tool: t\n    args:\n      ? [a]\n      : x\n", []string{"p:5:9: a key must be a string, not a list"}},
	{"null as key", head + "  - {tool: t, args: {~: x}}\n", []string{"p:3:22: a key must be a string, not null\nhint: write \"~\""}},
	{"two documents", "version: 1\ncalls: []\n---\nversion: 1\n", []string{"p:4:1: a second YAML document in the file\nhint: one file holds one plan"}},
	{"leading zero", head + "  - {tool: t, args: {mode: 0644}}\n", []string{"p:3:28: 0644 has a leading zero and may be meant as octal\nhint: quote it, or write it without the zero (octal: 0o17)"}},
	{"no number", head + "  - {tool: t, args: {x: .inf, y: .nan}}\n", []string{
		"p:3:25: .inf is not a number that JSON has\nhint: quote it to make it a string",
		"p:3:34: .nan is not a number that JSON has\nhint: quote it to make it a string",
	}},
	{"agent twice", "version: 1\nagents: [{name: w}, {name: w}]\ncalls: []\n", []string{"p:2:28: agent \"w\" is declared twice"}},
	{"agent started twice", head + "  - {tool: t, spawns: w}\n  - {tool: t, spawns: [w]}\n", []string{"p:4:24: agent \"w\" is started twice"}},
	{"text before and after", "version: 1\ntexts: [{text: x, before: a, after: a}]\ncalls: [{id: a, tool: t}]\n", []string{"p:2:37: a text stands before a call or after one, not both"}},
	{"text without text", "version: 1\ntexts: [{kind: usr, before: b}]\ncalls: []\n", []string{
		"p:2:9: text without \"text\"",
		"p:2:16: unknown kind \"usr\"\nhint: did you mean \"user\"? one of unknown, user, system, model, summary, attachment, pasted, instructions, tool-description, hook, subagent-prompt, orphan-result",
		"p:2:29: before names \"b\", which is no call of this plan",
	}},
	{"note id", "version: 1\nnotes: [{id: PL1001}]\ncalls: []\n", []string{"p:2:14: a note's id is PL9 and three digits, not the string \"PL1001\""}},
	{"output_state alone", head + "  - {tool: t, output_state: truncated}\n", []string{"p:3:5: output_state without an output"}},
	{"branch", head + "  - {tool: t, branch: {of: x}}\n", []string{"p:3:23: branch without \"arm\""}},
	{"vars", "version: 1\nenv: {vars: {A: 1}}\ncalls: []\n", []string{"p:2:17: vars must be a mapping of strings, not a number"}},
	{"CRLF", "version: 1\r\nclals: 1\r\ncalls: []\r\n", []string{
		"p:2:1: unknown field \"clals\" in plan\nhint: did you mean \"calls\"? one of version, plan, prompt, env, fixed, recorded, open, inputs, agents, texts, calls, notes",
	}},
	{"columns are bytes", head + "  - {tool: é, arg: {}}\n", []string{
		"p:3:16: unknown field \"arg\" in call\nhint: did you mean \"args\"? one of " + strings.Join(callObject.names(), ", "),
	}},
	{"all at once", "version: 3\nfixed: 1\ncalls:\n  - {id: a, tool: t, args: \"${z.output}\"}\n  - {id: a}\n", []string{
		"p:1:10: version must be 1, not 3\nhint: write version: 1",
		"p:2:8: fixed must be true or false, not a number",
		"p:4:29: reference to \"z\", which is no call, input or item of this plan\nhint: write $${ for a literal ${",
		"p:5:5: call \"a\" names no tool",
		"p:5:10: call id \"a\" is used twice, first at 4:10\nhint: ids are unique in a plan",
	}},
}

func TestParseErrors(t *testing.T) {
	for _, tt := range badPlans {
		t.Run(tt.name, func(t *testing.T) {
			p, errs := Parse([]byte(tt.src), "p")
			require.Nil(t, p)
			require.Equal(t, tt.want, texts(errs))
		})
	}
}

func texts(errs []plan.Error) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.In("p"))
	}
	return out
}

func TestParseDepth(t *testing.T) {
	nested := func(n int, open, inner, shut string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	yamlCall := func(args string) string { return head + "  - {tool: t, args: " + args + "}\n" }
	jsonCall := func(args string) string { return `{"version":1,"calls":[{"tool":"t","args":` + args + `}]}` }
	for _, make := range []func(string) string{yamlCall, jsonCall} {
		_, errs := Parse([]byte(make(nested(plan.MaxDepth, "[", "1", "]"))), "p")
		require.Empty(t, errs)
		for _, n := range []int{plan.MaxDepth + 1, 5000, 9000} {
			_, errs = Parse([]byte(make(nested(n, "[", "1", "]"))), "p")
			require.Len(t, errs, 1)
			require.Equal(t, "nested deeper than 256 levels", errs[0].Message)
		}
		_, errs = Parse([]byte(make(nested(1_000_000, "[", "", "]"))), "p")
		require.NotEmpty(t, errs)
		require.Contains(t, errs[len(errs)-1].Message, "exceeded max depth")
		_, errs = Parse([]byte(make(nested(2000, `{"a":`, "1", "}"))), "p")
		require.Len(t, errs, 1)
	}
	_, errs := Parse([]byte(head+"  - tool: t\n    args:\n      "+strings.Repeat("- ", 3000)+"x\n"), "p")
	require.Equal(t, "nested deeper than 256 levels", errs[0].Message)
}

func TestParseManyErrors(t *testing.T) {
	src := head + strings.Repeat("  - {tol: t}\n", 2000)
	_, errs := Parse([]byte(src), "p")
	require.Len(t, errs, plan.MaxErrors+1)
	require.Equal(t, "and 1950 more errors", errs[plan.MaxErrors].Message)
}

func TestParseErrorsAreShortAndClean(t *testing.T) {
	long := strings.Repeat(`\u001b[31m`, 1<<16)
	call := `{"id":"` + long + `","tool":"t","outcome":"` + long + `","` + long + `":1}`
	_, errs := Parse([]byte(`{"version":1,"calls":[`+call+","+call+"]}"), "p")
	require.Len(t, errs, 5)
	for _, e := range errs {
		require.LessOrEqual(t, len(e.In("p")), 2*plan.MaxMessage+50)
		require.NotContains(t, e.In("p"), "\x1b")
	}
}
