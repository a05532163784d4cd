package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/plan"
)

// A text in which nothing was found holds a piece of a secret once an output has
// shown that; one in which something was found is told each time.
func TestContentOfRepeatedTexts(t *testing.T) {
	config := Config{Content: content.NewScanner(content.Options{Canaries: []string{"harbour-lantern-7319"}})}
	config.Contracts = []Contract{fileTool(t, Arg{Access: Read}).Contracts[0]}
	say := func(text string) plan.Call { return plan.Call{Tool: "f", Args: obj("text", text)} }
	show := say("nothing to see")
	show.Outcome, show.OutputState, show.Output = plan.Ran, plan.OutputRecorded, str("it is harbour-lantern-7319")
	const piece, whole, other = "see lantern-73", "harbour-lantern-7319", "nothing to see"

	got := registry(t, config).Resolve(planOf(testEnv, say(piece), say(piece), say(whole), say(whole), show, say(piece), say(piece), say(other)))
	want := []bool{false, false, true, true, false, true, true, false}
	for i, labelled := range want {
		require.Len(t, got[i].Facts.Slots, 1)
		require.Equal(t, labelled, len(got[i].Facts.Slots[0].Sources()) > 0, "call %d", i)
	}
	require.Equal(t, got[5].Facts.Slots[0].Sources(), got[6].Facts.Slots[0].Sources())
}

func TestCleanTexts(t *testing.T) {
	c := &call{resolver: &resolver{scratch: newScratch()}}
	require.False(t, c.isClean("/srv/app/a.go"))
	c.keepClean("/srv/app/a.go")
	require.True(t, c.isClean("/srv/app/a.go"))
	require.False(t, c.isClean("/srv/app/b.go"))
	long := string(make([]byte, maxCleanText+1))
	c.keepClean(long)
	require.False(t, c.isClean(long), "long texts are not kept")
}

// A secret in a text that is JSON labels the field that it stands in, and of another
// form all of the output.
func TestContentOfFields(t *testing.T) {
	config := Config{Content: content.NewScanner(content.Options{Canaries: []string{"harbour-lantern-7319"}})}
	config.Contracts = []Contract{fileTool(t, Arg{Access: Read}).Contracts[0]}
	for output, want := range map[string]string{
		`{"mail": "kim@corp.example", "notes": [{"text": "harbour-lantern-7319"}]}`: "notes[0].text",
		`{'mail': 'kim@corp.example', 'word': 'harbour-lantern-7319'}`:              "word",
		"mail: kim@corp.example\nword: harbour-lantern-7319":                        "",
		`"harbour-lantern-7319"`: "",
	} {
		c := plan.Call{Tool: "f", Args: obj("text", "x"), Outcome: plan.Ran, OutputState: plan.OutputRecorded, Output: str(output)}
		f := registry(t, config).Resolve(planOf(testEnv, c))[0].Facts
		if want == "" {
			require.NotEmpty(t, f.Output(), output)
			require.Empty(t, f.Fields(), output)
			continue
		}
		require.Empty(t, f.Output(), output)
		require.Len(t, f.Fields(), 1, output)
		require.Equal(t, want, f.Fields()[0].Path.String(), output)
	}
}
