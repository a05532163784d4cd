package fields

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAtoms(t *testing.T) {
	for text, want := range map[string][]string{
		"write to kim.lee@corp.example, please":                {"address:kim.lee@corp.example"},
		"see www.shop.example/a?b=1. And https://x.example/":   {"url:www.shop.example/a?b=1", "url:https://x.example"},
		"pay DE00370400440532013000 now":                       {"account:DE00370400440532013000"},
		"the bill (bill-2031.txt) in /home/kim/notes":          {"file:bill-2031.txt", "file:/home/kim/notes"},
		"shop.example is a host, end.Next is none":             {"url:shop.example"},
		"order A17-2209X of 2031-04-02 at 10:30 for 12.50":     {"id:A17-2209X"},
		"card 4111-1111-1111-1111 and call +44 20 7946 0000 x": {"account:4111-1111-1111-1111"},
		"call os.path.join(a) in x.example (a host)":           {"url:x.example"},
		"nothing here, e.g. this":                              nil,
	} {
		var got []string
		Atoms(text, func(a Atom) { got = append(got, fmt.Sprintf("%s:%s", a.Kind, text[a.Start:a.End])) })
		require.Equal(t, want, got, text)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"98.70 and 1,200 and 1.200,50":   {98.7, 1.2, 1200, 1200.5},
		"$30,000 in total, no more than": {30, 30000},
		"abc12 12x v1":                   nil,
		"€5.":                            {5},
	} {
		var got []float64
		Numbers(text, func(n Numeral) { got = append(got, n.Value) })
		require.Equal(t, want, got, text)
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string][]Date{
		"2031-04-02 10:00":            {{4, 2}},
		"2031-04-02T10:00":            {{4, 2}},
		"4/2/2031":                    {{4, 2}, {2, 4}},
		"April 2nd, 2031":             {{4, 2}},
		"the 2nd of April":            {{4, 2}},
		"13th to the 17th of May":     {{5, 13}, {5, 17}},
		"from May 1st to May 5th":     {{5, 1}, {5, 5}},
		"we may meet 3 people or 40":  {},
		"at 10:30 on 19 September":    {{9, 10}, {9, 30}, {9, 19}},
		"nothing, 12.50 or 2031 here": {},
	} {
		got := []Date{}
		Dates(text, func(d Date) {
			if !slices.Contains(got, d) {
				got = append(got, d)
			}
		})
		require.Equal(t, want, got, text)
	}
}

func TestWordsFold(t *testing.T) {
	require.Equal(t, WordHash("Kim"), WordHash("ＫＩＭ"), "full-width")
	require.Equal(t, WordHash("pass\u200bword"), WordHash("PASSWORD"), "invisible characters")
	require.NotEqual(t, WordHash("kim"), WordHash("kin"))
}

func TestHostOf(t *testing.T) {
	for text, want := range map[string]string{
		"https://www.Shop.example:80/a": "shop.example", "kim@corp.example": "corp.example",
		"https://evil.example/?m=kim@corp.example": "evil.example", "https://kim:x@evil.example/a": "evil.example", "shop.example": "shop.example", "kim": "",
		`https://evil.example\@shop.example/a`: "evil.example", "https:///evil.example/f": "evil.example",
	} {
		require.Equal(t, want, HostOf(text), text)
	}
}

func FuzzAtoms(f *testing.F) {
	f.Add("kim@corp.example 2031-04-02 www.x.example 1,200.50 ＫＩＭ 5th of May")
	f.Fuzz(func(t *testing.T, text string) {
		Atoms(text, func(a Atom) { require.True(t, 0 <= a.Start && a.Start < a.End && a.End <= len(text)) })
		Numbers(text, func(n Numeral) { require.True(t, n.Start < n.End && n.End <= len(text)) })
		Dates(text, func(d Date) { require.True(t, d.Month <= 12 && d.Day <= 31) })
		last := 0
		Words(text, func(w Word) bool {
			require.True(t, last <= int(w.Start) && w.Start < w.End && int(w.End) <= len(text))
			last = int(w.End)
			return true
		})
	})
}

// TestWordsAreOneHash: the quick way for ASCII and the other give one hash.
func TestWordsAreOneHash(t *testing.T) {
	for n := 1; n < 40; n++ {
		w := strings.Repeat("aB3", n)[:n]
		slow := strings.ReplaceAll(w, "a", "\u200ba")
		require.Equal(t, WordHash(w), WordHash(slow), w)
	}
}
