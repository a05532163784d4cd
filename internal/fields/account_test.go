package fields

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAccountsAreWrittenInTwoWays(t *testing.T) {
	for text, want := range map[string]string{
		"DE02120300000000202051":                      "DE02 1203 0000 0000 2020 51",
		"pay to NO58 1503 4417 209, today":            "NO5815034417209",
		"AT61 1904 3002 3457 3201":                    "AT611904300234573201",
		"GB29NWBK60161331926819.":                     "GB29 NWBK 6016 1331 9268 19",
		"DE02 1203 0000 0000 2020 51 and more":        "DE02120300000000202051",
		"DE02 1203 0000":                              "",
		"XDE02120300000000202051":                     "",
		"DE021203000000002020510000000000000000000":   "",
		"DE02 12030 000000002020 51":                  "",
		"the EU27 countries and the US50 states of A": "",
	} {
		var d Decoder
		views := d.Views(text)
		at := slices.IndexFunc(views, func(v View) bool { return v.Encoding == grouped || v.Encoding == joined })
		if want == "" {
			require.Negative(t, at, "%q: %v", text, views)
			continue
		}
		require.GreaterOrEqual(t, at, 0, text)
		require.Equal(t, want, views[at].Text, text)
		require.False(t, views[at].Turned())
	}
}
