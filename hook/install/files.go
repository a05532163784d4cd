package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Mark stands in every file and entry of planlint's, to know them again by.
const Mark = "planlint"

func pretty(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return b.String()
}

func copilotFile(site Site) string {
	hooks := object{}
	for _, event := range []string{"preToolUse", "postToolUse", "postToolUseFailure", "userPromptSubmitted"} {
		line := afterLine(site, "copilot", "--event "+event)
		if event == "preToolUse" {
			line = hookLine(site, "copilot", "--event "+event)
		}
		hooks[event] = []any{object{"type": "command", "bash": line, "timeoutSec": timeout}}
	}
	return pretty(object{"version": 1, "hooks": hooks})
}

func kiroFile(site Site) string {
	hook := func(trigger, line string) object {
		return object{"name": "planlint " + trigger, "trigger": trigger, "matcher": ".*", "timeout": timeout, "enabled": true,
			"action": object{"type": "command", "command": line}}
	}
	return pretty(object{"version": "v1", "hooks": []any{
		hook("PreToolUse", hookLine(site, "kiro", "")),
		hook("PostToolUse", afterLine(site, "kiro", "")),
		hook("UserPromptSubmit", afterLine(site, "kiro", "")),
	}})
}

// clineTarget is a script an event. Cline reads only what the script prints, so
// where planlint gives no answer the script prints the refusal.
func clineTarget(dir string, site Site) *target {
	t := &target{}
	line := afterLine(site, "cline", "")
	before := `#!/bin/sh
# Written by planlint hook install cline. Cline looks at the output only: no answer of planlint is a refusal.
answer=$(` + line + `)
code=$?
if [ "$code" -ne 0 ] && [ -z "$answer" ]; then
  answer='{"cancel":true,"errorMessage":"planlint gave no answer; see planlint hook doctor cline"}'
fi
printf '%s\n' "$answer"
exit "$code"
`
	after := "#!/bin/sh\n# Written by planlint hook install cline.\nexec " + line + "\n"
	for _, event := range []string{"PreToolUse", "PostToolUse", "UserPromptSubmit"} {
		text := after
		if event == "PreToolUse" {
			text = before
		}
		t.files = append(t.files, file{path: dir + "/" + event + ".sh", whole: text, exec: true})
	}
	return t
}

// opencodePlugin hands events to planlint. Before a tool everything but exit
// code 0 throws, which blocks the call, and so does a planlint that can't be
// started, is killed, or takes longer than the plugin waits.
func opencodePlugin(site Site) string {
	binary, arguments := site.Binary, `["hook", "opencode"]`
	if site.Fast != "" {
		binary, arguments = site.Fast, `["opencode"]`
	}
	return `// Written by planlint hook install opencode. Before a tool, everything but a clean exit throws, which blocks the call.
import { spawn } from "node:child_process"

const planlint = ` + strconv.Quote(binary) + `
const patience = ` + strconv.Itoa(timeout*1000) + `

const run = (event, body) => new Promise((resolve) => {
  let stderr = ""
  const child = spawn(planlint, ` + arguments + `, { stdio: ["pipe", "ignore", "pipe"] })
  const timer = setTimeout(() => { child.kill("SIGKILL"); resolve({ code: 124, stderr: "planlint gave no answer in time" }) }, patience)
  const done = (code, text) => { clearTimeout(timer); resolve({ code, stderr: text }) }
  child.stderr.on("data", (data) => { stderr += data })
  child.on("error", (error) => done(127, "planlint can't be started: " + error))
  child.on("close", (code, signal) => done(code, stderr || (signal ? "planlint was killed by " + signal : "")))
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify({ hook_event_name: event, ...body }))
})

export const Planlint = async ({ directory }) => ({
  "chat.message": async (input, output) => { await run("chat.message", { cwd: directory, input, output }) },
  "tool.execute.before": async (input, output) => {
    const { code, stderr } = await run("tool.execute.before", { cwd: directory, input, output })
    if (code !== 0) throw new Error(stderr.trim() || "planlint refused, or gave no answer (exit code " + code + ")")
  },
  "tool.execute.after": async (input, output) => { await run("tool.execute.after", { cwd: directory, input, output }) },
})
`
}

// install returns a file's content with planlint in it.
func (f *file) install(old []byte, _ Site) ([]byte, error) {
	if f.whole != "" {
		if old != nil && !bytes.Contains(old, []byte(Mark)) {
			return nil, fmt.Errorf("there is a hook of yours already")
		}
		return []byte(f.whole), nil
	}
	d, err := parseDocument(old)
	if err != nil {
		return nil, err
	}
	if f.version > 0 {
		if _, ok := d.at("version"); !ok {
			root, _ := d.at()
			d.insert(root, `"version": `+strconv.Itoa(f.version))
		}
	}
	for _, e := range f.entries {
		if err := f.add(d, e); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// add puts one entry into its list, unless it stands there.
func (f *file) add(d *document, e entry) error {
	for n := 1; n < len(e.path); n++ {
		if err := d.ensure("{}", e.path[:n]...); err != nil {
			return err
		}
	}
	if err := d.ensure("[]", e.path...); err != nil {
		return err
	}
	want := compact([]byte(strings.TrimSpace(pretty(e.value))))
	here := false
	d.removeFrom(func(_ string, value []byte) bool {
		if compact(value) == want && !here {
			here = true
			return false
		}
		return ours(value, f.client)
	}, e.path...)
	if here {
		return nil
	}
	return d.appendTo(e.value, e.path...)
}

// ours reports whether an element is one that planlint wrote: its only command
// is planlint's hook for this client.
func ours(value []byte, client string) bool {
	text := string(value)
	if strings.Count(text, `"command"`)-strings.Count(text, `"type":"command"`)-strings.Count(text, `"type": "command"`) > 1 {
		return false // a group that others share
	}
	return strings.Contains(text, " hook "+client) || strings.Contains(strings.ReplaceAll(text, "'", ""), "planlint-hook "+client)
}

func compact(value []byte) string {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return string(value)
	}
	return pretty(v)
}

// uninstall returns a file's content without planlint, nil where nothing else
// was in it.
func (f *file) uninstall(old []byte) ([]byte, error) {
	if old == nil {
		return nil, nil
	}
	if f.whole != "" {
		if bytes.Contains(old, []byte(Mark)) {
			return nil, nil
		}
		return old, nil
	}
	d, err := parseDocument(old)
	if err != nil {
		return nil, err
	}
	for _, e := range f.entries {
		removed := d.removeFrom(func(_ string, value []byte) bool { return ours(value, f.client) }, e.path...)
		if n, ok := d.at(e.path...); removed > 0 && ok && len(n.items) == 0 {
			d.removeFrom(func(key string, _ []byte) bool { return key == e.path[len(e.path)-1] }, e.path[:len(e.path)-1]...)
		}
	}
	if n, ok := d.at("hooks"); ok && len(n.items) == 0 && len(d.text) != len(old) {
		d.removeFrom(func(key string, _ []byte) bool { return key == "hooks" })
	}
	if bytes.Equal(bytes.TrimSpace(d.text), f.blank()) {
		return nil, nil
	}
	return d.text, nil
}

// blank is what is left of a file that install has made.
func (f *file) blank() []byte {
	d := &document{text: []byte("{}")}
	if f.version > 0 {
		root, _ := d.at()
		d.insert(root, `"version": `+strconv.Itoa(f.version))
	}
	return d.text
}

// sample is what a person would add by hand.
func (f *file) sample() string {
	if f.whole != "" {
		return f.whole
	}
	root := object{}
	for _, e := range f.entries {
		at := root
		for _, key := range e.path[:len(e.path)-1] {
			next, ok := at[key].(object)
			if !ok {
				next = object{}
				at[key] = next
			}
			at = next
		}
		last := e.path[len(e.path)-1]
		list, _ := at[last].([]any)
		at[last] = append(list, e.value)
	}
	return pretty(root)
}
