package shell

import (
	"path"
	"strings"
)

// tftp is tftp HOST [PORT] -c put|get FILE [NAME]; without a command it reads
// its commands from its input.
func tftp(r *runner) {
	var words []int
	for _, at := range r.u.operands[min(1, len(r.u.operands)):] {
		if strings.Trim(r.u.words[at].Text, "0123456789") != "" {
			words = append(words, at)
		}
	}
	verb := ""
	if len(words) > 0 {
		verb = r.u.words[words[0]].Text
	}
	switch {
	case verb == "put" && len(words) > 1:
		r.sendTo(words[1])
	case verb == "get" && len(words) > 1:
		local := words[len(words)-1]
		r.fetched()
		if len(words) == 2 {
			r.file("create", sliceWord(r.u.words[local], path.Base(r.u.words[local].Text)), local)
			return
		}
		r.file("write", r.u.words[local], local)
	case r.hasOption("-p|--put") && r.option("-l", "--local-file") >= 0:
		r.sendTo(r.option("-l", "--local-file"))
	case r.hasOption("-g|--get") && r.option("-l", "--local-file") >= 0:
		at := r.option("-l", "--local-file")
		r.fetched()
		r.file("write", r.u.words[at], at)
	default:
		r.unknown(UnknownCode, Word{Text: "commands on standard input"})
	}
}

// option is the index of the word with the value of an option, -1 for none.
func (r *runner) option(names ...string) int {
	for _, h := range r.u.hits {
		for _, n := range names {
			if h.name == n && h.has {
				return h.at
			}
		}
	}
	return -1
}

// optionValue is the value of the option whose value stands in the word at.
func (r *runner) optionValue(at int) Word {
	for _, h := range r.u.hits {
		if h.at == at && h.has {
			return h.val
		}
	}
	return r.u.words[at]
}

// sendTo sends a file to the hosts that were named to be looked up.
func (r *runner) sendTo(at int) {
	wd := r.u.words[at]
	r.sendFile(wd, at)
	for i := range r.st.Effects {
		if e := &r.st.Effects[i]; e.Kind == Resolve {
			e.Kind, e.Sink, e.Detail, e.Class = Send, SinkExternal, wd.Text, publicUnlessLocal(e.Target)
			e.From = r.data
			e.From.Args = append(e.From.Args, at)
		}
	}
	r.data = Origin{}
}

// fetched takes what the hosts that were named send.
func (r *runner) fetched() {
	for i := range r.st.Effects {
		if e := &r.st.Effects[i]; e.Kind == Resolve {
			e.Kind, e.Labels = Fetch, []string{"untrusted"}
		}
	}
}
