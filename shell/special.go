package shell

import "strings"

// special applies the roles that only a few programs need. It reports false for a role it does not have.
func (r *runner) special(name, detail string, wd Word, at int) bool {
	switch name {
	case "exec-project", "exec-build": // a plugin or build of the project: code like its own
		r.projectCode(wd, at)
	case "data-header":
		if file, ok := strings.CutPrefix(wd.Text, "@"); ok {
			r.sendFile(sliceWord(wd, file), at)
			return true
		}
		r.along = append(r.along, at)
	case "header-text":
		r.along = append(r.along, at)
	case "cookie":
		r.along = append(r.along, at)
		if !strings.Contains(wd.Text, "=") {
			r.file("read", wd, at)
		}
	case "ssh-option":
		r.sshOption(wd)
	case "kube-dry":
		r.st.Dry = wd.Text != "none"
	case "aws-file":
		if kind, p, ok := strings.Cut(wd.Text, "://"); ok && strings.HasPrefix(kind, "file") {
			r.file("read", sliceWord(wd, p), at)
		}
	case "reqfile": // a list of packages; from elsewhere it is code from outside
		if r.media(wd, at); strings.Contains(wd.Text, "://") {
			r.st.Class = strictest(r.st.Class, ClassPermanent)
		}
	case "podfile": // NAME:PATH in a container, or a local path
		if name, _, remote := strings.Cut(wd.Text, ":"); !remote || strings.ContainsAny(name, "/.") {
			r.file(detail, wd, at)
		}
	case "s3path":
		r.objectPath(wd, at, detail)
	case "upload-gist":
		if strings.HasPrefix(r.u.sub, "gist") || strings.HasPrefix(r.u.sub, "release") && len(r.u.operands) > 0 && at != r.u.operands[0] {
			r.sendFile(wd, at)
		}
	case "transport": // ext::COMMAND, a remote that is a program
		if _, text, ok := strings.Cut(wd.Text, "ext::"); ok {
			r.code(wd, "transport")
			r.w.inner(text, "git transport")
		}
	case "editor":
		r.editorWord(wd, at, detail)
	case "each": // one text for a shell, or a script of package.json
		r.eachText(wd, at)
	case "writeout":
		r.writeOut(wd, at)
	case "sql":
		r.statement(wd, at)
	case "sqlargs":
		r.sqlOperand(wd, at)
	case "httpword":
		r.httpWord(wd, at)
	case "openurl":
		if strings.Contains(wd.Text, "://") {
			r.contact("url", wd, at)
		} else {
			r.file("read", wd, at)
		}
	case "password":
		r.password(wd, detail)
	case "lessfile": // a file, or +COMMAND of the pager
		r.lessFile(wd, at)
	case "envformat": // a template that picks what is shown, perhaps the environment
		if text := strings.ToLower(wd.Text); strings.Contains(text, "env") || strings.Contains(text, "{{json .}}") || text == "json" || !wd.Known || strings.Contains(text, "json .config}") {
			r.standing("env-read:container")
		}
	case "media": // a file, or a URL that is loaded
		r.media(wd, at)
	case "mediaout":
		if strings.Contains(wd.Text, "://") {
			r.contact("send", wd, at)
		} else {
			r.file("write", wd, at)
		}
	case "shc":
		r.shell([]Word{wd}, at)
	case "image-run", "tail":
	default:
		return false
	}
	return true
}

// bareTerm is a term of an option that has no value.
func (r *runner) bareTerm(term string) {
	switch {
	case term == "exec-config":
		r.add(Effect{Kind: Exec, Source: "config", Detail: r.p.name, Known: true, Pos: r.c.pos, End: r.c.end})
	case term == "api-method":
		if r.verb == "GET" || r.verb == "HEAD" {
			r.standing("query:github")
			r.standing("label:untrusted")
			return
		}
		r.standing("call:api")
		r.st.Class = strictest(r.st.Class, ClassPublic)
	case term == "crontab-list":
		r.standing("query:crontab")
	case term == "kube-dry":
		r.st.Dry = true
	case term == "tailcmd":
		if r.u.rest >= 0 && r.u.rest < len(r.u.words) {
			r.inner, r.eachFound = r.u.rest, true
		}
	case term == "tailrun":
		if r.u.rest >= 0 && r.u.rest < len(r.u.words) {
			r.inner = r.u.rest
		}
	case term == "offer":
		r.offer()
	case term == "names":
		r.namesOnly = true
	case strings.HasPrefix(term, "task:"):
		sub := r.u.sub
		r.task(Word{Text: sub, Known: true, Pos: r.c.pos, End: r.c.end}, strings.TrimPrefix(term, "task:"))
	case strings.HasPrefix(term, "default:"):
		r.defaultRole(strings.TrimPrefix(term, "default:"))
	}
}

func (r *runner) setenv(wd Word) {
	name, val, _ := strings.Cut(wd.Text, "=")
	r.w.assigns = append(r.w.assigns[:len(r.w.assigns):len(r.w.assigns)], Assign{Name: name, Value: sliceWord(wd, val)})
}

func (r *runner) projectCode(wd Word, _ int) {
	p := r.w.path(wd, r.base)
	e := Effect{Kind: Exec, Target: wd.Text, Source: "project", Detail: r.p.name, Known: wd.Known, Class: ClassReversible, Pos: wd.Pos, End: wd.End}
	if strings.ContainsAny(wd.Text, "/") {
		e.Target = p
		if _, written := r.w.fileText(p); written || !r.w.inRoot(p) && !strings.HasPrefix(wd.Text, "@") {
			r.unknown(UnknownScript, wd)
		}
	}
	r.add(e)
}

func (r *runner) sshOption(wd Word) {
	name, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(wd.Text, " ", "=")), "=")
	switch name {
	case "proxycommand", "localcommand", "permitlocalcommand", "knownhostscommand", "proxyusefdpass", "include":
		r.add(Effect{Kind: Exec, Source: "text", Detail: "shell", Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
	}
}

// objectPath is an operand of aws s3 cp: s3://bucket/key or a local path.
func (r *runner) objectPath(wd Word, at int, use string) {
	if strings.HasPrefix(wd.Text, "s3://") || strings.HasPrefix(wd.Text, "gs://") {
		host := "s3:" + hostOf(wd.Text)
		e := Effect{Target: host, Detail: wd.Text, Known: wd.Known, Pos: wd.Pos, End: wd.End}
		if use == "read" {
			e.Kind, e.From = Query, Origin{None: true}
		} else {
			e.Kind, e.Class = Send, ClassPermanent
			e.From = r.data
			r.data = Origin{}
		}
		r.add(e)
		return
	}
	if use == "read" {
		r.sendFile(wd, at)
		if n := len(r.st.Effects); n > 0 && (r.hasOption("-r|-R|--recursive") || strings.HasSuffix(r.u.sub, "sync")) {
			r.st.Effects[n-1].Recursive = true
		}
		return
	}
	r.data = Origin{}
	if wd.Text != "-" {
		r.file("writer", wd, at)
	}
}

// lessFile is a file, or a command that less gives itself: one that pipes, logs
// or runs a shell runs more than a pager.
func (r *runner) lessFile(wd Word, at int) {
	if !strings.HasPrefix(wd.Text, "+") {
		r.file("read", wd, at)
		return
	}
	if !wd.Known || strings.ContainsAny(wd.Text, "!|#") || strings.Contains(strings.TrimLeft(wd.Text, "+"), "s") && !strings.ContainsAny(wd.Text, "/?") {
		r.code(wd, "less")
	}
}

// httpWord is httpie's METHOD URL name=value name:=json name@file Header:value.
func (r *runner) httpWord(wd Word, at int) {
	t := wd.Text
	switch {
	case r.verb == "" && len(r.hosts) == 0 && t == strings.ToUpper(t) && strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && t != "":
		r.verb = t
	case len(r.hosts) == 0:
		r.contact("url", wd, at)
	case strings.Contains(t, "=@"), strings.Contains(t, "@") && !strings.Contains(t, "="):
		_, p, _ := strings.Cut(t, "@")
		r.sendFile(sliceWord(wd, p), at)
	case strings.Contains(t, "==") || !strings.Contains(t, "="):
		r.along = append(r.along, at)
	default:
		r.data.Args = append(r.data.Args, at)
	}
}

// media is a file or URL that a converter reads, and sends on if its output is a URL.
func (r *runner) media(wd Word, at int) {
	if strings.Contains(wd.Text, "://") {
		r.contact("url", wd, at)
		return
	}
	r.file("read", wd, at)
}

// verbs judges providers' command lines, whose subcommands are too many to
// list: a reading verb anywhere makes a query, a word that names a token makes a secret,
// unless a word that acts stands beside it.
func verbs(r *runner) {
	read, secret, grant, acts := false, false, false, false
	for _, at := range r.u.operands {
		t := r.u.words[at].Text
		read = read || listed("$readverbs", t)
		secret = secret || listed("$secretverbs", r.p.name+" "+t) || listed("$secretverbs", t)
		grant = grant || listed("$grantverbs", t)
		acts = acts || listed("$actverbs", t)
	}
	switch {
	case len(r.u.operands) == 0:
		r.rw = r.rw || len(r.u.hits) > 0
	case secret && !acts:
		r.standing("secret:" + r.p.name)
	case read && !acts:
		r.standing("query:" + r.p.name)
	case grant:
		r.add(Effect{Kind: Grant, Target: r.p.name, Known: true, Pos: r.c.pos, End: r.c.end})
	default:
		r.standing("call:cloud")
	}
}

// listed reports whether a word matches one of the patterns of a list in the table.
func listed(list, word string) bool {
	rec, ok := lookup(list)
	if !ok {
		return false
	}
	return globList(rec.args, strings.ReplaceAll(word, " ", "/"))
}

// globList reports whether a word matches one of the patterns.
func globList(list, word string) bool {
	for glob := range strings.FieldsSeq(list) {
		if matchGlob(glob, word) {
			return true
		}
	}
	return false
}
