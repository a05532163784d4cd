package tool

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

// ParsePath reads what plan.Path's String writes: to, emails[*].to, a["b c"][0].
// An empty text is the whole value.
func ParsePath(text string) (plan.Path, error) {
	var path plan.Path
	rest := text
	for rest != "" {
		step, n, err := pathStep(rest, len(path) == 0)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		path = append(path, step)
		rest = rest[n:]
	}
	return path, nil
}

// pathStep reads one step from the start of rest and says how long it is.
func pathStep(rest string, first bool) (plan.Step, int, error) {
	if rest[0] == '[' {
		return bracketStep(rest)
	}
	skip := 0
	if !first {
		if rest[0] != '.' {
			return plan.Step{}, 0, fmt.Errorf("expected . or [ before %q", rest)
		}
		skip = 1
	}
	end := skip
	for end < len(rest) && nameByte(rest[end], end > skip) {
		end++
	}
	if end == skip {
		return plan.Step{}, 0, fmt.Errorf("expected a name before %q", rest[skip:])
	}
	return plan.Step{Key: rest[skip:end]}, end, nil
}

func bracketStep(rest string) (plan.Step, int, error) {
	if strings.HasPrefix(rest, "[*]") {
		return plan.Step{Wild: true}, 3, nil
	}
	if strings.HasPrefix(rest, `["`) {
		quoted, err := strconv.QuotedPrefix(rest[1:])
		if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
			return plan.Step{}, 0, fmt.Errorf("bad quoted key at %q", rest)
		}
		key, err := strconv.Unquote(quoted)
		return plan.Step{Key: key}, len(quoted) + 2, err
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return plan.Step{}, 0, fmt.Errorf("no ] after %q", rest)
	}
	n, err := strconv.ParseUint(rest[1:end], 10, 31)
	if err != nil {
		return plan.Step{}, 0, fmt.Errorf("bad index %q", rest[1:end])
	}
	return plan.Step{Index: int(n), IsIndex: true}, end + 1, nil
}

func nameByte(c byte, inner bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
		return true
	}
	return inner && (c == '-' || '0' <= c && c <= '9')
}
