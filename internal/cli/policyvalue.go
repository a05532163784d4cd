package cli

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/compiled"
)

// policyValue is the value of --policy: a file, or builtin:NAME. That it was given
// and names nothing is refused: the default policy would be another one than meant.
type policyValue string

// String satisfies pflag.Value.
func (p *policyValue) String() string { return string(*p) }

// Type satisfies pflag.Value.
func (p *policyValue) Type() string { return "policy" }

// Set satisfies pflag.Value.
func (p *policyValue) Set(text string) error {
	name, builtin := strings.CutPrefix(text, builtinPrefix)
	if strings.TrimSpace(name) == "" {
		return fmt.Errorf("it names no policy: give a file, or one of builtin:%s", strings.Join(compiled.Presets(), ", builtin:"))
	}
	if builtin && !contains(compiled.Presets(), name) {
		return fmt.Errorf("unknown built-in policy: give one of builtin:%s", strings.Join(compiled.Presets(), ", builtin:"))
	}
	*p = policyValue(text)
	return nil
}
