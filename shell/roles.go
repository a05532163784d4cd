package shell

import (
	"path"
	"strings"
)

// role applies what an operand or an option's value is to the program.
func (r *runner) role(role string, wd Word, at int) {
	name, detail, _ := strings.Cut(role, ":")
	switch name {
	case "text", "num":
	case "read", "readr", "write", "append", "edit", "create", "writer", "delete", "deleter", "chmod", "chmodr", "load", "list", "editr", "unpack", "creater":
		r.file(name, wd, at)
	case "packed":
		r.packed(wd, at)
	case "write+": // only if the value is a path
		if strings.ContainsAny(wd.Text, "/.") {
			r.file("write", wd, at)
		}
	case "gitset":
		r.gitGlobal(wd)
	case "cwd":
		r.base = r.w.path(wd, r.base)
	case "setenv":
		r.setenv(wd)
	case "url", "host", "resolve":
		if detail != "" {
			name = detail
		}
		r.contact(name, wd, at)
	case "data":
		r.sendData(wd, at, true)
	case "rawdata":
		r.sendData(wd, at, false)
	case "form":
		r.sendForm(wd, at)
	case "upload":
		r.sendFile(wd, at)
	case "method":
		r.verb = strings.ToUpper(wd.Text)
	case "exec":
		r.execFile(wd, "option")
	case "script":
		if r.top().handler == "sql" {
			r.sqlFile(wd, at)
			return
		}
		r.scriptFile(wd, at)
	case "code":
		r.code(wd, detail)
	case "sh":
		r.shell([]Word{wd}, at)
	case "hook": // a command that runs beside what the program does itself
		r.shell([]Word{wd}, at)
		r.done = false
	case "module":
		r.modName = wd.Text
	case "task":
		r.task(wd, detail)
	case "remotefile":
		r.remoteFile(wd, at, detail)
	case "mount":
		r.mount(wd)
	default:
		if !r.special(name, detail, wd, at) {
			r.object(Kind(name), detail, wd)
		}
	}
}

// object is an effect whose target is the word as it stands: a package, a remote, a service.
func (r *runner) object(kind Kind, detail string, wd Word) {
	e := Effect{Kind: kind, Target: wd.Text, Detail: detail, Known: wd.Known, Pos: wd.Pos, End: wd.End}
	switch kind {
	case Secret, EnvRead:
		e.Labels = []string{"secret"}
	case Stage:
		e.Target = r.w.path(wd, r.base)
		e.Recursive, e.Glob = true, wd.Glob
	case Install:
		if outsideRegistry(wd.Text) {
			e.Class, e.Sink = ClassPermanent, SinkExec
		}
	}
	r.add(e)
}

// outsideRegistry reports whether a package is named by a URL, a repository or an archive.
func outsideRegistry(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "git+") || strings.HasPrefix(s, "github:") || strings.HasPrefix(s, "git@") ||
		strings.Contains(s, "@git+") || !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "/") && strings.Count(s, "/") == 1 && !strings.Contains(s, ".")
}

// file is a path that is read, written, changed or removed.
func (r *runner) file(role string, wd Word, at int) {
	if stdStream(wd, role) {
		return
	}
	p := r.w.path(wd, r.base)
	e := Effect{Target: p, Real: r.w.realIfOther(p), Known: !strings.Contains(p, Hole), Glob: wd.Glob, Pos: wd.Pos, End: wd.End}
	switch role {
	case "read", "readr":
		e.Kind, e.Recursive = Read, role == "readr"
		e.Labels = secretPath(p)
	case "list":
		e.Kind = Read
		e.Detail = "names"
		r.lists = append(r.lists, p)
	case "write":
		e.Kind = Write
	case "writer":
		e.Kind, e.Recursive = Write, true
	case "append":
		e.Kind = Append
	case "edit":
		e.Kind = Edit
	case "editr":
		e.Kind, e.Recursive = Edit, true
	case "create":
		e.Kind = Create
	case "creater": // something below
		e.Kind, e.Recursive, e.Maybe = Create, true, true
	case "delete", "deleter":
		e.Kind, e.Recursive = Delete, role == "deleter"
	case "chmod", "chmodr":
		e.Kind, e.Recursive = Chmod, role == "chmodr"
	case "load":
		e.Kind, e.Sink = Load, SinkExec
	case "unpack":
		e.Kind, e.Recursive = Unpack, true
	}
	if wd.Fifo || strings.HasPrefix(p, "/dev/fd/") {
		e.Detail = "pipe"
	}
	if !e.Known {
		kind := UnknownWrite
		if e.Kind == Read || e.Kind == Load {
			kind = UnknownRead
		}
		r.unknown(kind, wd)
	}
	r.add(e)
}

// fileEffectOf is file, and gives the effect that it made: nil for a standard stream.
func (r *runner) fileEffectOf(role string, wd Word, at int) *Effect {
	n := len(r.st.Effects)
	if r.file(role, wd, at); len(r.st.Effects) == n {
		return nil
	}
	return &r.st.Effects[len(r.st.Effects)-1]
}

// packed is a file that takes another name when it is packed or unpacked. What is
// kept keeps its own name too.
func (r *runner) packed(wd Word, at int) {
	if stdStream(wd, "read") || wd.Glob || !wd.Known {
		r.file("edit", wd, at)
		return
	}
	p := r.w.path(wd, r.base)
	to := p + packedSuffix(r.p.name)
	if ext := path.Ext(p); (strings.HasPrefix(r.p.name, "un") || r.p.name == "gunzip" || r.p.name == "bunzip2" || r.hasOption("-d|--decompress|--uncompress")) && ext != "" {
		to = strings.TrimSuffix(p, ext)
	}
	e := Effect{Kind: Move, Source: p, Target: to, Known: !strings.Contains(p, Hole), Pos: wd.Pos, End: wd.End}
	if r.hasOption("-k|--keep") || strings.HasPrefix(r.p.name, "zstd") && !r.hasOption("--rm") {
		e.Kind = Copy
	}
	r.add(e)
}

func packedSuffix(program string) string {
	switch program {
	case "bzip2", "pbzip2":
		return ".bz2"
	case "xz", "pixz":
		return ".xz"
	case "zstd":
		return ".zst"
	case "lzma":
		return ".lzma"
	case "lz4":
		return ".lz4"
	case "lzip":
		return ".lz"
	case "brotli":
		return ".br"
	case "compress":
		return ".Z"
	}
	return ".gz"
}

// stdStream reports whether a path stands for a standard stream or a device that keeps nothing.
func stdStream(wd Word, role string) bool {
	switch wd.Text {
	case "-":
		return true
	case "/dev/null":
		return true
	case "/dev/stdin", "/dev/fd/0":
		return role == "read"
	}
	return role != "read" && harmlessDevice(wd.Text)
}

// secretPath labels the one path family that is the environment itself; all
// other labels of paths are the policy's.
func secretPath(p string) []string {
	if strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
		return []string{"secret"}
	}
	return nil
}

// writeClass is permanent for devices and the system's own trees.
//
// So is writing what somebody packed or patched all over the root, a tree of the
// system or the home: what is overwritten there is named nowhere.
func (w *walker) writeClass(e Effect) string {
	if e.Recursive && (e.Kind == Unpack || e.Kind == Edit) && (w.aboveAll(e.Target) || e.Real != "" && w.aboveAll(e.Real)) {
		return ClassPermanent
	}
	for _, p := range [...]string{e.Target, e.Real} {
		if strings.HasPrefix(p, "/dev/") && !strings.HasPrefix(p, "/dev/fd/") && !strings.HasPrefix(p, "/dev/shm/") {
			return ClassPermanent
		}
		for _, sys := range [...]string{"/etc/", "/usr/", "/bin/", "/sbin/", "/lib/", "/boot/", "/sys/", "/proc/"} {
			if strings.HasPrefix(p, sys) && !w.inRoot(p) {
				return ClassPermanent
			}
		}
	}
	return ClassReversible
}

// aboveAll reports whether a folder outside of the workspace is the root, one of
// the system's own, or a home.
func (w *walker) aboveAll(p string) bool {
	if w.inRoot(p) {
		return false
	}
	switch p {
	case "/", "~", w.env.Home, "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/var", "/root", "/home", "/Users", "/System", "/Library":
		return p != ""
	}
	return false
}

// deleteClass is compensating for what a build makes again, for the temporary
// directory and for what the line itself made.
func (w *walker) deleteClass(e Effect) string {
	p := e.Target
	if !e.Known || e.Real != "" {
		return ClassPermanent
	}
	if _, made := w.created[p]; made {
		return ClassReversible
	}
	if strings.HasPrefix(p, "/tmp/") && p != "/tmp/*" || strings.HasPrefix(p, "/var/tmp/") {
		return ClassCompensate
	}
	if w.regenerable(p) {
		return ClassCompensate
	}
	return ClassPermanent
}

// regenerable reports whether a path is, or is below, a directory that a build fills, or has an ending that it makes.
func (w *walker) regenerable(p string) bool {
	if !w.inRoot(p) || p == w.env.root() {
		return false
	}
	rec, ok := lookup("$regenerable")
	if !ok {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(p, w.env.root()), "/")
	for part := range strings.SplitSeq(rel, "/") {
		for glob := range strings.FieldsSeq(rec.args) {
			if part != "**" && matchGlob(glob, part) {
				return true
			}
		}
	}
	return false
}

// publicUnlessLocal is the class of sending data to a host.
func publicUnlessLocal(host string) string {
	if loopback(host) {
		return ClassReversible
	}
	return ClassPublic
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	h := strings.ToLower(strings.Trim(host, "[]"))
	if h == "localhost" || strings.HasSuffix(h, ".localhost") || h == "0.0.0.0" {
		return true
	}
	return h == "::1" || strings.HasPrefix(h, "127.") && strings.Trim(h, "0123456789.") == ""
}

// execFile is a program or script that an option names.
func (r *runner) execFile(wd Word, source string) {
	word, _, _ := strings.Cut(strings.TrimSpace(wd.Text), " ")
	if rec, ok := lookup(path.Base(word)); ok && !strings.Contains(word, "/") && rec.has("pager") {
		return
	}
	e := Effect{Kind: Exec, Target: wd.Text, Source: source, Known: wd.Known, Sink: SinkExec, Class: ClassPermanent, Pos: wd.Pos, End: wd.End}
	r.unknown(UnknownCode, wd)
	r.add(e)
}
