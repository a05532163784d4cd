package gate

import "fmt"

// Decision is the answer for one call. The zero value is Deny, and a smaller
// value is stricter, so the strictest of several is their minimum.
type Decision uint8

// The decisions, strictest first.
const (
	Deny Decision = iota
	Ask
	Allow
)

var decisionNames = [...]string{"deny", "ask", "allow"}

// ParseDecision returns the decision of that exact name.
func ParseDecision(name string) (Decision, error) {
	for i, n := range decisionNames {
		if n == name {
			return Decision(i), nil
		}
	}
	return Deny, fmt.Errorf("unknown decision %q", name)
}

// Strictest returns the stricter of two decisions.
func Strictest(a, b Decision) Decision { return min(a, b) }

// String returns deny, ask or allow.
func (d Decision) String() string {
	if int(d) < len(decisionNames) {
		return decisionNames[d]
	}
	return decisionNames[Deny]
}

// MarshalText writes the decision's name.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a decision's name; an unknown name is an error.
func (d *Decision) UnmarshalText(text []byte) error {
	parsed, err := ParseDecision(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
