package transcript

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLabelsOfServersOnlyRaise: what a server says of its own result may add a
// label and never takes one away.
func TestLabelsOfServersOnlyRaise(t *testing.T) {
	for _, c := range []struct {
		json string
		want []string
	}{
		{`{"_meta": {"ifc": {"integrity": "untrusted", "confidentiality": ["public"]}}}`, []string{"untrusted"}},
		{`{"_meta": {"ifc": {"integrity": "trusted", "confidentiality": "public"}}}`, nil},
		{`{"_meta": {"ifc": {"integrity": "trusted", "confidentiality": ["ann", "bob"]}}}`, []string{"private"}},
		{`{"mcpMeta": {"ifc": {"confidentiality": "secret"}}}`, []string{"secret"}},
		{`{"mcpMeta": {"_meta": {"ifc": {"integrity": "odd word"}}}}`, []string{"untrusted"}},
		{`{"_meta": {"ifc": "untrusted"}}`, nil},
		{`{"_meta": {}}`, nil},
	} {
		v, err := Unplaced(c.json)
		require.NoError(t, err)
		require.Equal(t, c.want, ifcLabels(&v), c.json)
	}
	line := `{"type":"tool.execution_complete","id":"1","data":{"toolCallId":"c","success":true,"result":{"content":"x"},"mcpMeta":{"ifc":{"integrity":"untrusted","confidentiality":"private"}}}}`
	start := `{"type":"tool.execution_start","id":"0","data":{"toolCallId":"c","toolName":"get_issue","arguments":{}}}`
	b := NewBuilder("copilot", "x")
	f := NewFeeder(NewCopilot(0), b.Add)
	f.Feed([]byte(start + "\n" + line + "\n"))
	f.Close()
	require.Equal(t, []string{"untrusted", "private"}, b.Plan().Calls[0].OutputLabels())

	chat := NewBuilder("openai-chat", "x")
	f = NewFeeder(&Messages{}, chat.Add)
	f.Feed([]byte(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"t","arguments":"{}"}}]}` + "\n" +
		`{"role":"tool","tool_call_id":"a","content":"x","_meta":{"ifc":{"integrity":"untrusted"}}}` + "\n"))
	f.Close()
	require.Equal(t, []string{"untrusted"}, chat.Plan().Calls[0].OutputLabels())
}
