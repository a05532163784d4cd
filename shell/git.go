package shell

import (
	"path"
	"strings"
)

// runsPrograms reports whether a git setting names a program, loads other
// settings or changes where data goes.
func runsPrograms(key string) bool {
	rec, ok := lookup("$gitconfig")
	if !ok {
		return true
	}
	key = strings.ToLower(key)
	for glob := range strings.FieldsSeq(rec.args) {
		if matchGlob(glob, key) {
			return true
		}
	}
	return false
}

// pagerOnly reports whether a value names only a program that shows text.
func pagerOnly(val string) bool {
	if val == "" {
		return true
	}
	word, _, _ := strings.Cut(val, " ")
	rec, ok := lookup(word)
	return ok && rec.has("pager") && !strings.ContainsAny(val, ";|&`$(")
}

// gitGlobal is git -c key=value before a subcommand; it runs for every git command.
func (r *runner) gitGlobal(wd Word) {
	key, val, _ := strings.Cut(wd.Text, "=")
	r.rw = true
	if runsPrograms(key) && !pagerOnly(val) {
		r.add(Effect{Kind: Exec, Source: "text", Detail: "git setting " + key, Target: val, Known: wd.Known, Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
		if text, ok := strings.CutPrefix(val, "!"); ok {
			r.w.inner(text, "git alias")
		}
	}
}

// gitConfig is git config: one operand reads, two write.
func gitConfig(r *runner) {
	ops := r.u.operands
	if len(ops) > 0 {
		switch r.u.words[ops[0]].Text {
		case "get", "list":
			return
		case "set", "unset", "rename-section", "remove-section", "edit":
			ops = ops[1:]
			if len(ops) == 0 {
				r.rw = true
				return
			}
			ops = append(ops, ops[0])
		}
	}
	if r.hasOption("-e|--edit") {
		r.add(Effect{Kind: GitConfig, Target: "*", Class: ClassAuthority, Pos: r.c.pos, End: r.c.end})
		return
	}
	writes := len(ops) >= 2 && !r.hasOption("--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|--get-color|--get-colorbool") ||
		r.hasOption("--unset|--unset-all|--add|--replace-all|--rename-section|--remove-section")
	if !writes || len(ops) == 0 {
		return
	}
	key := r.u.words[ops[0]]
	e := Effect{Kind: GitConfig, Target: key.Text, Known: key.Known, Class: ClassCompensate, Pos: key.Pos, End: key.End}
	if len(ops) > 1 {
		e.Detail = r.u.words[ops[1]].Text
	}
	if !key.Known || runsPrograms(key.Text) && !pagerOnly(e.Detail) {
		e.Class, e.Sink = ClassAuthority, SinkAuthority
	}
	r.add(e)
	file := path.Join(r.w.abs("."), ".git/config")
	if r.base != "" {
		file = path.Join(r.base, ".git/config")
	}
	if r.hasOption("--global") {
		file = r.w.tilde("") + "/.gitconfig"
	} else if r.hasOption("--system") {
		file = "/etc/gitconfig"
	}
	r.add(Effect{Kind: Edit, Target: file, Known: true, Detail: "setting", Class: ClassReversible, Pos: key.Pos, End: key.End})
}

// gitPush names the remote, its URL and the branch that a push goes to.
func gitPush(r *runner) {
	remote, branch := Word{Text: "origin", Known: true, Pos: r.c.pos, End: r.c.end}, r.w.env.Head
	ops := r.u.operands
	if len(ops) > 0 {
		remote = r.u.words[ops[0]]
		ops = ops[1:]
	}
	if r.w.head != "" {
		branch = r.w.head
	}
	if len(ops) == 0 {
		r.push(remote, branch)
		return
	}
	for _, at := range ops {
		b := strings.TrimPrefix(r.u.words[at].Text, "+")
		if i := strings.LastIndexByte(b, ':'); i >= 0 {
			b = b[i+1:]
		}
		if b == "HEAD" || b == "@" {
			b = branch
		}
		r.push(remote, strings.TrimPrefix(b, "refs/heads/"))
	}
}

func (r *runner) push(remote Word, branch string) {
	url := remote.Text
	r.special("transport", "", remote, -1)
	if !strings.ContainsAny(url, ":/") {
		url = r.w.env.Remotes[remote.Text]
		if u, ok := r.w.remotes[remote.Text]; ok {
			url = u
		}
	}
	e := Effect{Kind: Push, Target: remote.Text, Source: url, Detail: branch, Known: remote.Known, Class: ClassPublic, Pos: remote.Pos, End: remote.End}
	if !remote.Known {
		r.unknown(UnknownHost, remote)
	}
	r.add(e)
}

// gitRemote tracks remotes that the line adds or points elsewhere.
func gitRemote(r *runner) {
	if len(r.u.operands) < 2 {
		return
	}
	name, url := r.u.words[r.u.operands[0]], r.u.words[r.u.operands[1]]
	r.add(Effect{Kind: Remote, Target: name.Text, Detail: url.Text, Known: name.Known && url.Known, Class: ClassCompensate, Pos: url.Pos, End: url.End})
	put(&r.w.remotes, name.Text, url.Text)
}

// gitCheckout tells a change of branch from throwing away work in files.
func gitCheckout(r *runner) {
	ops := r.u.operands
	if r.u.sub == "restore" {
		gitRestore(r)
		return
	}
	if r.hasOption("-b|-B|--orphan") || r.hasOption("-c|-C|--create|--force-create") || r.p.name == "git" && r.u.sub == "switch" {
		r.add(Effect{Kind: Checkout, Target: r.branchName(), Known: true, Pos: r.c.pos, End: r.c.end})
		if b := r.branchName(); b != "" {
			r.w.head = b
		}
		return
	}
	files := ops
	if r.u.rest < 0 { // no "--"
		if len(ops) == 1 && !r.checksOutFile(r.u.words[ops[0]]) {
			r.add(Effect{Kind: Checkout, Target: r.u.words[ops[0]].Text, Known: r.u.words[ops[0]].Known, Pos: r.c.pos, End: r.c.end})
			r.w.head = r.u.words[ops[0]].Text
			return
		}
		if len(ops) > 1 && !r.checksOutFile(r.u.words[ops[0]]) {
			files = ops[1:]
		}
	} else {
		files = nil
		for _, at := range ops {
			if at >= r.u.rest {
				files = append(files, at)
			}
		}
	}
	for _, at := range files {
		if e := r.fileEffectOf("editr", r.u.words[at], at); e != nil {
			e.Class = ClassPermanent
		}
	}
}

// gitRestore throws away work in files; with --staged alone only in the index.
func gitRestore(r *runner) {
	if (r.hasOption("-S|--staged")) && !r.hasOption("-W|--worktree") {
		r.rw = true
		return
	}
	for _, at := range r.u.operands {
		if e := r.fileEffectOf("editr", r.u.words[at], at); e != nil {
			e.Class = ClassPermanent
		}
	}
}

func (r *runner) branchName() string {
	for _, h := range r.u.hits {
		switch h.name {
		case "-b", "-B", "--orphan", "-c", "-C", "--create", "--force-create":
			return h.val.Text
		}
	}
	if len(r.u.operands) > 0 {
		return r.u.words[r.u.operands[0]].Text
	}
	return ""
}

func pathLike(s string) bool {
	return s == "." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, ".") || strings.HasPrefix(s, ":/") || strings.HasPrefix(s, "*") || strings.HasPrefix(s, "/")
}

// checksOutFile reports whether an operand of git checkout is a file and no branch:
// it is written as one, ends like one (main.go, but not v1.2.3), or the plan wrote it.
func (r *runner) checksOutFile(wd Word) bool {
	if pathLike(wd.Text) || strings.HasSuffix(wd.Text, "/") {
		return true
	}
	ext := strings.TrimPrefix(path.Ext(wd.Text), ".")
	if ext != "" && ext != "x" && len(ext) <= 6 && 'a' <= ext[0] && ext[0] <= 'z' {
		return true
	}
	_, written := r.w.fileText(r.w.path(wd, r.base))
	return written
}

// gitPaths finds files that git diff, show, log, grep, blame read: REV:path, what follows "--", and what looks like a path.
func gitPaths(r *runner) {
	for _, at := range r.u.operands {
		wd := r.u.words[at]
		_, p, colon := strings.Cut(wd.Text, ":")
		switch {
		case r.u.rest >= 0 && at >= r.u.rest:
			r.file("readr", wd, at)
		case colon && p != "" && !strings.Contains(wd.Text, "://"):
			r.file("read", sliceWord(wd, p), at)
		case !strings.Contains(wd.Text, "..") && strings.ContainsAny(wd.Text, "./") && !strings.ContainsAny(wd.Text, "^~@"):
			if e := r.fileEffectOf("read", wd, at); e != nil {
				e.Maybe = true
			}
		}
	}
}

// gitClone contacts a host and makes a directory.
func gitClone(r *runner) {
	ops := r.u.operands
	if len(ops) == 0 {
		return
	}
	url := r.u.words[ops[0]]
	dir := sliceWord(url, repositoryDir(url.Text))
	if len(ops) > 1 {
		dir = r.u.words[ops[1]]
	}
	if strings.Contains(url.Text, "ext::") {
		r.special("transport", "", url, ops[0])
		return
	}
	if strings.Contains(url.Text, ":") {
		r.hosts = nil
		r.contact("url", url, ops[0])
		r.network()
		r.cloned(dir, url.Text)
		return
	}
	r.file("create", dir, -1) // of this machine: what it holds was here before
}
