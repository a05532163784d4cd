package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

func pattern(t *testing.T, text string) *Pattern {
	p, err := ParsePattern(text)
	require.NoError(t, err, text)
	return p
}

func TestParsePatternErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "an empty pattern",
		"Read(":                      `pattern "Read(" has no ) at its end`,
		"Read()":                     `pattern "Read()" has nothing between its brackets`,
		"Edit(!x)":                   `pattern "Edit(!x)": path pattern "!x": negation is not supported; write the opposite rule`,
		"Edit(a/../b)":               `pattern "Edit(a/../b)": path pattern "a/../b": .. is only understood at its start`,
		"Read([a)":                   `pattern "Read([a)": path pattern "[a": "[a" is not a pattern`,
		"Read({a,b)":                 `pattern "Read({a,b)": path pattern "{a,b": { without }`,
		"WebFetch(x.example)":        `pattern "WebFetch(x.example)": expected domain:HOST`,
		"WebFetch(domain:х.example)": `pattern "WebFetch(domain:х.example)": "х.example" is no host name; *.HOST stands for those below it`,
		"WebFetch(domain:a*b)":       `pattern "WebFetch(domain:a*b)": "a*b" is no host name; *.HOST stands for those below it`,
		"Foo(x)":                     `pattern "Foo(x)": "Foo" takes nothing in brackets; Bash, Read, Edit, Write, WebFetch and Agent do`,
		"two words":                  `pattern "two words": ' ' can't stand in a tool's name`,
		"Bash( )":                    `pattern "Bash( )": no command in " "`,
	} {
		_, err := ParsePattern(text)
		require.EqualError(t, err, want)
	}
}

func TestNamePatterns(t *testing.T) {
	for _, tc := range []struct {
		pattern, tool, server string
		allow                 bool
		restrict              Match
	}{
		{"Bash", "Bash", "", true, Matches},
		{"Bash", "bash", "", false, Matches},
		{"Bash", "Bash2", "", false, NoMatch},
		{"*", "anything", "", true, Matches},
		{"*", "t", "s", true, Matches},
		{"get_*", "get_issue", "", true, Matches},
		{"get_*", "mcp__x__get_issue", "", false, Matches},
		{"get_issue", "mcp__github__get_issue", "", false, Matches},
		{"get_issue", "get_issue", "github", false, Matches},
		{"mcp__github__get_issue", "mcp__github__get_issue", "", true, Matches},
		{"mcp__github__get_issue", "get_issue", "github", true, Matches},
		{"mcp__github__get_issue", "mcp__github__get_issue_comments", "", false, NoMatch},
		{"mcp__github__get_issue", "github.get-issue", "", false, Matches},
		{"mcp__github__get_issue", "mcp_github_get_issue", "", false, Matches},
		{"mcp__github__get_issue", "get_issue", "", false, NoMatch},
		{"mcp__github", "mcp__github__get_issue", "", true, Matches},
		{"mcp__github__*", "mcp__github__get_issue", "", true, Matches},
		{"mcp__github", "mcp__github_evil__get_issue", "", false, NoMatch},
		{"mcp__git", "mcp__github__get_issue", "", false, NoMatch},
		{"mcp__github", "get_issue", "GitHub", false, Matches},
		{"mcp__github", "mcp_github_get_issue", "", false, Matches},
		{"mcp__github__get_*", "mcp__github__get_issue", "", true, Matches},
		{"mcp__github__get_*", "mcp__github__delete_repo", "", false, NoMatch},
		// The raw name may belong to server a or to server a__b.
		{"mcp__a", "mcp__a__b__c", "", false, Matches},
		{"mcp__a__b", "mcp__a__b__c", "", false, MayMatch},
		{"mcp__a__b__c", "mcp__a__b__c", "a__b", false, Matches},
	} {
		t.Run(tc.pattern+" "+tc.server+" "+tc.tool, func(t *testing.T) {
			c := plan.Call{Tool: tc.tool, Server: tc.server}
			p := pattern(t, tc.pattern)
			require.Equal(t, tc.allow, p.MatchAllow(&c, &Resolved{}), "allow")
			require.Equal(t, tc.restrict, p.MatchRestrict(&c, &Resolved{}), "restrict")
		})
	}
}

func TestAliasRestrictsAndDoesNotAllow(t *testing.T) {
	c := Contract{Name: "run_shell_command", Aliases: []string{"Bash"}, Class: gate.IrreversibleInternal}
	call, r := plan.Call{Tool: "run_shell_command"}, Resolved{Contract: &c}
	require.Equal(t, Matches, pattern(t, "Bash").MatchRestrict(&call, &r))
	require.False(t, pattern(t, "Bash").MatchAllow(&call, &r))
}

func TestPathPatterns(t *testing.T) {
	for _, tc := range []struct {
		glob, path string
		covers     bool
		reaches    Match
	}{
		// Without a slash: at any depth.
		{".env", "/srv/app/.env", true, Matches},
		{".env", "/srv/app/a/b/.env", true, Matches},
		{".env", "/etc/.env", false, Matches},
		{".env", "/srv/app/.envrc", false, NoMatch},
		{".env", "/srv/app/x.env", false, NoMatch},
		{"*.pem", "/srv/app/certs/a.pem", true, Matches},
		// With a slash: below the root.
		{"**/.env", "/srv/app/a/.env", true, Matches},
		{"**/.env", "/other/.env", false, Matches},
		{"./.env", "/srv/app/.env", true, Matches},
		{"./.env", "/srv/app/a/.env", false, NoMatch},
		{"/src/*.go", "/srv/app/src/a.go", true, Matches},
		{"src/*.go", "/srv/app/src/b/a.go", false, NoMatch},
		{"src/**", "/srv/app/src/b/a.go", true, Matches},
		{"src/**", "/srv/app/src", true, Matches},
		{"src/**", "/srv/app/srcs/a.go", false, NoMatch},
		{"src/**/a.go", "/srv/app/src/a.go", true, Matches},
		// A folder holds all below it; a wildcard grants only itself.
		{"src", "/srv/app/src/b/a.go", true, Matches},
		{"src/", "/srv/app/x/src/a.go", true, Matches},
		{"src/*", "/srv/app/src/b/a.go", false, Matches},
		{"./**", "/srv/app", true, Matches},
		{"./**", "/srv/app/a", true, Matches},
		{"./**", "/srv/application/a", false, NoMatch},
		// Other starts.
		{"//etc/**", "/etc/passwd", true, Matches},
		{"//etc/**", "/srv/app/etc/passwd", false, NoMatch},
		{"~/.ssh/**", "/home/dev/.ssh/id", true, Matches},
		{"~/.ssh/**", "/home/other/.ssh/id", false, NoMatch},
		{"../lib/**", "/srv/lib/a", true, Matches},
		{"../lib/**", "/srv/app/lib/a", false, NoMatch},
		// Alternatives and classes.
		{"{src,lib/x}/**", "/srv/app/lib/x/a", true, Matches},
		{"{src,lib/x}/**", "/srv/app/lib/y/a", false, NoMatch},
		{"a[0-9].txt", "/srv/app/a1.txt", true, Matches},
		{"a[!0-9].txt", "/srv/app/a1.txt", false, NoMatch},
		{`\*.txt`, "/srv/app/a.txt", false, NoMatch},
		{`\*.txt`, "/srv/app/*.txt", true, Matches},
		{"SRC/**", "/srv/app/src/a", false, NoMatch},
	} {
		t.Run(tc.glob+" "+tc.path, func(t *testing.T) {
			g, err := CompilePath(tc.glob)
			require.NoError(t, err)
			u := PathUse{Path: tc.path, Access: Read, Known: true, Command: -1}
			require.Equal(t, tc.covers, g.Covers(&testEnv, &u), "covers")
			require.Equal(t, tc.reaches, g.Reaches(&testEnv, &u), "reaches")
		})
	}
}

func TestPathPatternsOnUnusualUses(t *testing.T) {
	fold := testEnv
	fold.CaseInsensitive = true
	for name, tc := range map[string]struct {
		env     plan.Env
		glob    string
		use     PathUse
		covers  bool
		reaches Match
	}{
		"unknown path":          {testEnv, "**/.env", PathUse{Path: Hole}, false, MayMatch},
		"tree may hold it":      {testEnv, "**/.env", PathUse{Path: "/srv/app/a", Tree: true, Known: true}, false, MayMatch},
		"tree above the root":   {testEnv, "./.env", PathUse{Path: "/srv", Tree: true, Known: true}, false, MayMatch},
		"tree of everything":    {testEnv, "~/.ssh/**", PathUse{Path: "/", Tree: true, Known: true}, false, MayMatch},
		"tree elsewhere":        {testEnv, "./.env", PathUse{Path: "/tmp", Tree: true, Known: true}, false, NoMatch},
		"tree inside":           {testEnv, "src/**", PathUse{Path: "/srv/app/src/a", Tree: true, Known: true}, true, Matches},
		"tree not whole":        {testEnv, "src/*", PathUse{Path: "/srv/app/src", Tree: true, Known: true}, false, MayMatch},
		"glob may hold it":      {testEnv, "**/.env", PathUse{Path: "/srv/app/.e*", Glob: true, Known: true, Command: 0}, false, MayMatch},
		"shell glob and dot":    {testEnv, "**/.env", PathUse{Path: "/srv/app/*", Glob: true, Known: true, Command: 0}, false, NoMatch},
		"tool glob and dot":     {testEnv, "**/.env", PathUse{Path: "/srv/app/*", Glob: true, Known: true, Command: -1}, false, MayMatch},
		"glob of other names":   {testEnv, "*.pem", PathUse{Path: "/srv/app/*.txt", Glob: true, Known: true, Command: -1}, false, NoMatch},
		"glob below":            {testEnv, "src/**", PathUse{Path: "/srv/app/src/**/*.go", Glob: true, Known: true, Command: -1}, true, MayMatch},
		"guess never allows":    {testEnv, "**", PathUse{Path: "/srv/app/a", Known: true, Guess: true}, false, Matches},
		"link is tested too":    {testEnv, "**/.env", PathUse{Path: "/srv/app/x", Links: []string{"/srv/app/.env"}, Known: true}, false, Matches},
		"link leaves the root":  {testEnv, "./**", PathUse{Path: "/srv/app/x", Links: []string{"/etc/passwd"}, Known: true}, false, Matches},
		"case folds":            {fold, "**/.env", PathUse{Path: "/srv/APP/.ENV", Known: true}, true, Matches},
		"no working directory":  {plan.Env{}, "src/**", PathUse{Path: "src/a", Known: true}, true, Matches},
		"absolute, root unsure": {plan.Env{}, "src/**", PathUse{Path: "/x/src/a", Known: true}, false, MayMatch},
		"home unsure":           {plan.Env{Cwd: "/w"}, "~/.ssh/**", PathUse{Path: "/home/x/.ssh/id", Known: true}, false, MayMatch},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := CompilePath(tc.glob)
			require.NoError(t, err)
			tc.use.Access = Read
			require.Equal(t, tc.covers, g.Covers(&tc.env, &tc.use), "covers")
			require.Equal(t, tc.reaches, g.Reaches(&tc.env, &tc.use), "reaches")
		})
	}
}

func TestReadAndEditJudgeTheAccess(t *testing.T) {
	r := Resolved{Env: &testEnv, Paths: []PathUse{
		{Path: "/srv/app/a", Access: Read, Known: true}, {Path: "/srv/app/b", Access: Read | Write, Known: true},
	}}
	c := plan.Call{Tool: "any"}
	require.Equal(t, Matches, pattern(t, "Read(b)").MatchRestrict(&c, &r))
	require.Equal(t, Matches, pattern(t, "Edit(b)").MatchRestrict(&c, &r))
	require.Equal(t, NoMatch, pattern(t, "Edit(a)").MatchRestrict(&c, &r))
	require.False(t, pattern(t, "Read(**)").MatchAllow(&c, &r), "b is written")
	require.True(t, pattern(t, "Read(**)").CoversPath(&r, 0))
	require.True(t, pattern(t, "Edit(**)").CoversPath(&r, 1))
	require.False(t, pattern(t, "Edit(**)").CoversPath(&r, 0))
}

func TestHostPatterns(t *testing.T) {
	for _, tc := range []struct {
		pattern  string
		url      string
		allow    bool
		restrict Match
	}{
		{"WebFetch(domain:x.example)", "https://x.example/a", true, Matches},
		{"WebFetch(domain:x.example)", "https://X.EXAMPLE.:8443/a", true, Matches},
		{"WebFetch(domain:x.example)", "https://ax.example/", false, NoMatch},
		{"WebFetch(domain:x.example)", "https://a.x.example/", false, NoMatch},
		{"WebFetch(domain:*.x.example)", "https://a.x.example/", true, Matches},
		{"WebFetch(domain:*.x.example)", "https://x.example/", false, NoMatch},
		{"WebFetch(domain:x.example)", "https://x.example@evil.example/", false, NoMatch},
		{"WebFetch(domain:evil.example)", "https://x.example@evil.example/", true, Matches},
		{"WebFetch(domain:x.example)", "https:/x.example/", false, Matches},
		{"WebFetch(domain:x.example)", `https:\\x.example\a`, false, Matches},
		{"WebFetch(domain:x.example)", "https://x\u3002example/", false, Matches},
		{"WebFetch(domain:x.example)", "https://\uff58.example/", false, Matches},
		{"WebFetch(domain:x.example)", "https://x.exa\u200bmple/", false, Matches},
		{"WebFetch(domain:x.example)", "https://x.example#@evil.example/", true, Matches},
		{"WebFetch(domain:x.example)", `https://x.example\@evil.example/`, false, Matches},
		{"WebFetch(domain:x.example)", "https://\u0445.example/", false, MayMatch},
		{"WebFetch(domain:x.example)", "x.example/a", true, Matches},
		{"WebFetch(domain:x.example)", "not an address", false, MayMatch},
	} {
		t.Run(tc.pattern+" "+tc.url, func(t *testing.T) {
			k := &call{resolver: &resolver{}, r: &Resolved{}}
			k.addHost(tc.url)
			require.Equal(t, tc.allow, pattern(t, tc.pattern).MatchAllow(&plan.Call{}, k.r), "allow")
			require.Equal(t, tc.restrict, pattern(t, tc.pattern).MatchRestrict(&plan.Call{}, k.r), "restrict")
		})
	}
}

func TestAgentPatterns(t *testing.T) {
	spawner := &Contract{Spawns: "prompt"}
	p := pattern(t, "Agent(code-reviewer)")
	require.True(t, p.MatchAllow(&plan.Call{}, &Resolved{Contract: spawner, Rare: &Rare{Agent: "code-reviewer"}}))
	require.False(t, p.MatchAllow(&plan.Call{}, &Resolved{Contract: spawner, Rare: &Rare{Agent: "Code_Reviewer"}}))
	require.Equal(t, Matches, p.MatchRestrict(&plan.Call{}, &Resolved{Contract: spawner, Rare: &Rare{Agent: "Code_Reviewer"}}))
	require.Equal(t, MayMatch, p.MatchRestrict(&plan.Call{}, &Resolved{Contract: spawner}))
	require.Equal(t, NoMatch, p.MatchRestrict(&plan.Call{}, &Resolved{Contract: spawner, Rare: &Rare{Agent: "reviewer"}}))
}

func TestBarePatterns(t *testing.T) {
	for text, want := range map[string]bool{
		"Bash": true, "*": true, "Bash(*)": true, "Read(**)": true, "Bash(git:*)": false, "Read(src/**)": false,
		"mcp__github": false, "WebFetch(domain:x.example)": false, "Agent(x)": false,
	} {
		require.Equal(t, want, pattern(t, text).Bare(), text)
	}
}

func TestEscapePath(t *testing.T) {
	name := "/srv/app/[id]/a*{b}.txt"
	g, err := CompilePath("/" + EscapePath(name))
	require.NoError(t, err)
	require.True(t, g.Covers(&testEnv, &PathUse{Path: name, Known: true}))
	require.False(t, g.Covers(&testEnv, &PathUse{Path: "/srv/app/i/ab{b}.txt", Known: true}))
}

// A pattern that covers a path for an allow must also see it for a deny.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"Read(**/.env)", "Edit(src/{a,b}/*)", "WebFetch(domain:*.x.example)", "mcp__a__*", "Bash(git:*)", "Read(~/x)", "Read([a-)", "Edit(../{a,{b,c}})"} {
		f.Add(s, "/srv/app/src/a/x", true)
	}
	f.Fuzz(func(t *testing.T, text, path string, tree bool) {
		p, err := ParsePattern(text)
		if err != nil {
			return
		}
		again, err := ParsePattern(p.String())
		require.NoError(t, err)
		require.Equal(t, p.kind, again.kind)
		u := newPlaces(&testEnv).use(path, "", PathUse{Access: Read | Write, Tree: tree, Command: -1})
		r := Resolved{Env: &testEnv, Paths: []PathUse{u}}
		c := plan.Call{Tool: "t"}
		if p.MatchAllow(&c, &r) {
			require.NotEqual(t, NoMatch, p.MatchRestrict(&c, &r))
		}
	})
}
