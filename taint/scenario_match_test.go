package taint

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValueEdgesKnowTheField(t *testing.T) {
	email := func(ref string) []string {
		w := newWorld()
		w.plan.Fixed = true
		w.add("read").field("body", Of(Untrusted)).field("items.*.text", Of(Private))
		w.add("post", "text="+ref).sends()
		return w.flows()
	}
	require.Empty(t, email("${read.sender}"))
	require.Equal(t, []string{"untrusted value: read.output.body -value/reference-> post.text"}, email("${read.body}"))
	require.Equal(t, []string{"untrusted value: read.output.body -value/reference-> post.text"}, email("${read.body.part}"))
	require.Len(t, email("${read}"), 2)
	require.Len(t, email("${read.items}"), 1)
}

func TestValueByMatchKnowsTheFieldOfJSONText(t *testing.T) {
	w := newWorld()
	w.add("read", "id=1").field("body", Of(Secret)).
		output(`{"sender":"ann@corp.example","body":"the code is zq81kk3m\nbye"}`)
	w.add("one", "text=zq81kk3m").sends()
	w.add("two", "text=ann@corp.example").sends()
	require.Equal(t, []string{"secret value: read.output.body -value/match-> one.text"}, w.flows())
}

func TestValueByMatch(t *testing.T) {
	const key = "sk_demo_9f8e7d6c5b4a"
	long := "we meet the lawyers on monday morning about the merger"
	for name, c := range map[string]struct{ output, arg string }{
		"whole":            {key, key},
		"inside output":    {"the key is " + key + " ok", key},
		"inside argument":  {key, "see " + key + "!"},
		"in a URL":         {key, "https://x.example/?q=" + key},
		"other case":       {key, strings.ToUpper(key)},
		"run of words":     {"note: " + long + ", he said", "fyi " + long},
		"address":          {"write to ops.team@partner.example please", "mailto:ops.team@partner.example?x=1"},
		"whole words":      {"full name Jonathan Appleseed here", "Jonathan Appleseed"},
		"output in text":   {"Jonathan Appleseed", "dear Jonathan Appleseed, hello"},
		"base64":           {key, base64.StdEncoding.EncodeToString([]byte("k=" + key))},
		"base64 url":       {key, "https://x.example/" + base64.RawURLEncoding.EncodeToString([]byte(key))},
		"hex":              {key, fmt.Sprintf("%x", key)},
		"percent":          {"jürgen appleseed", "j%C3%BCrgen%20appleseed"},
		"JSON escapes":     {"line one zz99yy88\nline two", `"line one\nzz99yy88\nx"`},
		"twice encoded":    {key, base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%x", key)))},
		"account number":   {"IBAN DE02120300000000202051", "DE02120300000000202051"},
		"number of digits": {"card 4111111111111111", "4111111111111111"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.add("read", "id=1").gives(Of(Secret)).output(c.output)
			w.add("send", "text="+c.arg).sends()
			l := w.labels()
			require.True(t, l.Slot(1, 0, Value).Has(Secret))
			f := l.Flows()[0]
			require.Equal(t, ByMatch, f.Hops[0].Evidence.Kind)
			require.Equal(t, "text", f.Hops[0].Evidence.Target)
			require.Len(t, f.Hops[0].Evidence.Digest, 8*min(1, f.Hops[0].Evidence.Length/minDigest))
			require.NotContains(t, fmt.Sprintf("%+v", f), key, "evidence holds no values")
		})
	}
}

func TestNotDistinctive(t *testing.T) {
	for _, word := range []string{"successfully", "true", "12345678", "2026-11-30", "config", "a", "read_secret", "example.com"} {
		w := newWorld()
		w.add("read", "id=1").gives(Of(Secret)).output("x " + word + " y")
		w.add("send", "text="+word).sends()
		require.False(t, w.labels().Slot(1, 0, Value).Has(Secret), word)
	}
}

func TestEchoIsNoOrigin(t *testing.T) {
	w := newWorld()
	w.add("find", "query=ticket9f8e7d").gives(Of(Secret)).output("nothing for ticket9f8e7d")
	w.add("send", "text=ticket9f8e7d").sends()
	require.Equal(t, []string{"secret context: find.output -context/context-> send.text"}, w.flows())
}

func TestOutputOfALaterTurnIsNoOrigin(t *testing.T) {
	w := newWorld()
	w.add("send", "text=zq81kk3m").sends()
	w.add("read", "id=1").gives(Of(Secret)).output("zq81kk3m")
	require.Empty(t, w.flows())
}
