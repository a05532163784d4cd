package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

func TestPathsBecomeAbsolute(t *testing.T) {
	env := testEnv
	env.Links = map[string]string{"docs": "/mnt/docs", "/srv/app/loop": "loop", "/srv/app/up": "docs/sub", "~/cfg": "/srv/app/docs"}
	for name, tc := range map[string]struct {
		env              plan.Env
		text, base, want string
		known            bool
		links            []string
	}{
		"relative":          {env, "a/./b/../c", "", "/srv/app/a/c", true, nil},
		"absolute":          {env, "/etc//passwd", "", "/etc/passwd", true, nil},
		"home":              {env, "~/x", "", "/home/dev/x", true, nil},
		"home variable":     {env, "${HOME}/x", "", "/home/dev/x", true, nil},
		"own home by name":  {env, "~dev/x", "", "/home/dev/x", true, nil},
		"other home":        {env, "~bob/x", "", "~bob/x", false, nil},
		"unknown home":      {plan.Env{}, "~/x", "", "~/x", false, nil},
		"base":              {env, "b", "sub", "/srv/app/sub/b", true, nil},
		"base and absolute": {env, "/b", "sub", "/b", true, nil},
		"leaves the base":   {env, "../../x", "sub", "/srv/x", true, nil},
		"file address":      {env, "file:///etc/hosts", "", "/etc/hosts", true, nil},
		"drive":             {env, `C:\a\..\b`, "", "C:/b", true, nil},
		"no directory":      {plan.Env{}, "a/../b", "", "b", true, nil},
		"hole":              {env, "/tmp/" + Hole, "", "/tmp/" + Hole, false, nil},
		"empty":             {env, "", "", "", false, nil},
		"link":              {env, "docs/a", "", "/srv/app/docs/a", true, []string{"/mnt/docs/a"}},
		"dots after a link": {env, "docs/../a", "", "/srv/app/a", true, []string{"/mnt/a"}},
		"link of a link":    {env, "up/a", "", "/srv/app/up/a", true, []string{"/mnt/docs/sub/a"}},
		"loop":              {env, "loop/a", "", "/srv/app/loop/a", false, []string{"/srv/app/loop"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := newPlaces(&tc.env).use(tc.text, tc.base, PathUse{})
			require.Equal(t, PathUse{Path: tc.want, Known: tc.known, Links: tc.links}, got)
		})
	}
}

func TestFileCells(t *testing.T) {
	fold := testEnv
	fold.CaseInsensitive = true
	for name, tc := range map[string]struct {
		env  plan.Env
		use  PathUse
		want taint.Cell
	}{
		"plain":   {testEnv, PathUse{Path: "/a/B", Known: true}, taint.Cell{Name: "file:/a/B"}},
		"tree":    {testEnv, PathUse{Path: "/a", Known: true, Tree: true}, taint.Cell{Name: "file:/a", Tree: true}},
		"link":    {testEnv, PathUse{Path: "/a", Links: []string{"/b"}, Known: true}, taint.Cell{Name: "file:/b"}},
		"case":    {fold, PathUse{Path: "/a/B", Known: true}, taint.Cell{Name: "file:/a/b"}},
		"glob":    {testEnv, PathUse{Path: "/a/b*/c", Glob: true, Known: true}, taint.Cell{Name: "file:/a", Tree: true}},
		"here":    {plan.Env{}, PathUse{Path: ".", Tree: true, Known: true}, taint.Cell{Name: "file:/", Tree: true}},
		"unknown": {testEnv, PathUse{Path: "/a/" + Hole}, taint.Cell{Name: "file:/", Tree: true}},
	} {
		require.Equal(t, tc.want, FileCell(&tc.env, &tc.use), name)
	}
}

// fileTool is a contract with one path argument.
func fileTool(t *testing.T, a Arg) Config {
	a.Path, a.Role = pathOf(t, "path"), Path
	return Config{Contracts: []Contract{{Name: "f", Class: gate.Compensating, Args: []Arg{a, arg(t, "text", Content), arg(t, "dir", RoleNone)}}}}
}

func TestFileAccess(t *testing.T) {
	cell := &taint.Cell{Name: "file:/srv/app/a"}
	write := func(mode taint.WriteMode) []taint.Write {
		return []taint.Write{{Cell: cell, Mode: mode}, {ToOutput: true}}
	}
	for name, tc := range map[string]struct {
		arg    Arg
		call   plan.Call
		reads  int
		writes []taint.Write
	}{
		"read":              {Arg{Access: Read}, plan.Call{}, 1, []taint.Write{{ToOutput: true}}},
		"write":             {Arg{Access: Write}, plan.Call{}, 0, write(taint.Overwrite)},
		"append":            {Arg{Access: Write, Append: true}, plan.Call{}, 0, write(taint.Append)},
		"delete":            {Arg{Access: Delete}, plan.Call{}, 0, write(taint.Delete)},
		"move":              {Arg{Access: Read | Delete}, plan.Call{}, 1, write(taint.Delete)},
		"write, guarded":    {Arg{Access: Write}, plan.Call{Rare: &plan.Rare{When: "x"}}, 0, write(taint.Append)},
		"write, failed":     {Arg{Access: Write}, plan.Call{Outcome: plan.Failed}, 0, write(taint.Append)},
		"delete, in an arm": {Arg{Access: Delete}, plan.Call{Rare: &plan.Rare{Branch: &plan.Branch{}}}, 0, []taint.Write{{ToOutput: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.call.Tool, tc.call.Args = "f", obj("path", "a")
			got := registry(t, fileTool(t, tc.arg)).Resolve(planOf(testEnv, tc.call))[0]
			step := got.Facts.Steps[0]
			require.Len(t, step.Reads, 1+tc.reads)
			require.Equal(t, tc.writes, step.Writes)
			require.Equal(t, "/srv/app/a", got.Paths[0].Path)
		})
	}
}

func TestDeletingALinkLeavesItsTarget(t *testing.T) {
	env := testEnv
	env.Links = map[string]string{"a": "b"}
	got := registry(t, fileTool(t, Arg{Access: Delete})).Resolve(planOf(env, plan.Call{Tool: "f", Args: obj("path", "a")}))[0]
	require.Equal(t, "file:/srv/app/a", got.Facts.Steps[0].Writes[0].Cell.Name)
}

func TestUnknownPaths(t *testing.T) {
	for access, closing := range map[Access]bool{Read: false, Write: true, Delete: true} {
		r := registry(t, fileTool(t, Arg{Access: access}))
		got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "f", Args: obj("path", ref(0, ""))}))[1]
		require.Len(t, got.Notes(), 1)
		require.Equal(t, closing, got.Notes()[0].Closing)
		require.False(t, got.Paths[0].Known)
		cells := got.Facts.Steps[0].Reads[1:]
		if access == Read {
			require.Equal(t, &taint.Cell{Name: AnyFile, Tree: true}, cells[0].Cell)
		}
		if access == Write {
			require.Equal(t, taint.Write{Cell: &taint.Cell{Name: AnyFile, Tree: true}, Mode: taint.Append}, got.Facts.Steps[0].Writes[0])
		}
	}
}

func TestRecordedPathIsKnown(t *testing.T) {
	r := registry(t, fileTool(t, Arg{Access: Write}))
	source := plan.Call{Tool: "x", Output: obj("name", "b"), OutputState: plan.OutputRecorded}
	got := r.Resolve(planOf(testEnv, source, plan.Call{Tool: "f", Args: obj("path", ref(0, "name"))}))[1]
	require.Equal(t, "/srv/app/b", got.Paths[0].Path)
	require.Empty(t, got.Notes())
}

func TestTreeDefaultsToItsBase(t *testing.T) {
	r := registry(t, fileTool(t, Arg{Access: Read, Tree: true, Base: "dir"}))
	for _, tc := range []struct {
		args plan.Value
		want []string
	}{
		{obj("text", "x"), []string{"/srv/app"}},
		{obj("dir", "/other"), []string{"/other"}},
		{obj("dir", "/other", "path", "a"), []string{"/other/a"}},
		{obj("path", list(str("a"), str("b"))), []string{"/srv/app/a", "/srv/app/b"}},
	} {
		var got []string
		for _, u := range r.Resolve(planOf(testEnv, plan.Call{Tool: "f", Args: tc.args}))[0].Paths {
			require.True(t, u.Tree)
			got = append(got, u.Path)
		}
		require.Equal(t, tc.want, got)
	}
}

func TestPatchArgument(t *testing.T) {
	c := Contract{Name: "apply_patch", Class: gate.ReversibleInternal, Args: []Arg{arg(t, "input", Patch)}}
	r := registry(t, Config{Contracts: []Contract{c}})
	text := "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** End Patch"
	for _, args := range []plan.Value{obj("input", text), str(text)} {
		got := r.Resolve(planOf(testEnv, plan.Call{Tool: "apply_patch", Args: args}))[0]
		require.Equal(t, []taint.Write{
			{Cell: &taint.Cell{Name: "file:/srv/app/a"}, Mode: taint.Append},
			{Cell: &taint.Cell{Name: "file:/srv/app/b"}, Mode: taint.Delete}, {ToOutput: true},
		}, got.Facts.Steps[0].Writes)
		require.Empty(t, got.Notes())
	}
	bad := r.Resolve(planOf(testEnv, plan.Call{Tool: "apply_patch", Args: obj("input", "*** Delete File: b")}))[0]
	require.Len(t, bad.Paths, 2)
	require.False(t, bad.Paths[1].Known)
	require.Equal(t, NotePatch, bad.Notes()[0].ID)
	require.True(t, bad.Notes()[0].Closing)
}

func TestDeclaredCells(t *testing.T) {
	c := Contract{Name: "remember", Class: gate.ReversibleInternal, Args: []Arg{arg(t, "key", RoleNone), arg(t, "value", Content)},
		Cells: []CellEffect{{Name: "memory:{args.key}", Access: Read | Write}, {Name: "queue:jobs", Access: Write, Append: true}}}
	r := registry(t, Config{Contracts: []Contract{c}})
	step := r.Resolve(planOf(testEnv, plan.Call{Tool: "remember", Args: obj("key", "k")}))[0].Facts.Steps[0]
	require.Equal(t, &taint.Cell{Name: "memory:k"}, step.Reads[1].Cell)
	require.Equal(t, []taint.Write{{Cell: &taint.Cell{Name: "memory:k"}}, {Cell: &taint.Cell{Name: "queue:jobs"}, Mode: taint.Append}, {ToOutput: true}}, step.Writes)

	// An unknown key may be any, and replaces none.
	for _, args := range []plan.Value{obj("value", "x"), obj("key", ref(0, ""))} {
		step = r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "remember", Args: args}))[1].Facts.Steps[0]
		require.Equal(t, &taint.Cell{Name: "memory:", Tree: true}, step.Reads[len(step.Reads)-1].Cell)
		require.Equal(t, taint.Write{Cell: &taint.Cell{Name: "memory:", Tree: true}, Mode: taint.Append}, step.Writes[0])
	}
}

func TestCellsThatThePlanDeclares(t *testing.T) {
	got := registry(t, Config{}).Resolve(planOf(testEnv, plan.Call{Kind: plan.Model, Rare: &plan.Rare{Reads: []string{"notes.txt", "table:orders"}, Writes: []string{"file:out"}}}))[0]
	step := got.Facts.Steps[0]
	require.Equal(t, "file:/srv/app/notes.txt", step.Reads[0].Cell.Name)
	require.Equal(t, "table:orders", step.Reads[1].Cell.Name)
	require.Equal(t, taint.Write{Cell: &taint.Cell{Name: "file:/srv/app/out"}, Mode: taint.Append}, step.Writes[0])
}

// Calls share lists of operands; adding to one must not be seen by another.
func TestSharedListsAreNotWrittenTo(t *testing.T) {
	r := registry(t, fileTool(t, Arg{Access: Read}))
	p := planOf(testEnv, plan.Call{Tool: "f", Args: obj("path", "a")}, plan.Call{Tool: "f", Args: obj("path", "b")}, plan.Call{Tool: "x", Args: obj("k", "v")})
	got := r.Resolve(p)
	require.Equal(t, "file:/srv/app/a", got[0].Facts.Steps[0].Reads[1].Cell.Name)
	require.Equal(t, "file:/srv/app/b", got[1].Facts.Steps[0].Reads[1].Cell.Name)
	require.Len(t, got[2].Facts.Steps[0].Reads, 1)
}
