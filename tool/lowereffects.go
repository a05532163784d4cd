package tool

import (
	"strings"

	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// effects adds the files and hosts of a step to what rules see of the call.
func (l *lowering) effects(i int, st *shell.Step, out *taint.Step) {
	for e := range st.Effects {
		eff := &st.Effects[e]
		l.host(eff)
		if access, appends := pathAccess(eff); access != 0 {
			u := flowUse(eff.Target, eff.Real, eff.Known, eff.Glob, eff.Recursive)
			u.Access, u.Append, u.Command = access, appends, l.first+i
			u.Names = eff.Kind == shell.Read && eff.Detail == "names"
			u.Redirect = access&(Write|Delete) != 0 && redirected(st, eff)
			l.uses = append(l.uses, u)
		}
		l.environment(i, eff)
		if eff.Source != "" && readsSource(eff.Kind) && !l.readsAlready(eff.Source, l.first+i) {
			u := flowUse(eff.Source, "", !strings.Contains(eff.Source, shell.Hole), false, eff.Recursive)
			u.Access, u.Command = Read, l.first+i
			l.uses = append(l.uses, u)
		}
	}
	l.applyPatch(i, st, out)
	l.clones(st, out)
}

// pathAccess says what an effect does to the file that it names, 0 where it
// names none.
func pathAccess(e *shell.Effect) (access Access, appends bool) {
	switch e.Kind {
	case shell.Read, shell.Load:
		if strings.HasPrefix(e.Detail, "variable ") {
			return 0, false
		}
		return Read, false
	case shell.Exec:
		if e.Source == "file" && e.Target != "" {
			return Read | Execute, false
		}
	case shell.Write, shell.Move, shell.Copy, shell.Archive:
		return Write, false
	case shell.Append, shell.Edit, shell.Create, shell.Chmod, shell.Link, shell.Unpack:
		return Write, true
	case shell.Delete:
		return Delete, false
	}
	return 0, false
}

// environment lets rules on .env speak of what was loaded from there: a command
// that prints the environment may print it. It grants nothing.
func (l *lowering) environment(i int, e *shell.Effect) {
	dump := e.Kind == shell.EnvRead && e.Target == "" ||
		e.Kind == shell.Read && strings.HasPrefix(e.Target, "/proc/") && strings.HasSuffix(e.Target, "/environ")
	if !dump {
		return
	}
	u := l.places.use(".env", "", PathUse{Access: Read, Command: l.first + i, Guess: true})
	l.uses = append(l.uses, u)
}

func readsSource(k shell.Kind) bool {
	switch k {
	case shell.Copy, shell.Move, shell.Link, shell.Archive, shell.Unpack:
		return true
	}
	return false
}

// readsAlready reports whether a command is known to read a path already.
func (l *lowering) readsAlready(path string, command int) bool {
	for i := len(l.uses) - 1; i >= 0 && l.uses[i].Command == command; i-- {
		if l.uses[i].Path == path && l.uses[i].Access&Read != 0 {
			return true
		}
	}
	return false
}

// redirected reports whether a written path stands outside the command's words.
func redirected(st *shell.Step, e *shell.Effect) bool {
	if e.Pos <= st.Pos {
		return false
	}
	for _, a := range st.Args {
		if a.Pos <= e.Pos && e.Pos < a.End {
			return false
		}
	}
	for _, o := range st.Outer {
		for _, a := range o.Args {
			if a.Pos <= e.Pos && e.Pos < a.End {
				return false
			}
		}
	}
	return true
}

// host adds a host that a step contacts.
func (l *lowering) host(e *shell.Effect) {
	switch e.Kind {
	case shell.Send, shell.Fetch, shell.Resolve:
	case shell.Push, shell.Pull:
		l.remoteHost(e)
		return
	default:
		return
	}
	host, plain := CleanHost(cutPort(e.Target))
	if !e.Known || !plain || host == "" {
		l.r.HostsOpen = true
	}
	if host = strings.ReplaceAll(host, shell.Hole, ""); host != "" && e.Known {
		l.call.host(host)
	}
}

// remoteHost adds the host of a git remote. A remote that the plan only knows by
// name adds none: it was configured before, and asking at each push would tell
// nobody more.
func (l *lowering) remoteHost(e *shell.Effect) {
	url := e.Target
	if !strings.ContainsAny(url, ":/") {
		url = l.machine.remotes[e.Target]
	}
	if host := gitHost(url); host != "" && e.Known {
		l.call.host(host)
		return
	}
	l.r.HostsOpen = l.r.HostsOpen || !e.Known || url != "" && url != e.Target || strings.ContainsAny(url, ":/")
}

// gitCell is the cell of what is staged and committed in the plan's repository.
func (l *lowering) gitCell(sources []taint.Source) *taint.Cell {
	return &taint.Cell{Name: "git:" + l.plan.Env.Cwd, Sources: sources}
}

// git connects what is staged with what is committed and pushed. Staging a
// folder takes the labels of files that calls wrote there; those that the policy
// gives by name count only for files that are named, since what git ignores, as
// a .env mostly is, is not known.
func (l *lowering) git(st *shell.Step, out *taint.Step) {
	for e := range st.Effects {
		eff := &st.Effects[e]
		switch eff.Kind {
		case shell.Stage:
			u := flowUse(eff.Target, eff.Real, eff.Known, eff.Glob, true)
			u.Access = Read
			named := l.sourcesOf(&u, func(match Match, _ *SourceRule) bool { return match == Matches })
			cell := FileCell(&l.plan.Env, &u)
			cell.Sources = named
			out.Reads = append(out.Reads, fromCell(&cell))
			out.Writes = append(out.Writes, taint.Write{Cell: l.gitCell(nil), Mode: taint.Append})
		case shell.Commit:
			if commitsAll(st) {
				out.Reads = append(out.Reads, fromCell(&taint.Cell{Name: "file:" + l.plan.Env.Cwd, Tree: true}))
			}
			out.Writes = append(out.Writes, taint.Write{Cell: l.gitCell(nil), Mode: taint.Append})
		case shell.Push:
			out.Reads = append(out.Reads, fromCell(l.gitCell(l.repositorySources())))
		}
	}
}

// repositorySources are the labels that the policy gives the whole project: a
// push passes them on whatever the plan committed.
func (l *lowering) repositorySources() []taint.Source {
	if l.plan.Env.Cwd == "" {
		return nil
	}
	u := PathUse{Path: l.plan.Env.Cwd, Access: Read, Tree: true, Known: true, Command: -1}
	return l.sourcesOf(&u, func(_ Match, s *SourceRule) bool { return s.Pattern.path.Covers(&l.plan.Env, &u) })
}

// commitsAll reports whether a commit stages what is changed.
func commitsAll(st *shell.Step) bool {
	for _, a := range st.Args {
		short := strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--")
		if a.Text == "--all" || short && strings.Contains(a.Text, "a") {
			return true
		}
	}
	return false
}

func (l *lowering) gitOperands(reads []taint.Operand) (out []taint.Operand) {
	git := l.gitCell(nil)
	for _, o := range reads {
		if o.Cell.Is(git) {
			out = append(out, o)
		}
	}
	return out
}

// applyPatch reads the patch that a line gives to apply_patch, as an argument or
// on its input.
func (l *lowering) applyPatch(i int, st *shell.Step, out *taint.Step) {
	if st.Name != "apply_patch" && st.Name != "applypatch" {
		return
	}
	text := ""
	if len(st.Args) > 0 {
		text = st.Args[len(st.Args)-1].Text
	} else if st.Stdin.Kind == shell.FromText {
		text = st.Stdin.Word.Text
	}
	files, err := ParsePatch(text)
	if err != nil {
		files = append(files, PatchFile{Path: Hole, Access: Write | Delete, Append: true})
	}
	for _, f := range files {
		l.addUse(f.Path, "", PathUse{Access: f.Access, Append: f.Append, Command: l.first + i, Redirect: true}, nil)
		if f.Access&Write != 0 {
			cell := FileCell(&l.plan.Env, &l.uses[len(l.uses)-1])
			out.Writes = append(out.Writes, taint.Write{Cell: &cell, Mode: taint.Append})
		}
	}
}
