package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/lockfile"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
)

// View is a session as a person sees it; no value of it was ever kept in clear.
type View struct {
	// File is the name of the session's file, which also names the session.
	File       string
	Client, ID string
	Cwd        string
	Calls      []CallView
	Grants     []GrantView
	Torn, Lost bool
	Size       int64
	// Err is set where the file can't be read.
	Err error
}

// CallView is one call of a session.
type CallView struct {
	ID, Tool, Agent, Decision, Rule, Outcome string
	Args                                     plan.Value
	LabelsIn, LabelsOut                      []string
	Subject                                  *Subject
}

// GrantView is a remembered approval that holds.
type GrantView struct {
	Scope, By string
	Key       string
}

// List returns all sessions, by file name. Files that can't be read are listed
// with their error.
func (s *Store) List() ([]View, error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*"+logSuffix))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var views []View
	for _, path := range names {
		session := &Session{path: path, mask: newMasker(nil), clear: map[int]plan.Value{}, came: map[int]plan.Value{}, turns: map[string]int{}}
		err := session.read()
		views = append(views, session.view(err))
	}
	return views, nil
}

func (s *Session) view(err error) View {
	v := View{File: strings.TrimSuffix(filepath.Base(s.path), logSuffix), Client: s.Client, ID: s.ID, Cwd: s.Cwd,
		Torn: s.Torn, Lost: s.lost, Size: s.size, Err: err}
	for i := range s.calls {
		c := &s.calls[i]
		v.Calls = append(v.Calls, CallView{ID: c.ID, Tool: c.Tool, Agent: c.AgentName(), Decision: c.decision, Rule: c.rule,
			Outcome: c.Outcome.String(), Args: c.Args, LabelsIn: c.labelsIn, LabelsOut: append(append([]string(nil), c.labelsOut...), c.OutputLabels()...), Subject: c.subject})
	}
	for i := range s.grants {
		g := &s.grants[i]
		if !g.spent && (g.scope != rules.Task || g.task == s.task) {
			v.Grants = append(v.Grants, GrantView{Scope: g.scope.String(), By: g.by, Key: g.Key})
		}
	}
	return v
}

// Find returns the sessions that a word names: the client's id, or the start of
// the file's name.
func Find(views []View, word string) []View {
	var found []View
	for _, v := range views {
		if v.ID == word || len(word) >= 4 && strings.HasPrefix(v.File, word) {
			found = append(found, v)
		}
	}
	return found
}

// Forget removes a session. What it knew is gone: a call of that session is then
// decided as if nothing had been read.
func (s *Store) Forget(ctx context.Context, v View) error {
	base := filepath.Join(s.dir, v.File)
	unlock, err := lockfile.Lock(ctx, base+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	// The lock file stays: another process may wait on it.
	for _, suffix := range []string{headSuffix, logSuffix} {
		if err := os.Remove(base + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
