// Package trace reads recorded runs of agents, and planlint's own plans, into
// the one model that is reviewed.
//
// In: a file's bytes, plain or gzipped. Out: plans, one for each session or
// run that the file holds, whose positions point into the file. Detect finds
// the format by content (keys of the records, as docs/trace-formats.md lists
// them); the readers of clients' transcripts are in internal/transcript, which
// a hook feeds line by line.
//
// Guaranteed: no panic on any input; nothing is dropped silently: what a
// reader does not understand or had to assume is a PL9xxx note of the plan;
// the cost is linear in the size of the input. Words count as the user's on
// positive evidence only. Limits: one file is one record: outputs that a client
// moved to side files and sub-agents with files of their own are not joined.
package trace

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
)

// Options are what a caller knows of a file that the file does not say.
type Options struct {
	// UntrustedPrompt: the prompt was not written by the user, as in CI jobs
	// that put an issue's text into it. It is then text of unknown origin.
	UntrustedPrompt bool
	// Sibling fetches a file of the same directory by its base name, nil where
	// there is none; SQLite keeps recent data in a second file. nil: none.
	Sibling func(base string) []byte
	// Dedupe, if given, marks calls that stand in an earlier file too.
	Dedupe *Dedupe
}

func (o Options) promptKind() plan.TextKind {
	if o.UntrustedPrompt {
		return plan.TextUnknown
	}
	return plan.TextUser
}

// Read reads a file's plans. name stands in plans and errors; a format of
// Unknown is found out. What could not be read at all is an error, and so is
// gzipped data that ends early, beside the plans of what is there; what could
// not be read in part is a note of its plan, and whole records count in its Lost.
func Read(src []byte, name string, format Format, opts Options) ([]*plan.Plan, []plan.Error) {
	src, broken := unzipped(src)
	if len(broken) > 0 && len(src) == 0 {
		return nil, broken
	}
	plans, errs := read(src, name, format, opts)
	return plans, append(broken, errs...)
}

// read is Read of what is not gzipped.
func read(src []byte, name string, format Format, opts Options) ([]*plan.Plan, []plan.Error) {
	if format == Unknown {
		format = Detect(src, name)
	}
	if !format.IsReadable() {
		return nil, []plan.Error{unreadable(format, src)}
	}
	if format == Native {
		p, errs := planyaml.Parse(src, name)
		if p == nil {
			return nil, errs
		}
		return []*plan.Plan{p}, errs
	}
	r := reader{name: name, format: format, opts: opts}
	if format == OpenCodeDB && r.readWithDatabase() {
		return nil, nil // else its sessions would be there twice
	}
	plans := r.read(src)
	if len(plans) == 0 && len(r.errs) > 0 {
		return nil, r.errs
	}
	if len(plans) == 0 {
		return nil, []plan.Error{{Message: "no " + string(format) + " record could be read",
			Hint: "name another format if this one was meant wrongly: " + known()}}
	}
	var errs []plan.Error
	for _, p := range plans {
		errs = append(errs, plan.Validate(p)...)
		opts.Dedupe.mark(p)
	}
	return plans, errs
}

// unreadable says what a file is and why it is not read.
func unreadable(format Format, src []byte) plan.Error {
	if u, ok := unread[format]; ok {
		hint := u[1]
		if hint == "" {
			hint = "formats that are read: " + known()
		}
		return plan.Error{Message: fmt.Sprintf("looks like %s; planlint can't read it", u[0]), Hint: hint}
	}
	if len(strings.TrimSpace(string(src[:min(len(src), 4096)]))) == 0 {
		return plan.Error{Message: "the file is empty"}
	}
	if format != Unknown {
		return plan.Error{Message: fmt.Sprintf("unknown format %q", string(format)), Hint: "one of " + known()}
	}
	return plan.Error{Message: "the format of the file is not known", Hint: "formats that are read: " + known()}
}

func known() string {
	var names []string
	for _, f := range Readable() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// reader reads one file.
type reader struct {
	name   string
	format Format
	opts   Options
	// errs say why nothing could be read.
	errs []plan.Error
}

func (r *reader) read(src []byte) []*plan.Plan {
	switch r.format {
	case OpenAIChat, Anthropic, AgentDojo, Cline:
		return r.conversations(src)
	case OpenCode:
		return r.sessions(src)
	case OpenCodeDB:
		return r.database(src)
	case HITL, RunState, AGUI, SafeOutputs, Steps, ReWOO, LLMCompiler, Lobster, Arazzo, Cell:
		return r.proposed(src)
	}
	return r.transcript(src)
}

// client returns the reader of one client's transcript.
func (r *reader) client() transcript.Client {
	prompt := r.opts.promptKind()
	switch r.format {
	case Codex:
		return transcript.NewCodex(prompt)
	case Gemini, Qwen:
		return transcript.NewGemini(prompt)
	case Copilot:
		return transcript.NewCopilot(prompt)
	case OpenCode:
		return &transcript.OpenCode{PromptKind: prompt}
	case OpenAIChat, Anthropic, AgentDojo, Cline:
		return &transcript.Messages{PromptKind: prompt}
	}
	return transcript.NewClaude(prompt)
}

func (r *reader) builder() *transcript.Builder {
	return transcript.NewBuilder(string(r.format), r.name)
}

// transcript reads one session whose records are lines, or items of a list.
func (r *reader) transcript(src []byte) []*plan.Plan {
	b := r.builder()
	client := r.client()
	if isLines(src) {
		f := transcript.NewFeeder(client, b.Add)
		f.Feed(src)
		f.Close()
		return []*plan.Plan{b.Plan()}
	}
	values := r.document(src, client.Shape(), b.Add)
	for i := range values {
		client.Record(&transcript.Record{Value: values[i]}, b.Add)
	}
	client.Close(b.Add)
	if len(values) == 0 {
		return nil
	}
	return []*plan.Plan{b.Plan()}
}
