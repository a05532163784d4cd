package tool

import (
	"strings"

	"github.com/planlint/planlint/gate"
)

// emptied raises the class of a call that writes nothing over a whole file
// outside of the workspace, as package shell does for a command that empties one:
// nothing brings back what stood there. A file that an earlier call wrote, and a
// temporary one, is no loss.
func (k *call) emptied() {
	if text, ok := k.onlyContent(); !ok || text != "" {
		return
	}
	for i := range k.r.Paths {
		u := &k.r.Paths[i]
		if u.Access&Write == 0 || u.Append || u.Glob || k.keptPlace(u.Path) {
			continue
		}
		if k.machine != nil {
			if _, wrote := k.machine.files[u.Path]; wrote {
				continue
			}
		}
		k.r.Class, k.r.ReadOnly = max(k.r.Class, gate.IrreversibleInternal), false
	}
}

// keptPlace reports whether a file lies in the workspace, or where files are temporary.
func (k *call) keptPlace(name string) bool {
	cwd := strings.TrimSuffix(k.plan.Env.Cwd, "/")
	if cwd == "" && !isAbs(name) {
		return true
	}
	for _, dir := range [...]string{cwd, "/tmp", "/var/tmp", "/private/tmp", "/dev"} {
		if dir != "" && strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}
