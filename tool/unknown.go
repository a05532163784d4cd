package tool

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// noContract stands for the contract of tools that nothing describes. It is
// never handed out.
var noContract = &Contract{Name: "unknown tool"}

// maxGuess is the length up to which a text of an unknown tool is taken for a
// path or an address.
const maxGuess = 4096

// unknown resolves a call that nothing describes: its output is untrusted and
// never secret, it may run what it gets, and what it gets may leave, as far as a
// value or a cell shows.
func (k *call) unknown() {
	k.r.Unknown = true
	k.c.Args.Walk(func(path plan.Path, v *plan.Value) bool {
		if v.Kind == plan.String && len(v.Text) <= maxGuess && len(v.Refs()) == 0 {
			k.guess(path, v.Text)
		}
		return true
	})
	k.r.Paths = k.keepUses()
	k.onlyOnce()
	k.r.HostsOpen = true
	k.step.Reads = k.readSlots()
	for i := range k.r.Paths {
		cell := k.fileCell(&k.r.Paths[i])
		k.read(cell)
		k.write(cell, Write, true)
	}
	k.r.Facts.Extend().Output = k.reg.sources(taint.Of(taint.Untrusted), nil, "nothing describes the tool")
	k.step.Sinks = append(k.step.Sinks,
		taint.Sink{Kinds: taint.SinkExec | taint.SinkExternal, UnknownTool: true})
}

// guess takes a text for an address or a path where it looks like one, so that
// rules that deny a host or a path hold for tools that nobody described.
func (k *call) guess(path plan.Path, text string) {
	if host, _ := HostOf(text); host != "" && strings.Contains(text, "://") && !strings.HasPrefix(text, "file:") {
		k.addHost(text)
		return
	}
	if strings.ContainsAny(text, "\n\x00") || text == "" {
		return
	}
	named := false
	if n := len(path); n > 0 && !path[n-1].IsIndex {
		named = pathKey(path[n-1].Key)
	} else if n > 1 {
		named = pathKey(path[n-2].Key)
	}
	rooted := text[0] == '/' || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, "file://")
	if named || rooted || strings.Contains(text, "/") && !strings.ContainsAny(text, " \t") {
		use := k.places.use(text, "", PathUse{Access: Read | Write, Tree: true, Command: -1, Guess: true})
		if use.Known {
			k.uses = append(k.uses, use)
		}
	}
}

// pathKey reports whether an argument's name is that of a path.
func pathKey(key string) bool {
	switch foldName(key) {
	case "path", "paths", "file", "files", "filepath", "filename", "directory", "dir", "folder", "absolutepath",
		"targetfile", "source", "destination", "notebookpath", "repopath", "cwd", "root":
		return true
	}
	return false
}

// dropUnknownSinks takes back what was assumed, once the policy says what kind
// of sink the tool is.
func (k *call) dropUnknownSinks() {
	k.step.Sinks = slices.DeleteFunc(k.step.Sinks, func(s taint.Sink) bool { return s.UnknownTool })
}
