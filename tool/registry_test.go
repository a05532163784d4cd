package tool

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

func messages(problems []Problem) (out []string) {
	for _, p := range problems {
		out = append(out, p.String())
	}
	return out
}

func TestCheck(t *testing.T) {
	at := Origin{File: "p.yaml", Line: 3, Column: 5}
	ok := Contract{Name: "t", Class: gate.IrreversiblePublic, Pos: at, Args: []Arg{arg(t, "to", Recipient), arg(t, "body", Content)}}
	for name, tc := range map[string]struct {
		change func(*Contract)
		want   string
	}{
		"no class": {func(c *Contract) { c.Class = 0 },
			"p.yaml:3:5: tool \"t\" has no risk_class\nhint: one of reversible-internal, compensating, time-window-undoable, irreversible-internal, irreversible-public, authority-modifying"},
		"no name":     {func(c *Contract) { c.Name = "" }, `p.yaml:3:5: tool "": a contract without a name`},
		"audience":    {func(c *Contract) { c.Audience = []string{"args.too"} }, "p.yaml:3:5: tool \"t\": audience names argument \"too\", which is not declared\nhint: declared are to, body"},
		"syntax":      {func(c *Contract) { c.Audience = []string{"args.to["} }, `p.yaml:3:5: tool "t": audience: path "to[": no ] after "["`},
		"template":    {func(c *Contract) { c.Audience = []string{"x:{args.to"} }, `p.yaml:3:5: tool "t": audience: no } after "{args.to"`},
		"hole":        {func(c *Contract) { c.Audience = []string{"x:{to}"} }, `p.yaml:3:5: tool "t": audience: "to" is neither args.PATH nor output.PATH`},
		"late":        {func(c *Contract) { c.Audience = []string{"output.x"} }, `p.yaml:3:5: tool "t": audience can't depend on the output`},
		"readers":     {func(c *Contract) { c.Output = []OutputLabel{{Labels: 1, Readers: []string{"args.x"}}} }, "p.yaml:3:5: tool \"t\": readers names argument \"x\", which is not declared\nhint: declared are to, body"},
		"no label":    {func(c *Contract) { c.Output = []OutputLabel{{Readers: []string{"x"}}} }, `p.yaml:3:5: tool "t": output "" has readers and no label`},
		"cell kind":   {func(c *Contract) { c.Cells = []CellEffect{{Name: "x", Access: Read}} }, `p.yaml:3:5: tool "t": cell "x" does not start with its kind and a colon`},
		"cell access": {func(c *Contract) { c.Cells = []CellEffect{{Name: "m:x"}} }, `p.yaml:3:5: tool "t": cell "m:x" is neither read nor written`},
		"cell arg":    {func(c *Contract) { c.Cells = []CellEffect{{Name: "m:{args.k}", Access: Read}} }, "p.yaml:3:5: tool \"t\": cells names argument \"k\", which is not declared\nhint: declared are to, body"},
		"sink arg":    {func(c *Contract) { c.Sinks = []SinkDecl{{Kinds: 1, Args: []plan.Path{pathOf(t, "x")}}} }, "p.yaml:3:5: tool \"t\": sink names argument \"x\", which is not declared\nhint: declared are to, body"},
		"sink kind":   {func(c *Contract) { c.Sinks = []SinkDecl{{}} }, `p.yaml:3:5: tool "t": a sink without a kind`},
		"raises":      {func(c *Contract) { c.ClassWhen = []ClassWhen{{1, gate.AuthorityModifying}} }, `p.yaml:3:5: tool "t": class_when may only lower the class: authority-modifying is not below irreversible-public`},
		"twice":       {func(c *Contract) { c.Args = append(c.Args, arg(t, "to", URL)) }, `p.yaml:3:5: tool "t": argument "to" is declared twice`},
		"path access": {func(c *Contract) { c.Args[1].Role = Path }, `p.yaml:3:5: tool "t": argument "body" is a path without access`},
		"no path":     {func(c *Contract) { c.Args[1].Tree = true }, `p.yaml:3:5: tool "t": argument "body" is no path, so base, tree, glob and append mean nothing`},
		"base":        {func(c *Contract) { c.Args[1].Role, c.Args[1].Access, c.Args[1].Base = Path, Read, "dir" }, "p.yaml:3:5: tool \"t\": base of body names argument \"dir\", which is not declared\nhint: declared are to, body"},
		"spawns":      {func(c *Contract) { c.Spawns = "x" }, "p.yaml:3:5: tool \"t\": spawns names argument \"x\", which is not declared\nhint: declared are to, body"},
	} {
		t.Run(name, func(t *testing.T) {
			c := ok
			c.Args = slices.Clone(ok.Args)
			tc.change(&c)
			require.Equal(t, []string{tc.want}, messages(Check(&c)))
		})
	}
	require.Empty(t, Check(&ok))
}

func TestNewRegistryProblems(t *testing.T) {
	con := func(name string, line int, aliases ...string) Contract {
		return Contract{Name: name, Aliases: aliases, Class: gate.Compensating, Pos: Origin{File: "p.yaml", Line: line, Column: 1}}
	}
	r, problems := NewRegistry(Config{Universe: universe(t), Contracts: []Contract{
		con("a", 1, "x"), con("a", 2), con("b", 3, "x"), con("c", 4, "a"), {Name: "d"},
	}, Sources: []SourceRule{{}, {Pattern: pattern(t, "Edit(x)"), Labels: 1}}, Sinks: []SinkRule{{Pattern: pattern(t, "Read(x)"), Kinds: 1}}})
	require.Equal(t, []string{
		"a source without a pattern",
		`source "Edit(x)": what is written is no source; use Read(...)`,
		`sink "Read(x)": what is read is no sink; use Edit(...)`,
		"p.yaml:2:1: tool \"a\" has two contracts\nhint: the other is at p.yaml:1:1; a later layer changes a contract with refines",
		"tool \"d\" has no risk_class\nhint: one of reversible-internal, compensating, time-window-undoable, irreversible-internal, irreversible-public, authority-modifying",
		"p.yaml:3:1: alias \"x\" of tool \"b\" is taken\nhint: tool \"a\" at p.yaml:1:1 has it",
	}, messages(problems))
	require.Equal(t, 1, r.Contract("a").Pos.Line, "the first one counts; c's alias only says that it is the same for rules")
	require.Equal(t, []string{"a", "b", "c", "x"}, r.Names())
	require.Nil(t, r.Contract("d"))
}

type pack map[string]*Contract

func (p pack) Contract(name string) *Contract { return p[name] }
func (p pack) Names() (names []string) {
	for n := range p {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func TestFind(t *testing.T) {
	gh := &Contract{Name: "mcp__github__get_issue", Class: gate.ReversibleInternal}
	mail := &Contract{Name: "send_email", Class: gate.IrreversiblePublic}
	r := registry(t, Config{Packs: []Pack{pack{gh.Name: gh, mail.Name: mail}}})
	for _, tc := range []struct {
		tool, server string
		want         *Contract
	}{
		{"mcp__github__get_issue", "", gh},
		{"get_issue", "github", gh},
		{"mcp__github__get_issue", "github", gh},
		{"github__get_issue", "", gh},
		{"github.get_issue", "", gh},
		{"github/get_issue", "", gh},
		{"github-get_issue", "", gh},
		{"mcp_github_get_issue", "", gh},
		{"get_issue", "", nil},
		{"get_issue", "gitlab", nil},
		{"mcp__github__get_issues", "", nil},
		{"send_email", "", mail},
		{"send_email", "evil", nil},
		{"mcp__evil__send_email", "", nil},
		{"SEND_EMAIL", "", nil},
		{"", "", nil},
	} {
		require.Same(t, tc.want, r.Find(tc.tool, tc.server), "%s %s", tc.server, tc.tool)
	}
}

func TestLint(t *testing.T) {
	for name, tc := range map[string]struct {
		c    Contract
		want []string
	}{
		"clean read":    {Contract{Class: gate.ReversibleInternal, ReadOnly: true}, nil},
		"weaker: third": {Contract{Class: gate.ReversibleInternal, Risk: RiskFacts{ThirdParty: true}}, []string{"class reversible-internal is weaker than its facts\nhint: the facts say irreversible-public"}},
		"weaker: authority": {Contract{Class: gate.IrreversiblePublic, Risk: RiskFacts{WidensAuthority: true}}, []string{
			"class irreversible-public is weaker than its facts\nhint: the facts say authority-modifying"}},
		"no fact":           {Contract{Class: gate.ReversibleInternal}, []string{"class reversible-internal is weaker than its facts\nhint: the facts say irreversible-internal"}},
		"inverse":           {Contract{Class: gate.ReversibleInternal, Risk: RiskFacts{Inverse: "undo"}}, nil},
		"compensation":      {Contract{Class: gate.Compensating, Compensation: "refund"}, nil},
		"no compensation":   {Contract{Class: gate.Compensating, Risk: RiskFacts{Inverse: "x"}}, []string{"class compensating names no compensation\nhint: compensation: the tool that roughly makes up for it"}},
		"no window":         {Contract{Class: gate.TimeWindowUndoable, Risk: RiskFacts{Window: true}}, []string{"class time-window-undoable has no window\nhint: window: how long it can be withdrawn"}},
		"no preview":        {Contract{Class: gate.IrreversibleInternal}, []string{"class irreversible-internal names no preview\nhint: preview: the tool that shows the effect beforehand"}},
		"reads and writes":  {Contract{Class: gate.ReversibleInternal, ReadOnly: true, Cells: []CellEffect{{Name: "m:x", Access: Write}}}, []string{`read_only, but cell "m:x" is written`}},
		"query stays":       {Contract{Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{arg(t, "q", Query)}}, []string{"argument \"q\" has role query, but nothing leaves\nhint: sinks: [{kind: external}], or internal"}},
		"audience everyone": {Contract{Class: gate.IrreversiblePublic, Args: []Arg{arg(t, "to", Recipient)}}, []string{"it has recipients, but its audience is everyone\nhint: audience: [args.PATH]"}},
		"itself":            {Contract{Class: gate.Compensating, Compensation: "t"}, []string{"it can't be its own compensation"}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.c.Name = "t"
			var want []string
			for _, w := range tc.want {
				want = append(want, `tool "t": `+w)
			}
			require.Equal(t, want, messages(Lint(&tc.c)))
		})
	}
}

func TestLintAll(t *testing.T) {
	a := &Contract{Name: "a", Class: gate.Compensating, Compensation: "b"}
	b := &Contract{Name: "b", Class: gate.AuthorityModifying, Preview: "nothing"}
	require.Equal(t, []string{`tool "a": its compensation "b" needs more authority: authority-modifying`, `tool "b": nothing describes its preview "nothing"`},
		messages(LintAll([]*Contract{a, b})))
}

// benchPlan has n calls of four everyday tools.
func benchPlan(n int) *plan.Plan {
	calls := make([]plan.Call, n)
	for i := range calls {
		switch i % 4 {
		case 0:
			calls[i] = plan.Call{Tool: "f", Args: obj("path", fmt.Sprintf("src/file%d.go", i))}
		case 1:
			calls[i] = plan.Call{Tool: "send_email", Args: obj("to", "ops@x.example", "subject", "hi", "body", "text")}
		case 2:
			calls[i] = plan.Call{Tool: "mcp__tracker__get_issue", Args: obj("owner", "acme", "repo", "site", "number", "7")}
		default:
			calls[i] = plan.Call{Tool: "fetch", Args: obj("url", "https://docs.example/page")}
		}
	}
	return planOf(testEnv, calls...)
}

func benchRegistry(b *testing.B) *Registry {
	path := func(text string) plan.Path { p, _ := ParsePath(text); return p }
	read, _ := ParsePattern("Read(**/.env)")
	r, problems := NewRegistry(Config{Universe: universe(b), Contracts: []Contract{
		{Name: "f", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{{Path: path("path"), Role: Path, Access: Read}}},
		{Name: "send_email", Class: gate.IrreversiblePublic, Audience: []string{"args.to"}, Args: []Arg{{Path: path("to"), Role: Recipient}, {Path: path("subject"), Role: Content}, {Path: path("body"), Role: Content}}},
		{Name: "mcp__tracker__get_issue", Class: gate.ReversibleInternal, ReadOnly: true, Output: []OutputLabel{{Labels: taint.Of(taint.Untrusted)}}},
		{Name: "fetch", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{{Path: path("url"), Role: URL}}},
	}, Sources: []SourceRule{{Pattern: read, Labels: taint.Of(taint.Secret)}}})
	require.Empty(b, problems)
	return r
}

func BenchmarkResolve(b *testing.B) {
	r := benchRegistry(b)
	for _, n := range []int{100, 10_000} {
		p := benchPlan(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Resolve(p)
			}
		})
	}
}

func BenchmarkResolveCommands(b *testing.B) {
	r, problems := NewRegistry(Config{Universe: universe(b), Contracts: []Contract{
		{Name: "Bash", Class: gate.IrreversibleInternal, Args: []Arg{{Path: plan.Path{{Key: "command"}}, Role: Command}}},
	}})
	require.Empty(b, problems)
	lines := []string{"go test ./... 2>&1 | tail -20", "git status && git diff --stat", "grep -rn TODO src | head", "cat a.txt > b.txt"}
	calls := make([]plan.Call, 1000)
	for i := range calls {
		calls[i] = plan.Call{Tool: "Bash", Args: obj("command", lines[i%len(lines)])}
	}
	p := planOf(testEnv, calls...)
	b.ReportAllocs()
	for b.Loop() {
		r.Resolve(p)
	}
}
