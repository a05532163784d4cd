package trace

import (
	"bytes"
	"iter"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// HeadSize is how much of a file Detect looks at.
const HeadSize = 1 << 20

// sampled is how many records of the head are asked what they are.
const sampled = 200

// Detect says what a file is, by the beginning of its content, which may be
// gzipped. The name only decides between YAML and text where the content is
// neither JSON nor clear.
func Detect(head []byte, name string) Format {
	head = unzippedHead(head[:min(len(head), HeadSize)])
	if f := byMagic(head); f != Unknown {
		return f
	}
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n")
	if text == "" {
		return Unknown
	}
	if text[0] != '{' && text[0] != '[' {
		return plainText(text, name)
	}
	proposed := Unknown // what planners write has few keys of its own: last
	for v := range samples(text) {
		for _, ask := range []func(*plan.Value) Format{approvalFormat, recordFormat} {
			if f := ask(&v); f != Unknown {
				return f
			}
		}
		if proposed == Unknown {
			proposed = proposedFormat(&v)
		}
	}
	if proposed != Unknown {
		return proposed
	}
	if yamlPlan.get().MatchString(text) { // YAML in flow style
		return Native
	}
	return Unknown
}

func byMagic(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipFile
	case transcript.IsDatabase(head):
		// A database that shows other tables and none of OpenCode's is not its.
		if bytes.Contains(head, []byte("CREATE TABLE")) && !bytes.Contains(head, []byte("CREATE TABLE `part`")) {
			return sqlite
		}
		return OpenCodeDB
	}
	return Unknown
}

var (
	yamlPlan  = lazily(`(?m)^\s*["']?(calls|plan)["']?\s*:`)
	yamlStart = lazily(`(?m)^(version|plan|calls|prompt|env|fixed|recorded|inputs|texts|open)\s*:`)
)

// plainText tells a native plan in YAML, also a broken one, from other text.
func plainText(text, name string) Format {
	switch {
	case strings.HasPrefix(text, "data: {"), strings.HasPrefix(text, "event: "), strings.HasPrefix(text, "event:"):
		return eventStream
	case textPlanFormat(text) != Unknown:
		return textPlanFormat(text)
	case stepsFormat(text) != Unknown:
		return stepsFormat(text)
	case yamlStart.get().MatchString(text):
		return Native
	case isCell(text):
		return Cell
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
		return Native
	}
	return Unknown
}

// samples are the first records of JSON or JSON lines, the last of them
// perhaps broken off; of a list, the list and then its items.
func samples(text string) iter.Seq[plan.Value] {
	return func(yield func(plan.Value) bool) {
		first, rest, _ := strings.Cut(text, "\n")
		d := transcript.NewDecoder(first, 1)
		v, err := d.One(nil)
		if err != nil || strings.TrimSpace(rest) == "" {
			d = transcript.NewDecoder(text, 1)
			whole, err := d.Next(nil)
			if err == nil || len(whole.Items) > 0 {
				v, rest = whole, ""
			}
		}
		if !yield(v) {
			return
		}
		for i := range v.Items[:min(len(v.Items), sampled)] {
			if v.Kind == plan.List && !yield(v.Items[i]) {
				return
			}
		}
		lineSamples(rest, yield)
	}
}

func lineSamples(rest string, yield func(plan.Value) bool) {
	for n := 0; rest != "" && n < sampled; n++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		d := transcript.NewDecoder(line, 1)
		v, _ := d.Next(nil)
		if isBox := v.Kind == plan.Object || v.Kind == plan.List; isBox && !yield(v) {
			return
		}
	}
}

// has reports whether an object has all of these members.
func has(v *plan.Value, keys ...string) bool {
	for _, k := range keys {
		if transcript.Member(v, k) == nil {
			return false
		}
	}
	return len(keys) > 0
}

func isObject(v *plan.Value) bool { return v != nil && v.Kind == plan.Object }

func isOne(s string, words ...string) bool {
	for _, w := range words {
		if s == w {
			return true
		}
	}
	return false
}

// recordFormat says what one record tells of its file, Unknown if nothing.
func recordFormat(v *plan.Value) Format {
	if v.Kind == plan.List {
		return messagesFormat(v.Items)
	}
	if v.Kind != plan.Object {
		return Unknown
	}
	for _, ask := range []func(*plan.Value) Format{clientFormat, exportFormat, containerFormat} {
		if f := ask(v); f != Unknown {
			return f
		}
	}
	if has(v, "role") || has(v, "type") {
		return messagesFormat([]plan.Value{*v})
	}
	return Unknown
}

// clientFormat knows the records of agent clients.
func clientFormat(v *plan.Value) Format {
	typ := transcript.Str(v, "type")
	message := transcript.Member(v, "message")
	switch {
	case isOne(typ, "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state") && has(v, "payload"):
		return Codex
	case strings.HasPrefix(typ, "thread.") || strings.HasPrefix(typ, "turn.") || strings.HasPrefix(typ, "item."):
		return codexExec
	case strings.Contains(typ, ".") && isObject(transcript.Member(v, "data")) && has(v, "id"):
		return Copilot
	case has(v, "sessionId", "projectHash"), has(v, "$set"), has(v, "$rewindTo"):
		return Gemini
	case has(v, "provenance", "uuid"), isObject(message) && has(message, "parts"), has(v, "systemPayload"):
		return Qwen
	case has(v, "session_id") && (transcript.Str(v, "subtype") == "init" || has(v, "parent_tool_use_id") || strings.HasPrefix(transcript.Str(v, "subtype"), "hook_")):
		return ClaudeStream
	case typ == "result" && has(v, "session_id"):
		return claudeJSON
	case has(v, "sessionId", "agentType") && !has(v, "message"), has(v, "agentType", "toolUseId"):
		return claudeMeta
	case claudeType(typ) && (has(v, "sessionId") || has(v, "parentUuid") || has(v, "leafUuid") || has(v, "snapshot")):
		return ClaudeCode
	case isOne(typ, "user", "assistant") && isObject(message):
		return ClaudeCode
	case isObject(message) && has(v, "role") && typ == "":
		return cursor
	}
	return Unknown
}

func claudeType(typ string) bool {
	return isOne(typ, "user", "assistant", "system", "summary", "progress", "attachment", "queue-operation",
		"file-history-snapshot", "last-prompt", "mode", "permission-mode", "ai-title", "custom-title")
}

// exportFormat knows the exports of tracing tools and benches.
func exportFormat(v *plan.Value) Format {
	switch {
	case has(v, "resourceSpans"), has(v, "resourceLogs"):
		return otlp
	case strings.HasPrefix(transcript.Str(v, "schema_version"), "ATIF-v"):
		return atif
	case has(v, "trajectory", "history"), has(v, "trajectory", "info"):
		return sweAgent
	case has(v, "version", "status", "eval"):
		return inspect
	case has(v, "traj", "task_id"), has(v, "simulations", "tasks"), has(v, "termination_reason", "task_id"):
		return tauBench
	case has(v, "trace", "observations"), has(v, "traceId", "parentObservationId"):
		return langfuse
	case has(v, "run_type") && (has(v, "trace_id") || has(v, "dotted_order")):
		return langsmith
	case strings.HasPrefix(transcript.Str(v, "object"), "trace"):
		return agentsSDK
	case transcript.Str(v, "object") == "chat.completion.chunk":
		return streamChunks
	case transcript.Str(v, "jsonrpc") == "2.0":
		return rpcFormat(v)
	case has(v, "history") && (has(v, "instance_id") || has(v, "git_patch") || has(v, "instruction")):
		return openHands
	case has(v, "history") && len(v.Keys) == 1:
		return sweAgent
	case has(v, "lc"):
		return langchain
	case isOne(transcript.Str(v, "kind"), "ActionEvent", "ObservationEvent", "MessageEvent", "SystemPromptEvent", "AgentErrorEvent"):
		return openHands
	}
	return Unknown
}

func rpcFormat(v *plan.Value) Format {
	method := transcript.Str(v, "method")
	result := transcript.Member(v, "result")
	switch {
	case method == "session/update" || method == "session/prompt":
		return acpLog
	case method == "" && isToolList(transcript.Member(result, "tools")):
		return mcpTools
	}
	return mcpLog
}

func isToolList(tools *plan.Value) bool {
	list := transcript.Items(tools)
	return len(list) > 0 && has(&list[0], "name") && (has(&list[0], "inputSchema") || has(&list[0], "description") || has(&list[0], "input_schema"))
}

// containerFormat knows objects that hold a whole conversation.
func containerFormat(v *plan.Value) Format {
	messages := transcript.Member(v, "messages")
	list := transcript.Items(messages)
	switch {
	case has(v, "calls") && transcript.Member(v, "calls").Kind == plan.List:
		return Native
	case has(v, "suite_name", "messages"), has(v, "suite", "messages"):
		return AgentDojo
	case has(v, "info") && len(list) > 0 && has(&list[0], "info", "parts"):
		return OpenCode
	case has(v, "sessionID", "messageID"), has(v, "sessionID", "role"):
		return openCodeStore
	case has(v, "sessionId", "messages") && (has(v, "system_prompt") || has(v, "agent")):
		return Cline
	case has(v, "session_id", "messages_path"):
		return clineMeta
	case messages != nil && messages.Kind == plan.List:
		if f := messagesFormat(list); f != Unknown {
			return f
		}
		return OpenAIChat
	case has(v, "request"):
		return messagesFormat(transcript.Items(transcript.Member(transcript.Member(v, "request"), "messages")))
	case isToolList(transcript.Member(v, "tools")) && !has(v, "version"):
		return mcpTools
	}
	return Unknown
}

// messagesFormat tells the flavours of message lists, by all of the messages.
func messagesFormat(list []plan.Value) Format {
	found := Unknown
	for i := range list {
		m := &list[i]
		if m.Kind == plan.List {
			return messagesFormat(m.Items)
		}
		f := messageFormat(m)
		if f != Unknown && f != OpenAIChat {
			return f
		}
		if f == OpenAIChat {
			found = f
		}
	}
	return found
}

func messageFormat(m *plan.Value) Format {
	typ := transcript.Str(m, "type")
	if !has(m, "role") {
		return itemFormat(m, typ)
	}
	if has(m, "parts") {
		return Gemini
	}
	for _, part := range transcript.Items(transcript.Member(m, "content")) {
		t := transcript.Str(&part, "type")
		switch {
		case t == "tool_use" || t == "tool_result" || strings.HasSuffix(t, "_tool_result"):
			return Anthropic
		case has(&part, "toolUse"), has(&part, "toolResult"):
			return bedrock
		case t == "text" && has(&part, "content"):
			return AgentDojo
		}
	}
	for _, c := range transcript.Items(transcript.Member(m, "tool_calls")) {
		if f := transcript.Member(&c, "function"); f != nil && f.Kind == plan.String && has(&c, "args") {
			return AgentDojo
		}
	}
	return OpenAIChat
}

// itemFormat knows list items that are no messages.
func itemFormat(m *plan.Value, typ string) Format {
	switch {
	case isOne(typ, "say", "ask") && has(m, "ts"):
		return clineUI
	case isOne(typ, "function_call", "function_call_output", "custom_tool_call", "mcp_call"):
		return responses
	case isOne(typ, "human", "ai") && (has(m, "data") || has(m, "content")):
		return langchain
	case isOne(typ, "ToolCallRequestEvent", "ToolCallExecutionEvent", "TextMessage"):
		return autogen
	case has(m, "name") && (has(m, "inputSchema") || has(m, "input_schema")):
		return mcpTools
	}
	return Unknown
}
