package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// contender is one program that is measured. event returns the text of its
// round's standard input.
type contender struct {
	name  string
	args  []string
	event func(round int) string
	times []time.Duration
}

// run measures all programs and writes the table.
func run(rounds, calls int, npm string, w io.Writer) error {
	dir, err := os.MkdirTemp("", "hookbench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, env, err := prepare(dir, calls, npm)
	if err != nil {
		return err
	}
	for round := -2; round < rounds; round++ { // the first two fill caches and write the head
		for i := range list {
			c := &list[i]
			took, err := c.start(dir, env, round)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if round >= 0 {
				c.times = append(c.times, took)
			}
		}
	}
	return table(list, w)
}

// start runs a program once and returns how long it took as a whole.
func (c *contender) start(dir string, env []string, round int) (time.Duration, error) {
	path := filepath.Join(dir, "event.json")
	text := ""
	if c.event != nil {
		text = c.event(round)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return 0, err
	}
	stdin, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Stdin, cmd.Env, cmd.Dir = stdin, env, dir
	var said strings.Builder
	cmd.Stderr = &said
	begin := time.Now()
	err = cmd.Run()
	took := time.Since(begin)
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, said.String())
	}
	return took, nil
}

// prepare builds the programs and the session.
func prepare(dir string, calls int, npm string) ([]contender, []string, error) {
	project := filepath.Join(dir, "project")
	env := []string{"HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state"), "PATH=" + os.Getenv("PATH")}
	if err := os.MkdirAll(project, 0o755); err != nil {
		return nil, nil, err
	}
	if err := build(dir); err != nil {
		return nil, nil, err
	}
	// Both commands get a session of their own: each keeps it in its own way.
	for _, id := range []string{"small", "full"} {
		if err := record(filepath.Join(dir, "state", "planlint", "sessions"), project, id, calls); err != nil {
			return nil, nil, err
		}
	}
	bin := func(name string) string { return filepath.Join(dir, name) }
	status := bashEvent(project, "git status")
	list := []contender{
		{name: "empty Go program", args: []string{bin("empty")}},
		{name: "planlint-hook, git status", args: []string{bin("planlint-hook"), "claude-code"}, event: status("small")},
		{name: "planlint-hook, the same 2 KB edit again", args: []string{bin("planlint-hook"), "claude-code"}, event: editEvent(project, "small", false)},
		{name: "planlint-hook, another 2 KB edit each time", args: []string{bin("planlint-hook"), "claude-code"}, event: editEvent(project, "small", true)},
		{name: "planlint-hook, the result of git status", args: []string{bin("planlint-hook"), "claude-code"}, event: resultEvent(project, "small")},
		{name: "planlint hook, git status", args: []string{bin("planlint"), "hook", "claude-code"}, event: status("full")},
	}
	if node, err := exec.LookPath("node"); err == nil {
		list = append(list, contender{name: "empty node program", args: []string{node, "-e", ""}})
	}
	if guard := filepath.Join(npm, "node_modules", ".bin", "cc-safety-net"); npm != "" {
		list = append(list, contender{name: "cc-safety-net, git status", args: []string{guard, "hook", "-cc"}, event: status("small")})
	}
	return list, env, nil
}

func build(dir string) error {
	empty := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(empty, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return err
	}
	const module = "github.com/planlint/planlint/cmd/"
	for _, args := range [][]string{
		{"-o", filepath.Join(dir, "empty"), empty},
		{"-o", filepath.Join(dir, "planlint-hook"), module + "planlint-hook"},
		{"-o", filepath.Join(dir, "planlint"), module + "planlint"},
	} {
		cmd := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags=-s -w"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	return nil
}

// table writes medians and quickest runs, with the ratios to the first row.
func table(list []contender, w io.Writer) error {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	if _, err := fmt.Fprintln(w, "| program | median ms | x | quickest ms | x |\n|---|---|---|---|---|"); err != nil {
		return err
	}
	var median, quickest float64
	for i := range list {
		t := list[i].times
		sort.Slice(t, func(a, b int) bool { return t[a] < t[b] })
		m, q := ms(t[len(t)/2]), ms(t[0])
		if i == 0 {
			median, quickest = m, q
		}
		if _, err := fmt.Fprintf(w, "| %s | %.1f | %.1f | %.1f | %.1f |\n", list[i].name, m, m/median, q, q/quickest); err != nil {
			return err
		}
	}
	return nil
}

// bashEvent makes events of a command line, each call under an id of its own.
func bashEvent(project, line string) func(session string) func(int) string {
	return func(session string) func(int) string {
		return func(round int) string {
			return event(project, session, "Bash", round, fmt.Sprintf(`{"command":%q,"description":"look"}`, line))
		}
	}
}

// resultEvent makes events of what the round's git status returned.
func resultEvent(project, session string) func(int) string {
	return func(round int) string {
		return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PostToolUse","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"git status","description":"look"},"tool_use_id":"toolu_Bash_%d","tool_response":{"stdout":"On branch main\nnothing to commit, working tree clean","stderr":""}}`,
			session, project, round)
	}
}

// editEvent makes events of a 2 KB edit, with the same text or another one.
func editEvent(project, session string, other bool) func(int) string {
	return func(round int) string {
		seed, tool := 1, "same"
		if other {
			seed, tool = round+10, "other"
		}
		args := fmt.Sprintf(`{"file_path":%q,"old_string":%q,"new_string":%q}`,
			filepath.Join(project, "internal", "part03", "handler7.go"), source(seed, 9), source(seed+1, 10))
		return event(project, session, "Edit", round, args, tool)
	}
}

func event(project, session, tool string, round int, args string, tag ...string) string {
	id := "toolu_" + tool + strings.Join(tag, "") + "_" + strconv.Itoa(round)
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PreToolUse","permission_mode":"default","tool_name":%q,"tool_input":%s,"tool_use_id":%q}`,
		session, project, tool, args, id)
}
