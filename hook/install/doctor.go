package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// Status is the outcome of one check.
type Status uint8

// The outcomes.
const (
	OK Status = iota
	Warn
	Bad
)

// String returns ok, warning or problem.
func (s Status) String() string { return [...]string{"ok", "warning", "problem"}[min(s, 2)] }

// Check is one thing that doctor looked at.
type Check struct {
	Status  Status
	Subject string
	// Text says what was found, Hint what to do about it.
	Text, Hint string
}

// knowledge is what doctor knows of a client beside its files.
type knowledge struct {
	program string
	// tested is the version that was run with planlint, "" for none.
	tested string
	// switches are members of an entry that make the client fail closed.
	switchText string
	// remains is what the client can't be made to enforce.
	remains []string
	// canary is an event before a tool that names none, and one that is let pass.
	canary, harmless string
}

func known(client string) knowledge {
	claude := func(event, tool string) (string, string) {
		base := `{"session_id":"planlint-doctor","cwd":"/","permission_mode":"default","hook_event_name":"` + event + `","tool_input":{"command":"git status"},"tool_use_id":"doctor"`
		return base + `,"tool_name":""}`, base + `,"tool_name":"` + tool + `"}`
	}
	k := knowledge{}
	switch client {
	case "claude-code":
		k.program, k.tested, k.switchText = "claude", "2.1.332", `"onFailure":"block"`
		k.canary, k.harmless = claude("PreToolUse", "Bash")
		k.remains = []string{
			"a hook that prints what is no JSON with exit code 0 lets the call run, onFailure or not",
			"onFailure needs 2.1.295 or newer; before that a killed or slow hook lets the call run",
			"files that a prompt names with @ are read without a hook; planlint reads the prompt for them",
			"an ask is no question in bypassPermissions and auto mode, so there it is a refusal",
		}
	case "codex":
		k.program, k.tested = "codex", "0.171.0"
		k.canary, k.harmless = claude("PreToolUse", "Bash")
		k.remains = []string{
			"hooks that were not approved in /hooks are skipped without a word: approve planlint's there, and again after each change",
			"a hook that takes longer than its time-out lets the call run",
			"there is no ask: planlint refuses and says how to allow the call",
		}
	case "gemini":
		k.program, k.tested = "gemini", "0.61.0"
		k.canary, k.harmless = claude("BeforeTool", "run_shell_command")
		k.remains = []string{
			"a hook that takes longer than its time-out lets the call run",
			"an ask without a terminal ends the run, so there planlint refuses",
			"calls that Gemini refuses by itself are never shown to a hook",
		}
	case "qwen":
		k.program, k.tested = "qwen", "0.24.4"
		k.canary, k.harmless = claude("PreToolUse", "run_shell_command")
		k.remains = []string{"a hook that takes longer than its time-out lets the call run", "prompt events also come for tool results; their text is not always the user's"}
	case "copilot":
		k.program, k.tested = "copilot", "1.0.102"
		k.canary = `{"sessionId":"planlint-doctor","cwd":"/","toolName":"","toolArgs":{}}`
		k.harmless = `{"sessionId":"planlint-doctor","cwd":"/","toolName":"bash","toolArgs":{"command":"git status"}}`
		k.remains = []string{"a hook that takes longer than its time-out lets the call run", "output that is no JSON with exit code 0 lets the call run"}
	case "opencode":
		k.program, k.tested = "opencode", "1.18.33"
		k.canary = `{"hook_event_name":"tool.execute.before","cwd":"/","input":{"tool":"","sessionID":"planlint-doctor","callID":"x"},"output":{"args":{}}}`
		k.harmless = `{"hook_event_name":"tool.execute.before","cwd":"/","input":{"tool":"bash","sessionID":"planlint-doctor","callID":"x"},"output":{"args":{"command":"git status"}}}`
		k.remains = []string{"a plugin that fails to load is ignored, and calls run", "there is no ask from a plugin: planlint refuses and says how to allow the call"}
	case "cline":
		k.program, k.tested = "cline", "3.0.65"
		k.canary = `{"hookName":"tool_call","taskId":"planlint-doctor","tool_call":{"id":"x","name":"","input":{}}}`
		k.harmless = `{"hookName":"tool_call","taskId":"planlint-doctor","tool_call":{"id":"x","name":"run_commands","input":{"commands":["git status"]}}}`
		k.remains = []string{"a refusal ends the whole run", "a hook that takes longer than Cline waits (120 s) lets the call run", "there is no ask"}
	case "cursor":
		k.program, k.switchText = "cursor", `"failClosed":true`
		k.canary = `{"conversation_id":"planlint-doctor","hook_event_name":"preToolUse","tool_name":"","tool_input":{}}`
		k.harmless = `{"conversation_id":"planlint-doctor","hook_event_name":"beforeShellExecution","cwd":"/","command":"git status"}`
		k.remains = []string{"this adapter follows the documentation; it was not run with the client", "an ask is honoured for shell and MCP calls only; elsewhere planlint refuses"}
	case "windsurf":
		k.program = "windsurf"
		k.canary = `{"agent_action_name":"pre_mcp_tool_use","trajectory_id":"planlint-doctor","tool_info":{"mcp_tool_name":""}}`
		k.harmless = `{"agent_action_name":"pre_run_command","trajectory_id":"planlint-doctor","tool_info":{"command_line":"git status","cwd":"/"}}`
		k.remains = []string{"this adapter follows the documentation; it was not run with the client", "no event tells what a call returned, so values are not matched: what was read counts by context", "there is no ask; a slow hook lets the call run"}
	case "kiro":
		k.program = "kiro"
		k.canary = `{"hook_event_name":"preToolUse","cwd":"/planlint-doctor","tool_name":"","tool_input":{}}`
		k.harmless = `{"hook_event_name":"preToolUse","cwd":"/planlint-doctor","tool_name":"execute_bash","tool_input":{"command":"git status"}}`
		k.remains = []string{"this adapter follows the documentation; it was not run with the client", "agents with hooks of their own (agents/*.json) need the same entries there", "there is no ask; a slow hook lets the call run"}
	}
	return k
}

// Doctor checks a client's version, configuration and switches, and fires a
// canary through each command line that is configured.
func Doctor(ctx context.Context, client string, site Site) ([]Check, error) {
	if _, err := targetOf(client, User, site); err != nil {
		return nil, err
	}
	k := known(client)
	checks := []Check{version(ctx, k)}
	found, seen := false, map[string]bool{}
	for _, scope := range []Scope{User, Project} {
		t, err := targetOf(client, scope, site)
		if err != nil {
			return nil, err
		}
		for i := range t.files {
			if seen[t.files[i].path] {
				continue // the project is the home folder
			}
			seen[t.files[i].path] = true
			more, here := t.files[i].examine(ctx, client, k, site)
			checks, found = append(checks, more...), found || here
		}
	}
	if !found {
		checks = append(checks, Check{Bad, "configuration", "planlint stands in no configuration of this client", "planlint hook install " + client})
	}
	for _, r := range k.remains {
		checks = append(checks, Check{Warn, "remains", r, ""})
	}
	return checks, nil
}

var number = regexp.MustCompile(`\d+\.\d+\.\d+`)

func version(ctx context.Context, k knowledge) Check {
	path, err := exec.LookPath(k.program)
	if err != nil {
		return Check{Warn, "version", k.program + " is not on the PATH", "its version was not checked"}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	v := number.FindString(string(out))
	switch {
	case err != nil || v == "":
		return Check{Warn, "version", path + " does not tell its version", ""}
	case k.tested == "":
		return Check{Warn, "version", v + "; no version was run with planlint", "try a call that planlint has to refuse"}
	case v != k.tested:
		return Check{Warn, "version", v + "; " + k.tested + " was run with planlint", "if the client's hooks have changed, the canary below would not show it"}
	}
	return Check{OK, "version", v, ""}
}

// examine checks one file; here says whether planlint stands in it.
func (f *file) examine(ctx context.Context, client string, k knowledge, site Site) (checks []Check, here bool) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		return []Check{{Bad, f.path, err.Error(), "make it readable"}}, false
	}
	if !bytes.Contains(data, []byte(Mark)) {
		return nil, false
	}
	want, err := f.install(data, site)
	switch {
	case err != nil:
		checks = append(checks, Check{Warn, f.path, "it can't be checked: " + err.Error(), ""})
	case !bytes.Equal(want, data):
		checks = append(checks, Check{Bad, f.path, "planlint's entries are not those of this planlint", "planlint hook install " + client})
	default:
		checks = append(checks, Check{OK, f.path, "planlint's entries are in place", ""})
	}
	if k.switchText != "" && !strings.Contains(strings.ReplaceAll(string(data), " ", ""), k.switchText) {
		checks = append(checks, Check{Bad, f.path, "the switch " + k.switchText + " is not set: a hook that fails lets calls run", "planlint hook install " + client})
	}
	for _, off := range []string{`"disableAllHooks":true`, `"enabled":false`} {
		if strings.Contains(strings.ReplaceAll(string(data), " ", ""), off) {
			checks = append(checks, Check{Bad, f.path, off + " turns hooks off", "remove it"})
		}
	}
	for _, line := range f.lines(client, site) {
		checks = append(checks, canary(ctx, f.path, line, k.canary, true), canary(ctx, f.path, line, k.harmless, false))
	}
	return checks, true
}

// lines are the command lines of a file's hooks before a tool.
func (f *file) lines(client string, site Site) []string {
	switch {
	case f.exec && strings.HasSuffix(f.path, "PreToolUse.sh"):
		return []string{quote(f.path)}
	case f.exec:
		return nil
	case client == "opencode":
		return []string{hookLine(site, client, "")}
	case client == "copilot":
		return []string{hookLine(site, client, "--event preToolUse")}
	case client == "kiro":
		return []string{hookLine(site, client, "")}
	}
	return []string{hookLine(site, client, "")}
}

// canary hands an event to a hook as the client does, and checks the answer.
func canary(ctx context.Context, subject, line, event string, refused bool) Check {
	ctx, cancel := context.WithTimeout(ctx, timeout*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(event), time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start).Round(10 * time.Millisecond)
	if cmd.ProcessState == nil {
		return Check{Bad, subject, fmt.Sprintf("the hook can't be started: %v", err), "planlint hook install again"}
	}
	code := cmd.ProcessState.ExitCode()
	var answer struct{ Cancel bool }
	_ = json.Unmarshal(stdout.Bytes(), &answer) // no answer is one that does not cancel
	switch {
	case refused && code == 2 && answer.Cancel && stderr.Len() > 0:
		return Check{OK, subject, fmt.Sprintf("canary refused in %s", took), ""}
	case refused:
		return Check{Bad, subject, fmt.Sprintf("canary was not refused: exit code %d", code), "planlint hook install again"}
	case code == 0:
		return Check{OK, subject, fmt.Sprintf("a harmless call passes in %s", took), ""}
	}
	return Check{Bad, subject, "a harmless call is refused: " + strings.TrimSpace(firstLines(stderr.String(), 2)), "see the reason"}
}

func firstLines(text string, n int) string {
	list := strings.SplitN(text, "\n", n+1)
	return strings.Join(list[:min(n, len(list))], " ")
}
