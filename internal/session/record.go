package session

import (
	"encoding/json"
	"fmt"

	"github.com/planlint/planlint/plan"
)

// The kinds of record.
const (
	kindOpen   = "open"
	kindPrompt = "prompt"
	kindText   = "text"
	kindAgent  = "agent"
	kindCall   = "call"
	kindUpdate = "update"
	kindFeed   = "feed"
	kindGrant  = "grant"
	kindSpend  = "spend"
	kindNote   = "note"
)

// record is one line of a session's file. Which members count depends on Kind.
type record struct {
	Kind   string `json:"k"`
	Client string `json:"client,omitempty"`
	ID     string `json:"id,omitempty"`
	Cwd    string `json:"cwd,omitempty"`

	// A call, or an update of call At.
	At        int             `json:"at,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Server    string          `json:"server,omitempty"`
	Caller    string          `json:"caller,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	Turn      int             `json:"turn,omitempty"`
	Args      json.RawMessage `json:"args,omitempty"`
	RawArgs   bool            `json:"raw,omitempty"`
	Mark      string          `json:"mark,omitempty"`
	From      string          `json:"from,omitempty"`
	Outcome   string          `json:"outcome,omitempty"`
	Output    json.RawMessage `json:"out,omitempty"`
	Cut       bool            `json:"cut,omitempty"`
	Decision  string          `json:"decision,omitempty"`
	Rule      string          `json:"rule,omitempty"`
	ReadOnly  bool            `json:"ro,omitempty"`
	LabelsIn  []string        `json:"in,omitempty"`
	LabelsOut []string        `json:"labels,omitempty"`
	Secret    bool            `json:"secret,omitempty"`
	Found     []string        `json:"found,omitempty"`
	Subject   *Subject        `json:"subject,omitempty"`

	// A text.
	TextKind string `json:"kind,omitempty"`
	Text     string `json:"text,omitempty"`
	Origin   string `json:"origin,omitempty"`
	Before   int    `json:"before,omitempty"`
	Typed    bool   `json:"typed,omitempty"`

	// An agent: ID, Parent, and the call that started it.
	Parent  string `json:"parent,omitempty"`
	Spawned int    `json:"spawned,omitempty"`

	// A transcript that was read up to Offset.
	Path   string `json:"path,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Head   string `json:"head,omitempty"`

	// A grant.
	Scope string `json:"scope,omitempty"`
	Task  int    `json:"task,omitempty"`
	By    string `json:"by,omitempty"`
}

// The origins of a call: an event of the client, or its transcript only.
const (
	fromEvent      = ""
	fromTranscript = "transcript"
)

// call is one call of the session, with values masked.
type call struct {
	plan.Call
	// mark is a keyed digest of tool and arguments, for clients whose events
	// carry no id.
	mark string
	from string
	// decision is what planlint answered, "" where it was not asked.
	decision, rule string
	readOnly       bool
	labelsIn       []string
	labelsOut      []string
	// secret: its output or arguments carry what must not be kept in clear.
	secret  bool
	subject *Subject
}

// text is a text of the session, masked.
type text struct {
	plan.Text
	mark string
}

// feed is how far one transcript was read.
type feed struct {
	path, head string
	offset     int64
}

// state is what a session's records add up to.
type state struct {
	Client, ID string
	Cwd        string
	calls      []call
	texts      []text
	agents     []plan.Agent
	feeds      []feed
	grants     []grant
	// task counts the user's prompts; prompted: an event told of one.
	task     int
	prompted bool
	// lost: something that can carry a flow was dropped to stay within bounds.
	lost bool
	// compactedTo is the file's size when it was last written anew.
	compactedTo int64
}

// apply takes one record into the state.
func (s *Session) apply(r *record) error {
	switch r.Kind {
	case kindOpen:
		s.Client, s.ID = r.Client, r.ID
		if r.Cwd != "" {
			s.Cwd = r.Cwd
		}
		s.task = max(s.task, r.Task)
		s.compactedTo = max(s.compactedTo, r.Offset)
		s.prompted = s.prompted || r.Typed
	case kindPrompt:
		s.task++
		s.prompted = s.prompted || !r.Typed
		s.endTask()
	case kindText:
		return s.applyText(r)
	case kindAgent:
		if r.Spawned < 0 || r.Spawned >= len(s.calls) {
			return fmt.Errorf("%w: an agent is started by no call", ErrDamaged)
		}
		s.agents = append(s.agents, plan.Agent{Name: r.ID, Parent: r.Parent, SpawnedBy: r.Spawned})
	case kindCall:
		return s.applyCall(r)
	case kindUpdate:
		return s.applyUpdate(r)
	case kindFeed:
		s.applyFeed(r)
	case kindGrant:
		s.applyGrant(r)
	case kindSpend:
		s.spend(r.At)
	case kindNote:
		s.lost = true
	default:
		return fmt.Errorf("%w: unknown record %q", ErrDamaged, r.Kind)
	}
	return nil
}

func (s *Session) applyText(r *record) error {
	kind, ok := plan.ParseTextKind(r.TextKind)
	if !ok || r.Before < 0 || r.Before > len(s.calls) {
		return fmt.Errorf("%w: a text of no known kind or place", ErrDamaged)
	}
	s.texts = append(s.texts, text{mark: r.Mark, Text: plan.Text{
		Kind: kind, Agent: r.Agent, Text: r.Text, Origin: r.Origin, Before: r.Before}})
	return nil
}

func (s *Session) applyCall(r *record) error {
	args, err := value(r.Args)
	if err != nil {
		return err
	}
	c := call{mark: r.Mark, from: r.From}
	c.Call = plan.Call{Index: len(s.calls), ID: r.ID, Tool: r.Tool, Server: r.Server, Caller: r.Caller,
		Agent: r.Agent, Turn: r.Turn, Args: args, RawArgs: r.RawArgs}
	s.calls = append(s.calls, c)
	s.turns[c.AgentName()] = max(s.turns[c.AgentName()], r.Turn+1)
	return s.update(&s.calls[len(s.calls)-1], r)
}

func (s *Session) applyUpdate(r *record) error {
	if r.At < 0 || r.At >= len(s.calls) {
		return fmt.Errorf("%w: an update of no call", ErrDamaged)
	}
	return s.update(&s.calls[r.At], r)
}

// update sets what a record says of a call and keeps the rest.
func (s *Session) update(c *call, r *record) error {
	if r.Outcome != "" {
		outcome, ok := plan.ParseOutcome(r.Outcome)
		if !ok {
			return fmt.Errorf("%w: unknown outcome %q", ErrDamaged, r.Outcome)
		}
		c.Outcome = outcome
	}
	if r.Output != nil {
		out, err := value(r.Output)
		if err != nil {
			return err
		}
		c.Output, c.OutputState = out, plan.OutputRecorded
		if r.Cut {
			c.OutputState = plan.OutputTruncated
		}
	}
	if r.Decision != "" {
		c.decision, c.rule, c.readOnly, c.from = r.Decision, r.Rule, r.ReadOnly, fromEvent
		c.labelsIn, c.labelsOut, c.subject = r.LabelsIn, r.LabelsOut, r.Subject
	}
	if r.Args != nil && r.Kind == kindUpdate {
		args, err := value(r.Args)
		if err != nil {
			return err
		}
		c.Args = args
	}
	if r.Found != nil {
		c.Extend().OutputLabels = r.Found
	}
	c.secret = c.secret || r.Secret
	return nil
}

func (s *Session) applyFeed(r *record) {
	for i := range s.feeds {
		if s.feeds[i].path == r.Path {
			s.feeds[i] = feed{r.Path, r.Head, r.Offset}
			return
		}
	}
	s.feeds = append(s.feeds, feed{r.Path, r.Head, r.Offset})
}
