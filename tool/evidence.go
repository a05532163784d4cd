package tool

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
)

// A call that reads a whole folder may read a labelled file in it: a search of
// the project may print the .env. If every search, test run and build were taken
// for a source, all that follows in a session would be. So of a folder only what
// is passed on whole counts (a copy, an archive, an upload, cat of all that find
// finds); what only looks through it counts where its output names a file that
// the source's pattern could mean. A search that prints lines without the names
// of their files goes unseen here; formats of keys in its output do not.
//
// A glob names fewer files than a folder holds, so it counts unless the call only
// reads, prints the names of the files that it quotes, and its recorded output,
// known whole, names none of that pattern.

// maxEvidence is the size in bytes up to which an output is searched for names;
// a larger one keeps its labels.
const maxEvidence = 1 << 20

// spared reports whether the call's output shows that a folder's labelled file
// was not among what was read.
func (k *call) spared(g *PathGlob, u *PathUse) bool {
	if !u.Known || !u.Tree && !u.Glob || k.c.OutputState != plan.OutputRecorded || !k.namesFiles {
		return false
	}
	size, named := 0, false
	k.c.Output.Walk(func(_ plan.Path, v *plan.Value) bool {
		if size += len(v.Text); size > maxEvidence || len(v.Refs()) > 0 || v.Kind == plan.UnknownValue {
			named = true
		}
		named = named || g.named(&k.plan.Env, v.Text) || slices.ContainsFunc(v.Keys, func(key string) bool { return g.named(&k.plan.Env, key) })
		return !named
	})
	return !named
}

// printed reports whether what is known of the call's output names a file that
// the pattern could mean.
func (k *call) printed(g *PathGlob) bool {
	if k.c.OutputState == plan.OutputAbsent {
		return false
	}
	size, named := 0, false
	k.c.Output.Walk(func(_ plan.Path, v *plan.Value) bool {
		size += len(v.Text)
		named = named || size > maxEvidence || g.named(&k.plan.Env, v.Text)
		return !named
	})
	return named
}

// passesOn reports whether a step passes on the whole content of what it reads:
// it copies, packs or sends it, prints it whole, or feeds a line that sends.
func passesOn(s *shell.Script, i int) bool {
	st := &s.Steps[i]
	for e := range st.Effects {
		switch st.Effects[e].Kind {
		case shell.Copy, shell.Archive, shell.Move, shell.Send, shell.Publish, shell.Link:
			return true
		}
	}
	switch st.Name {
	case "cat", "tac", "head", "tail", "less", "more", "bat", "batcat", "nl", "strings", "xxd", "od", "hexdump", "base64", "dd", "openssl",
		"zip", "7z", "7za", "7zz", "rar", "ar", "cpio", "pax", "gzip", "bzip2", "xz", "zstd", "restic", "borg", "duplicity":
		return true
	}
	if len(st.Stdout) == 0 {
		return false
	}
	for j := range s.Steps {
		for e := range s.Steps[j].Effects {
			if k := s.Steps[j].Effects[e].Kind; k == shell.Send || k == shell.Publish || k == shell.Resolve {
				return true
			}
		}
	}
	return false
}

// copiesOnly reports whether a step only moves files about, so that what it
// prints holds nothing of them.
func copiesOnly(st *shell.Step) bool {
	copies := false
	for e := range st.Effects {
		eff := &st.Effects[e]
		switch eff.Kind {
		case shell.Copy, shell.Move, shell.Link, shell.Archive, shell.Unpack:
			copies = copies || eff.Target != "" && eff.Detail != "pipe"
			if eff.Target == "" || eff.Detail == "pipe" {
				return false
			}
		case shell.Read, shell.Delete, shell.Create, shell.Chmod:
		default:
			return false
		}
	}
	return copies
}

// named reports whether a text may name a file that the pattern matches: it
// holds the literal part of the pattern's last name, on its own.
func (g *PathGlob) named(env *plan.Env, text string) bool {
	if env.CaseInsensitive {
		text = strings.ToLower(text)
	}
	for _, alt := range g.of(env) {
		core, before, after := core(alt)
		if core == "" || mentions(text, core, before, after) {
			return true
		}
	}
	return false
}

// core returns the longest literal piece of the last part that has one, and
// whether a wildcard stands before and after it.
func core(segs []string) (text string, before, after bool) {
	for i := len(segs) - 1; i >= 0 && text == ""; i-- {
		seg := segs[i]
		for at := 0; at < len(seg); {
			end := at
			for end < len(seg) && strings.IndexByte(`*?[]\`, seg[end]) < 0 {
				end++
			}
			if end-at > len(text) {
				text, before, after = seg[at:end], at > 0, end < len(seg)
			}
			at = end + 1
		}
	}
	return text, before, after
}

// mentions reports whether a name stands in a text. Without a wildcard on its
// side, the name has to begin or end there.
func mentions(text, name string, before, after bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		if (before || start == 0 || !inName(text[start-1])) && (after || end == len(text) || !inName(text[end])) {
			return true
		}
		at = start + 1
	}
}

// inName reports whether a byte beside a name makes it a part of a longer one.
// A dash, a colon and a slash may follow a file's name in what tools print.
func inName(c byte) bool {
	return c == '_' || c == '.' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// printsNames reports whether all that a script does is reading, by programs that
// name the files that they quote.
func printsNames(s *shell.Script) bool {
	if !s.ReadOnly() {
		return false
	}
	for i := range s.Steps {
		st := &s.Steps[i]
		if !readsTree(st) {
			continue
		}
		switch st.Name {
		case "grep", "egrep", "fgrep", "rg", "ag", "ack":
		default:
			return false
		}
		if len(st.Stdout) > 0 || slices.ContainsFunc(st.Args, hidesNames) {
			return false
		}
	}
	return true
}

func readsTree(st *shell.Step) bool {
	return slices.ContainsFunc(st.Effects, func(e shell.Effect) bool {
		return e.Kind == shell.Read && (e.Recursive || e.Glob) && e.Detail != "names"
	})
}

// hidesNames reports whether an option may keep file names out of the output.
func hidesNames(w shell.Word) bool {
	if !w.Known {
		return true
	}
	if strings.HasPrefix(w.Text, "--") {
		return strings.HasPrefix(w.Text, "--no-f")
	}
	return strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "h")
}
