package session

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// ingest takes the events of a transcript into a session. They only add: a call
// that an event told of stays as it is.
type ingest struct {
	s   *Session
	src Source
}

func (in *ingest) event(e transcript.Event) {
	switch e.Kind {
	case transcript.Call:
		in.call(&e)
	case transcript.Result:
		in.result(&e)
	case transcript.Text:
		in.text(&e)
	case transcript.Spawn:
		in.spawn(&e)
	case transcript.Session:
		in.s.At(e.Cwd)
	}
}

// agent returns the plan's name of a transcript's agent; one whose start is not
// known counts as the main one.
func (in *ingest) agent(key string) string {
	for i := range in.s.agents {
		if in.s.agents[i].Name == key {
			return key
		}
	}
	return ""
}

func (in *ingest) spawn(e *transcript.Event) {
	call := in.s.byID(e.ID)
	if e.Agent == "" || call < 0 || in.agent(e.Agent) != "" {
		return
	}
	in.s.add(record{Kind: kindAgent, ID: e.Agent, Parent: in.s.calls[call].AgentName(), Spawned: call})
}

func (in *ingest) call(e *transcript.Event) {
	s := in.s
	c := plan.Call{ID: e.ID, Tool: e.Tool, Server: e.Server, Caller: e.Caller, Agent: in.agent(e.Agent), Args: e.Value, RawArgs: e.RawArgs}
	mark := s.markOf(&c)
	for i := range s.calls {
		old := &s.calls[i]
		if e.ID != "" && old.ID == e.ID || old.mark == mark && (e.ID == "" || strings.HasPrefix(old.ID, "call#")) {
			return
		}
	}
	s.addCall(&c, s.turns[c.AgentName()], mark, fromTranscript, plan.Unknown)
}

func (in *ingest) result(e *transcript.Event) {
	s := in.s
	i := s.byID(e.ID)
	if i < 0 || e.ID == "" {
		return // of a call without an id, which events tell of
	}
	old := &s.calls[i]
	if old.HasOutput() || old.Outcome.DidNotRun() && old.from == fromEvent {
		return
	}
	r := record{Kind: kindUpdate, At: i}
	if old.from == fromTranscript {
		r.Outcome = e.Outcome.String()
	}
	if !e.NoOutput && !e.Outcome.DidNotRun() {
		short, more := cut(structured(e.Value), maxOutput)
		s.came[i] = short
		masked := s.mask.value(short)
		r.Output, r.Cut = JSON(&masked), e.Cut || more
	}
	s.add(r)
}

func (in *ingest) text(e *transcript.Event) {
	s := in.s
	switch e.TextKind {
	case plan.TextUser:
		if !in.src.Typed || s.prompted || e.Agent != "" || s.hasWords(e.Value.Text) {
			return // the prompt event has told of it, or nobody can vouch for it
		}
		s.add(record{Kind: kindPrompt, Typed: true})
		s.words(plan.TextUser, "", e.Value.Text, "transcript")
		s.Mentions(e.Value.Text)
	case plan.TextModel, plan.TextSystem:
	default:
		s.words(e.TextKind, in.agent(e.Agent), e.Value.Text, e.Origin)
	}
}

// mention is how clients let a person put a file into a prompt.
var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)@"?([^\s"]+)`) })

// maxMentions is how many files of one prompt are looked at.
const maxMentions = 50

// Mentions takes the files that a prompt names with @: the client reads them
// without asking any hook.
func (s *Session) Mentions(words string) {
	for _, m := range mention().FindAllStringSubmatch(words, maxMentions) {
		path := m[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Cwd, path)
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		c := plan.Call{Tool: "Read", Caller: "user", Args: plan.Obj([]string{"file_path"}, plan.Str(path))}
		s.addCall(&c, s.turns[plan.MainAgent], s.markOf(&c), fromTranscript, plan.Ran)
	}
}
