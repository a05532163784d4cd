package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/planlint/planlint/hook"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/internal/xdg"
)

// process is what the command talks to.
type process struct {
	args           []string
	env            []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// memoryLimit is up to where memory is not collected: a process that lives for
// some milliseconds has no use for it.
const memoryLimit = 256 << 20

// run answers one event and returns the exit code.
func run(ctx context.Context, p process) int {
	o, err := parseArgs(p.args)
	if err != nil {
		fmt.Fprintf(p.stderr, "planlint-hook: %v\n", err)
		return hook.ExitDeny
	}
	env := environment(p.env)
	var event bytes.Buffer
	full := &fullBinary{args: p.args, env: p.env, event: &event, start: time.Now(), deadline: o.deadline}
	h := &hook.Hook{
		Client: o.client, Event: o.event, Deadline: o.deadline, Env: env,
		Store:   session.NewStore(xdg.Sessions(env)),
		Decider: &decider{env: env, full: full},
	}
	whole := readShort(p.stdin, &event)
	if whole {
		if code, ok := h.Fast(event.Bytes(), p.stdout, p.stderr); ok {
			return code
		}
	}
	return slow(ctx, h, p, &event, whole)
}

// slow answers by the session's record, with a deadline and an ear for signals.
func slow(ctx context.Context, h *hook.Hook, p process, event *bytes.Buffer, whole bool) int {
	debug.SetMemoryLimit(memoryLimit)
	debug.SetGCPercent(-1)
	surviveSignals()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, hangUp)
	defer stop()
	var rest io.Reader = bytes.NewReader(bytes.Clone(event.Bytes()))
	if !whole {
		rest = io.MultiReader(rest, io.TeeReader(p.stdin, event))
	}
	return h.Run(ctx, rest, p.stdout, p.stderr)
}

// shortEvent is the largest event that is read without a deadline.
const shortEvent = 64 << 10

// readShort reads an event that the client has written already, and reports
// whether it is whole. What it reads is added to the buffer.
func readShort(stdin io.Reader, event *bytes.Buffer) bool {
	f, ok := stdin.(*os.File)
	if !ok || !ready(f) {
		return false
	}
	buf := make([]byte, 8<<10)
	for event.Len() < shortEvent {
		n, err := f.Read(buf)
		event.Write(buf[:n])
		if err != nil || n == 0 {
			return err == io.EOF
		}
		if !ready(f) {
			return false
		}
	}
	return false
}

// options are the command's options, the same as those of "planlint hook".
type options struct {
	client   *hook.Client
	event    string
	deadline time.Duration
}

func parseArgs(args []string) (options, error) {
	o := options{deadline: hook.DefaultDeadline}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") {
			if o.client != nil {
				return o, fmt.Errorf("one client at a time, not %q too", arg)
			}
			if o.client = hook.ByName(arg); o.client == nil {
				return o, fmt.Errorf("unknown client %q\nhint: one of %s", arg, strings.Join(hook.Names(), ", "))
			}
			continue
		}
		name, value, given := strings.Cut(arg, "=")
		if !given && len(args) > 0 {
			value, args, given = args[0], args[1:], true
		}
		if err := o.set(name, value, given); err != nil {
			return o, err
		}
	}
	if o.client == nil {
		return o, fmt.Errorf("no client given\nhint: planlint-hook CLIENT [--event NAME] [--deadline DURATION]; CLIENT is one of %s", strings.Join(hook.Names(), ", "))
	}
	return o, nil
}

func (o *options) set(name, value string, given bool) error {
	switch name {
	case "--event":
		o.event = value
	case "--deadline":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("--deadline: %q is no duration", value)
		}
		o.deadline = d
	default:
		return fmt.Errorf("unknown option %q\nhint: --event NAME, --deadline DURATION", name)
	}
	if !given {
		return fmt.Errorf("%s needs a value", name)
	}
	return nil
}

func environment(list []string) map[string]string {
	env := make(map[string]string, len(list))
	for _, entry := range list {
		if key, value, ok := strings.Cut(entry, "="); ok {
			env[key] = value
		}
	}
	return env
}

// sibling is the full planlint beside this program.
func sibling() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), fullName)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("the full planlint is not beside %s", self)
	}
	return path, nil
}
