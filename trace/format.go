package trace

import (
	"slices"
	"strings"
)

// Format names what a file is.
type Format string

// The formats that are read.
const (
	// Unknown: none of the known formats.
	Unknown Format = ""
	// Native is planlint's own plan format, YAML or JSON.
	Native Format = "planlint"
	// ClaudeCode is a session of Claude Code (JSON lines), or a copy of its shape.
	ClaudeCode Format = "claude-code"
	// ClaudeStream is what headless Claude Code prints: stream-json, or the
	// array of the same messages that claude-code-action keeps.
	ClaudeStream Format = "claude-stream"
	// OpenAIChat are chat completion messages and logs of requests with them.
	OpenAIChat Format = "openai-chat"
	// Anthropic are messages of Anthropic's API; Cline's older history too.
	Anthropic Format = "anthropic"
	// AgentDojo are AgentDojo's run files, and labelled runs, one a line.
	AgentDojo Format = "agentdojo"
	// Codex is a rollout of Codex.
	Codex Format = "codex"
	// Gemini is a chat of Gemini CLI, JSON or JSON lines.
	Gemini Format = "gemini"
	// Qwen is a chat of Qwen Code.
	Qwen Format = "qwen"
	// Copilot are the events of Copilot CLI.
	Copilot Format = "copilot"
	// OpenCode is what opencode export writes.
	OpenCode Format = "opencode"
	// OpenCodeDB is OpenCode's database, or its write-ahead log.
	OpenCodeDB Format = "opencode-db"
	// Cline is a session of Cline's SDK and CLI.
	Cline Format = "cline"
)

// Formats of proposed plans.
const (
	// HITL is an approval payload of LangChain's human-in-the-loop middleware.
	HITL Format = "langchain-hitl"
	// RunState is the saved state of a paused run of the OpenAI Agents SDK.
	RunState Format = "agents-runstate"
	// AGUI is a stream of AG-UI events.
	AGUI Format = "ag-ui"
	// SafeOutputs are the writes that GitHub Agentic Workflows will make.
	SafeOutputs Format = "gh-aw"
	// Steps is a planner's list of steps, in whatever words.
	Steps Format = "steps"
	// ReWOO and LLMCompiler are plans as text.
	ReWOO       Format = "rewoo"
	LLMCompiler Format = "llm-compiler"
	// Arazzo are API workflows of the OpenAPI initiative.
	Arazzo Format = "arazzo"
	// Lobster is a Lobster workflow.
	Lobster Format = "lobster"
	// Cell is JavaScript or Python that calls tools.
	Cell Format = "code-cell"
)

// Readable are the formats that Read takes, in the order of the documentation.
func Readable() []Format {
	return []Format{Native, ClaudeCode, ClaudeStream, OpenAIChat, Anthropic, AgentDojo, Codex, Gemini, Qwen, Copilot, OpenCode, OpenCodeDB, Cline,
		HITL, RunState, AGUI, SafeOutputs, Steps, ReWOO, LLMCompiler, Lobster, Arazzo, Cell}
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, bool) {
	f := Format(strings.ToLower(name))
	return f, slices.Contains(Readable(), f)
}

// Formats that are told apart and not read.
const (
	mcpTools      Format = "mcp-tools"
	mcpLog        Format = "mcp-log"
	acpLog        Format = "acp"
	otlp          Format = "otlp"
	codexExec     Format = "codex-exec"
	cursor        Format = "cursor"
	sweAgent      Format = "swe-agent"
	inspect       Format = "inspect"
	tauBench      Format = "tau-bench"
	langfuse      Format = "langfuse"
	langsmith     Format = "langsmith"
	langchain     Format = "langchain"
	agentsSDK     Format = "agents-sdk"
	openHands     Format = "openhands"
	responses     Format = "openai-responses"
	bedrock       Format = "bedrock"
	atif          Format = "atif"
	clineUI       Format = "cline-ui"
	clineMeta     Format = "cline-meta"
	claudeMeta    Format = "claude-meta"
	claudeJSON    Format = "claude-json"
	sqlite        Format = "sqlite"
	zipFile       Format = "zip"
	eventStream   Format = "sse"
	autogen       Format = "autogen"
	streamChunks  Format = "openai-chunks"
	openCodeStore Format = "opencode-storage"
	prose         Format = "prose"
)

// unread says of each such format what it is and what to do instead.
var unread = map[Format][2]string{
	mcpTools:      {"a list of tools (MCP tools/list)", "a list of tools is no plan: it holds no calls"},
	mcpLog:        {"a log of MCP messages", ""},
	acpLog:        {"a log of ACP messages", ""},
	otlp:          {"an OTLP export", ""},
	codexExec:     {"output of codex exec --json", "the rollout below ~/.codex/sessions holds the same and more, and is read"},
	cursor:        {"a Cursor transcript", "it records no tool outputs"},
	sweAgent:      {"a SWE-agent trajectory", ""},
	inspect:       {"an Inspect log", ""},
	tauBench:      {"a tau-bench result file", "its traj lists are openai-chat messages"},
	langfuse:      {"a Langfuse export", ""},
	langsmith:     {"a LangSmith run", ""},
	langchain:     {"a LangChain message dump", ""},
	agentsSDK:     {"an OpenAI Agents SDK trace", ""},
	openHands:     {"an OpenHands history", ""},
	responses:     {"OpenAI Responses items", ""},
	bedrock:       {"Bedrock Converse messages", ""},
	atif:          {"an ATIF trajectory", ""},
	clineUI:       {"Cline's ui_messages.json", "api_conversation_history.json beside it is read"},
	clineMeta:     {"the head data of a Cline session", "the .messages.json file beside it is read"},
	claudeMeta:    {"the head data of a Claude Code sub-agent", "the .jsonl file beside it is read"},
	claudeJSON:    {"the result of claude -p --output-format json", "it holds no calls: use --output-format stream-json --verbose"},
	sqlite:        {"an SQLite database", "export the session first (opencode export ID)"},
	zipFile:       {"a zip archive", "unpack it first"},
	eventStream:   {"a stream of API events", ""},
	autogen:       {"AutoGen messages", ""},
	streamChunks:  {"chunks of a streamed chat completion", ""},
	prose:         {"a plan in prose, without calls", proseHint},
	openCodeStore: {"a part of OpenCode's storage", "opencode export ID writes the whole session, which is read"},
}

// Describe names a format for people.
func (f Format) Describe() string {
	if u, ok := unread[f]; ok {
		return u[0]
	}
	if f == Unknown {
		return "an unknown format"
	}
	return string(f)
}

// IsReadable reports whether Read takes the format.
func (f Format) IsReadable() bool { return slices.Contains(Readable(), f) }
