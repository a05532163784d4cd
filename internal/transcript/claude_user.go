package transcript

import (
	"cmp"
	"strings"

	"github.com/planlint/planlint/plan"
)

// user reads a record of role user: results, words, or what the harness put
// there under the user's name.
func (c *Claude) user(v *plan.Value, agent string, emit Emit) {
	msg := member(v, "message")
	content := member(msg, "content")
	if content == nil && msg != nil && msg.Kind == plan.String {
		content = msg
	}
	if !present(content) {
		return
	}
	kind := c.kind(v, agent)
	results := 0
	for i := range items(content) {
		if b := &content.Items[i]; str(b, "type") == "tool_result" {
			results++
			c.result(v, b, agent, emit)
		}
	}
	if results > 0 {
		// Text beside results is the harness's as often as the user's.
		kind = plan.TextUnknown
	}
	if content.Kind == plan.String {
		c.words(content, agent, kind, emit)
		return
	}
	for i := range items(content) {
		c.userBlock(&content.Items[i], agent, kind, emit)
	}
	for _, key := range []string{"pasted_content", "inline_pastes"} {
		emitText(member(v, key), agent, plan.TextPasted, "", emit)
	}
}

func (c *Claude) userBlock(b *plan.Value, agent string, kind plan.TextKind, emit Emit) {
	typ := str(b, "type")
	switch {
	case b.Kind == plan.String:
		c.words(b, agent, kind, emit)
	case typ == "text":
		c.words(member(b, "text"), agent, kind, emit)
	case typ == "tool_result":
	case typ == "image", typ == "document", typ == "file", typ == "search_result", typ == "container_upload":
		emit(Event{Kind: Text, Agent: agent, TextKind: plan.TextAttachment, Origin: typ,
			Value: oneText(b, documentText(b)), Pos: b.Pos})
	default:
		emitText(oneLeaf(b), agent, plan.TextUnknown, typ, emit)
		emit(Event{Kind: Stray, Message: "user block type " + quote(typ), Pos: b.Pos})
	}
}

func oneLeaf(v *plan.Value) *plan.Value {
	text := oneText(v, leaves(v))
	return &text
}

// kind says whose words a record of role user holds, by what the client wrote
// beside them. Newer fields win over older ones; the user's only where nothing
// speaks against it.
func (c *Claude) kind(v *plan.Value, agent string) plan.TextKind {
	origin := cmp.Or(str(v, "origin", "kind"), str(v, "origin"))
	switch {
	case flag(v, "isCompactSummary"):
		return plan.TextSummary
	case agent != "":
		return plan.TextSubagentPrompt
	case flag(v, "isMeta"), flag(v, "isSynthetic"), str(v, "promptSource") == "system":
		return plan.TextHook
	case origin == "human":
		return c.PromptKind
	case origin == "channel", origin == "peer", origin == "unclassified":
		return plan.TextUnknown
	case origin != "":
		return plan.TextHook
	}
	return c.PromptKind
}

// words emits a message that a person may have typed, cut into what he did and
// what the client wrapped.
func (c *Claude) words(v *plan.Value, agent string, kind plan.TextKind, emit Emit) {
	if !present(v) {
		return
	}
	if kind == plan.TextSummary {
		emitText(v, agent, kind, "", emit)
		return
	}
	emitWords(v, agent, kind, emit)
}

// emitWords emits the segments of one message; kind is that of its plain parts.
func emitWords(v *plan.Value, agent string, kind plan.TextKind, emit Emit) {
	segs := segments(v.Text, kind)
	for _, s := range segs {
		text := oneText(v, s.text)
		if len(segs) == 1 && s.text == v.Text {
			text = *v
		}
		emit(Event{Kind: Text, Agent: agent, TextKind: s.kind, Value: text, Origin: s.tag, Pos: v.Pos})
	}
}

// refusals are how Claude Code words it that a call did not run.
var refusals = []string{
	"The user doesn't want to proceed with this tool use.",
	"The user doesn't want to take this action right now.",
	"[Request interrupted by user for tool use]",
}

// result reads one result block, and whether the call ran at all. Its text is
// no evidence for that where an outside server wrote it, so the client's own
// fields count first.
func (c *Claude) result(v, b *plan.Value, agent string, emit Emit) {
	e := anthropicResult(b, agent)
	structured := member(v, "toolUseResult")
	if structured == nil {
		structured = member(v, "tool_use_result")
	}
	e.Labels = append(e.Labels, ifcLabels(v, structured)...)
	id := cmp.Or(str(structured, "agentId"), str(structured, "agent_id"))
	if id != "" {
		emit(Event{Kind: Spawn, Agent: id, ID: e.ID, Pos: b.Pos})
	}
	if str(structured, "persistedOutputPath") != "" {
		e.Cut = true
	}
	how := c.refused(v, b, e.ID)
	if how != notRefused {
		e.Outcome, e.ByText = plan.Refused, how == byText
	}
	if how == byRule {
		e.Outcome = plan.Blocked
	}
	words := ""
	if how == byUser {
		e.Value, words = userSaid(e.Value)
	}
	emit(e)
	if words != "" && agent == "" {
		text := oneText(&e.Value, words)
		emit(Event{Kind: Text, TextKind: c.PromptKind, Value: text, Origin: "refusal", Pos: b.Pos})
	}
}

// refusal says who refused a call, and how that is known.
type refusal uint8

const (
	notRefused refusal = iota
	byUser
	byRule
	// byText: only the result's words say so.
	byText
)

// refused reports what the client's own fields say of a call: that a person, a
// rule or a hook said no.
func (c *Claude) refused(v, b *plan.Value, id string) refusal {
	decision, kind := member(v, "permissionDecision"), str(v, "toolDenialKind")
	metas := items(member(v, "tool_result_meta"))
	for i := range metas {
		if str(&metas[i], "id") == id {
			decision = member(&metas[i], "permission_decision")
			kind = cmp.Or(kind, str(&metas[i], "denial_kind"))
		}
	}
	word, source := str(decision, "decision"), str(decision, "source")
	switch {
	case word == "reject" || word == "deny" || kind != "":
		if kind == "permission-rule" || source == "hook" || source == "config" {
			return byRule
		}
		return byUser
	case word != "" || !flag(b, "is_error"):
		return notRefused
	}
	structured := member(v, "toolUseResult")
	if structured != nil && structured.Kind == plan.String {
		if structured.Text == "User rejected tool use" {
			return byUser
		}
		if strings.HasPrefix(structured.Text, "Error: ") {
			return notRefused // a tool's own words may look like a refusal
		}
	}
	text := strings.TrimSpace(leaves(member(b, "content")))
	for _, r := range refusals {
		if strings.HasPrefix(text, r) {
			return byText
		}
	}
	return notRefused
}

// userSaid cuts off what the user answered when he refused a call.
func userSaid(v plan.Value) (rest plan.Value, words string) {
	const mark = "the user said:\n"
	at := strings.Index(v.Text, mark)
	if at < 0 {
		return v, ""
	}
	return oneText(&v, v.Text[:at+len(mark)]), strings.TrimSpace(v.Text[at+len(mark):])
}
