package shell

import "strings"

// socat joins two addresses. An address is TYPE:REST,OPTION...; what runs, is
// opened or contacted is said by the type.
func socat(r *runner) {
	for _, at := range r.u.operands {
		wd := r.u.words[at]
		for part := range strings.SplitSeq(wd.Text, "!!") { // read address, write address
			r.address(sliceWord(wd, part), at)
		}
	}
}

func (r *runner) address(wd Word, at int) {
	kind, rest, has := strings.Cut(wd.Text, ":")
	kind = strings.ToUpper(kind)
	target, _, _ := strings.Cut(rest, ",")
	inner := sliceWord(wd, target)
	switch {
	case strings.Contains(wd.Text, Hole):
		r.unknown(UnknownHost, wd)
		r.add(Effect{Kind: Send, Target: Hole, Detail: wd.Text, Class: ClassPublic, Pos: wd.Pos, End: wd.End})
	case strings.HasSuffix(kind, "-LISTEN"), strings.HasSuffix(kind, "-L"), strings.HasSuffix(kind, "-RECV"), strings.HasSuffix(kind, "-RECVFROM"):
		r.add(Effect{Kind: Listen, Target: target, Known: true, Class: ClassPermanent, Pos: wd.Pos, End: wd.End})
	case kind == "EXEC", kind == "SYSTEM", kind == "SHELL":
		r.execFile(inner, "option")
	case kind == "STDIN", kind == "STDOUT", kind == "STDIO", kind == "-", kind == "FD", kind == "PTY", kind == "ECHO":
	case kind == "FILE", kind == "OPEN", kind == "GOPEN", kind == "CREATE", kind == "CREAT", kind == "PIPE", !has && strings.Contains(wd.Text, "/"):
		if !has {
			inner = wd
		}
		r.file("read", inner, at)
		r.file("edit", inner, at)
	case strings.HasPrefix(kind, "UNIX"), strings.HasPrefix(kind, "ABSTRACT"), strings.HasPrefix(kind, "VSOCK"), kind == "INTERFACE", kind == "TUN":
		r.add(Effect{Kind: Call, Target: target, Detail: "socket", Known: true, Class: ClassPermanent, Pos: wd.Pos, End: wd.End})
	default:
		r.contact("send", inner, at)
		r.hosts[len(r.hosts)-1].From = Origin{} // both directions: all that it reads
		r.network()
		r.hosts = nil
	}
}
