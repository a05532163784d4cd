package shell

import (
	"path"
	"strings"
)

// maxClones bounds the folders of which it is known that they hold somebody
// else's repository; each further one is a limit, which asks.
const maxClones = 256

// cloned notes that a folder holds a repository that was just fetched. What is
// built there is ordinary work (make, npm test, go test), since that is what a
// repository is cloned for; a script of it that is run by its name is code from outside.
func (r *runner) cloned(dir Word, url string) {
	e := r.fileEffectOf("create", dir, -1)
	if e == nil {
		return // into a device that keeps nothing
	}
	e.Detail = "clone of " + show(url)
	if !e.Known || r.w.remote {
		return
	}
	e.Clone = e.Target
	r.w.addClone(e.Target, e.Target)
}

func (w *walker) addClone(at, clone string) {
	if w.clones[at] == clone {
		return
	}
	if len(w.clones) >= maxClones {
		w.limit("number of cloned repositories")
		return
	}
	own(&w.clones, w.env.Clones)
	w.clones[at] = clone
}

// cloneOf gives the folder into which the repository was cloned that p comes
// from, "" if it comes from none.
func (w *walker) cloneOf(p string) string {
	if len(w.clones) == 0 {
		return ""
	}
	p = w.real(p)
	for at := p; ; at = path.Dir(at) {
		if clone, ok := w.clones[at]; ok {
			return clone
		}
		if len(at) < 2 || !strings.Contains(at, "/") {
			return ""
		}
	}
}

// followClone follows what is copied, moved or linked out of a clone.
func (w *walker) followClone(e *Effect) {
	if clone := w.cloneOf(e.Source); clone != "" {
		w.addClone(e.Target, clone)
	}
}

// runsClone marks the effects of running a file of a clone.
func (w *walker) runsClone(st *Step) {
	if len(w.clones) == 0 || w.remote {
		return
	}
	for i := range st.Effects {
		e := &st.Effects[i]
		file := e.Target
		switch {
		case e.Kind != Exec:
			continue
		case e.Source == "stdin" && st.Stdin.Kind == FromFile:
			file = st.Stdin.Word.Text
		case e.Source != "file" || !e.Known:
			continue
		}
		if text, written := w.fileText(file); !written || text == Hole {
			e.Clone = w.cloneOf(file)
		}
	}
}

// repositoryDir is the folder that git clone makes for a URL.
func repositoryDir(url string) string {
	dir := strings.TrimSuffix(path.Base(strings.TrimRight(url, "/")), ".git")
	return dir[strings.LastIndexByte(dir, ':')+1:]
}

// ghClone is gh repo clone OWNER/NAME [DIR].
func ghClone(r *runner) {
	ops := r.u.operands
	if len(ops) == 0 {
		return
	}
	repo := r.u.words[ops[0]]
	url := repo.Text
	if !strings.Contains(url, ":") {
		url = "https://github.com/" + url
	}
	dir := sliceWord(repo, repositoryDir(repo.Text))
	if len(ops) > 1 && (r.u.rest < 0 || ops[1] < r.u.rest) {
		dir = r.u.words[ops[1]]
	}
	r.cloned(dir, url)
}

// checkout is svn checkout, hg clone and their like: URL [DIR].
func checkout(r *runner) {
	ops := r.u.operands
	if len(ops) == 0 || !strings.Contains(r.u.words[ops[0]].Text, ":") {
		return
	}
	url := r.u.words[ops[0]]
	dir := sliceWord(url, repositoryDir(url.Text))
	if len(ops) > 1 {
		dir = r.u.words[ops[len(ops)-1]]
	}
	r.cloned(dir, url.Text)
}
