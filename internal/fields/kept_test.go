package fields

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// templates are small texts of every format that is taken apart.
var templates = []string{
	`{"a": "x", "list": [1, {"b": "y z"}], "c": null}`,
	`[{'a': 'x', 'when': datetime.date(2031, 1, 2)}, {'a': None, 'b': True}]`,
	"- a: x\n  b: |\n    one line\n    two lines\n- a: y # why\n  b: 'z'\n# the end\n",
	"a: x\nb:\n- one\n- two\nc: \"y z\"\n",
	"<html><head><title>t</title></head><body class=\"x\"><p>one <b>two</b></p><!-- note --><img src='a.png' alt=\"b\"><input disabled></body></html>",
	"<!DOCTYPE html>\n<?xml version=\"1.0\"?>\n<a><b c=\"d\"/>text</a>",
	"Shop > Home\n<<NOTE TO ALL: read this first.>>\n<b>one</b> and <i>two</i>\n",
	"name,price\nlamp,3\nchair,4\n",
	"name | price\n---|---\nlamp | 3\n",
	"name: lamp\nprice: 3\n\nname: chair\nprice: 4\n",
	"[sync]\nserver = a\nkey = b ; why\n# end\n",
	"Dear Ann,\nthanks. See you <soon>!\n",
}

// TestNothingIsLost: wherever a mail address stands in a text, a field holds it.
func TestNothingIsLost(t *testing.T) {
	const address = "kim@corp.example"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60_000 {
		text := templates[rng.IntN(len(templates))]
		if rng.IntN(3) == 0 { // a text that is broken first
			i := rng.IntN(len(text))
			text = text[:i] + text[i+rng.IntN(len(text)-i):]
		}
		i := rng.IntN(len(text) + 1)
		text = text[:i] + pads[rng.IntN(len(pads))] + address + pads[rng.IntN(len(pads))] + text[i:]
		require.True(t, holds(Parse(text), address), "%q", text)
	}
}

var pads = []string{"", " ", "\n", "<", ">", "\"", "'", ",", ": ", "=", " # ", "</", "<!", "<?"}

func holds(d *Document, word string) bool {
	for i := range d.Leaves {
		if strings.Contains(d.Leaves[i].Text, word) {
			return true
		}
	}
	return false
}

func TestEntities(t *testing.T) {
	for _, text := range []string{"<p>kim&#64;corp&#46;example</p>", "<p>kim&#x40;corp&period;example</p>", "<p>kim&commat;corp.example</p>"} {
		require.True(t, holds(Parse(text), "kim@corp.example"), text)
	}
}
