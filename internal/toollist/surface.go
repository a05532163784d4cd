package toollist

import (
	"fmt"
	"sort"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Role is what a tool can be in a toxic combination.
type Role string

// The roles.
const (
	Untrusted   Role = "untrusted content"
	Private     Role = "private data"
	Secret      Role = "secret data"
	Outward     Role = "way out"
	Destructive Role = "destructive"
	Executes    Role = "executes"
	Authority   Role = "changes authority"
)

// Roles lists all roles in the order of reports.
func Roles() []Role {
	return []Role{Untrusted, Private, Secret, Outward, Destructive, Executes, Authority}
}

// combinations are the toxic ones: what the roles do together.
var combinations = []Combination{
	{ID: "leak", Roles: []Role{Untrusted, Private, Outward}, Why: "text that anybody wrote can have private data sent out"},
	{ID: "secret-leak", Roles: []Role{Secret, Outward}, Why: "a plan can carry a secret out"},
	{ID: "destruction", Roles: []Role{Untrusted, Destructive}, Why: "text that anybody wrote can have things destroyed"},
	{ID: "takeover", Roles: []Role{Untrusted, Executes}, Why: "text that anybody wrote can be executed"},
	{ID: "escalation", Roles: []Role{Untrusted, Authority}, Why: "text that anybody wrote can change who may do what"},
}

// Combination is a set of roles that are dangerous together.
type Combination struct {
	ID    string `json:"id"`
	Roles []Role `json:"roles"`
	Why   string `json:"why"`
}

// Surface is what a set of tools could do together. It is no alarm: whether a
// plan does it is what check says.
type Surface struct {
	// Tools are the tools by role, sorted; Unknown those that nothing describes.
	Tools   map[Role][]string `json:"tools"`
	Unknown []string          `json:"unknown"`
	// Combinations are those whose roles are all there.
	Combinations []Combination `json:"combinations"`
	// Remarks are about the definitions themselves.
	Remarks []string `json:"remarks"`
}

// Survey looks at tools by the contracts of a policy.
func Survey(tools []Tool, p *planlint.Policy) *Surface {
	s := &Surface{Tools: make(map[Role][]string), Unknown: []string{}, Combinations: []Combination{}, Remarks: []string{}}
	for i := range tools {
		t := &tools[i]
		c := p.Registry.Find(t.Name, t.Server)
		if c == nil {
			c = p.Registry.Contract(t.Name)
		}
		s.add(t, rolesOf(t, c, p.Universe))
		if c == nil {
			s.Unknown = append(s.Unknown, t.ID())
		}
	}
	for _, c := range combinations {
		all := true
		for _, r := range c.Roles {
			all = all && len(s.Tools[r]) > 0
		}
		if all {
			s.Combinations = append(s.Combinations, c)
		}
	}
	s.remarks(tools)
	return s
}

func (s *Surface) add(t *Tool, roles []Role) {
	for _, r := range roles {
		s.Tools[r] = append(s.Tools[r], t.ID())
	}
}

// rolesOf are the roles by the contract, and by those annotations that only add.
func rolesOf(t *Tool, c *tool.Contract, u *taint.Universe) []Role {
	has := make(map[Role]bool)
	has[Destructive] = t.Destructive
	has[Untrusted] = t.OpenWorld
	if c != nil {
		contractRoles(c, u, has)
	}
	var out []Role
	for _, r := range Roles() {
		if has[r] {
			out = append(out, r)
		}
	}
	return out
}

func contractRoles(c *tool.Contract, u *taint.Universe, has map[Role]bool) {
	var labels taint.Set
	for _, o := range c.Output {
		labels |= o.Labels
	}
	has[Untrusted] = has[Untrusted] || labels.Intersects(u.Integrity())
	secret := u.AtLeast(taint.Secret)
	has[Secret] = labels.Intersects(secret)
	has[Private] = labels.Intersects(u.AtLeast(taint.Private))
	var kinds taint.SinkKind
	for _, s := range tool.ImpliedSinks(c) {
		kinds |= s.Kinds
	}
	has[Outward] = kinds&(taint.SinkPublic|taint.SinkExternal) != 0
	has[Executes] = kinds&taint.SinkExec != 0
	has[Authority] = kinds&taint.SinkAuthority != 0
	has[Destructive] = has[Destructive] || !c.ReadOnly && c.Class == gate.IrreversibleInternal
}

// remarks are about texts that speak to the model instead of describing.
func (s *Surface) remarks(tools []Tool) {
	names := make(map[string]bool)
	for i := range tools {
		names[tools[i].Name] = true
	}
	for i := range tools {
		t := &tools[i]
		params, texts := t.Params()
		s.text(t, "its description", t.Description, names)
		for _, p := range params {
			s.text(t, fmt.Sprintf("parameter %q", p), texts[p], names)
		}
	}
	sort.Strings(s.Remarks)
}

// orders are phrases that descriptions of tools have no use for.
var orders = []string{"<important>", "<system>", "ignore all previous", "ignore previous instructions", "ignore all prior",
	"disregard all previous", "do not tell the user", "don't tell the user", "do not mention", "without telling the user"}

func (s *Surface) text(t *Tool, where, text string, names map[string]bool) {
	low := strings.ToLower(text)
	for _, phrase := range orders {
		if strings.Contains(low, phrase) {
			s.Remarks = append(s.Remarks, fmt.Sprintf("%s: %s gives orders to the model: %q", t.ID(), where, phrase))
			break
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if names[word] && word != t.Name && where != "its description" {
			s.Remarks = append(s.Remarks, fmt.Sprintf("%s: %s names another tool: %s", t.ID(), where, word))
			return
		}
		if names[word] && word != t.Name && strings.ContainsAny(word, "_-") {
			s.Remarks = append(s.Remarks, fmt.Sprintf("%s: %s names another tool: %s", t.ID(), where, word))
			return
		}
	}
}

// Visible returns the tools that an agent may see under a ceiling: those whose
// class is within it. A tool that nothing describes is above every ceiling but
// the highest.
func Visible(tools []Tool, p *planlint.Policy, ceiling gate.Class) (kept []Tool, hidden []string) {
	for i := range tools {
		t := &tools[i]
		class := gate.AuthorityModifying
		c := p.Registry.Find(t.Name, t.Server)
		if c != nil {
			class = c.Class
		}
		if class <= ceiling {
			kept = append(kept, *t)
		} else {
			hidden = append(hidden, t.ID())
		}
	}
	return kept, hidden
}
