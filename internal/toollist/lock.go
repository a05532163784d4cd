package toollist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// LockFile is the usual name of a lock.
const LockFile = "planlint.lock"

// Entry is what a lock keeps of one tool.
type Entry struct {
	// Description and Schema are digests of both.
	Description string `json:"description"`
	Schema      string `json:"schema"`
}

// Lock pins the definitions of tools, by server/name.
type Lock struct {
	Version int              `json:"version"`
	Tools   map[string]Entry `json:"tools"`
}

// NewLock pins tools. A name that stands for two tools is an error.
func NewLock(tools []Tool) (*Lock, error) {
	l := &Lock{Version: 1, Tools: make(map[string]Entry, len(tools))}
	for i := range tools {
		t := &tools[i]
		if _, twice := l.Tools[t.ID()]; twice {
			return nil, fmt.Errorf("tool %q is in two lists", t.ID())
		}
		l.Tools[t.ID()] = entry(t)
	}
	return l, nil
}

func entry(t *Tool) Entry {
	return Entry{Description: digest([]byte(t.Description), false), Schema: digest(t.Schema, true)}
}

// ParseLock reads a lock, strictly.
func ParseLock(data []byte) (*Lock, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	l := new(Lock)
	if err := dec.Decode(l); err != nil {
		return nil, err
	}
	if l.Version != 1 {
		return nil, fmt.Errorf("unknown version %d", l.Version)
	}
	if l.Tools == nil {
		return nil, errors.New("no tools in it")
	}
	return l, nil
}

// Encode writes the lock, sorted, one tool a line of its own.
func (l *Lock) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(l, "", "  ")
	return append(data, '\n'), err
}

// Drift is one difference between a lock and what servers say now.
type Drift struct {
	Tool string `json:"tool"`
	// What is "added", "missing", or what changed: "description", "schema".
	What string `json:"what"`
}

// Verify compares tools with the lock. Tools of servers that are not among the
// lists are not missing.
func (l *Lock) Verify(tools []Tool) []Drift {
	var out []Drift
	seen := make(map[string]bool)
	servers := make(map[string]bool)
	for i := range tools {
		t := &tools[i]
		seen[t.ID()] = true
		servers[t.Server] = true
		pinned, known := l.Tools[t.ID()]
		now := entry(t)
		if !known {
			out = append(out, Drift{t.ID(), "added"})
			continue
		}
		if pinned.Description != now.Description {
			out = append(out, Drift{t.ID(), "description"})
		}
		if pinned.Schema != now.Schema {
			out = append(out, Drift{t.ID(), "schema"})
		}
	}
	for id := range l.Tools {
		server, _, _ := strings.Cut(id, "/")
		if !seen[id] && servers[server] {
			out = append(out, Drift{id, "missing"})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Tool < out[j].Tool })
	return out
}

// Keep takes over what an older lock says of servers that were not read anew.
func (l *Lock) Keep(old *Lock, read map[string]bool) {
	for id, e := range old.Tools {
		server, name, ok := strings.Cut(id, "/")
		if _, here := l.Tools[id]; !here && !(read[server] && ok && name != "") {
			l.Tools[id] = e
		}
	}
}
