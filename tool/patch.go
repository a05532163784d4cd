package tool

import (
	"errors"
	"fmt"
	"strings"
)

// PatchFile is one file that a patch changes.
type PatchFile struct {
	// Path as written in the patch.
	Path string
	// Access is Write or Delete; Append: the file's former content stays in part.
	Access Access
	Append bool
}

const (
	patchBegin = "*** Begin Patch"
	patchEnd   = "*** End Patch"
)

// ParsePatch lists the files that a patch in the format of apply_patch changes,
// in order; a moved file is deleted, and its new name written. Lines before the
// beginning are allowed only where they open a here-document. On an error the files found
// so far are returned with it: they count for restrictions, and there may be
// others.
func ParsePatch(text string) ([]PatchFile, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	start := 0
	for start < len(lines) && strings.TrimSpace(lines[start]) != patchBegin {
		start++
	}
	p := patchParser{}
	if start == len(lines) {
		p.header(lines)
		return p.files, errors.New("no line *** Begin Patch")
	}
	p.header(lines[start+1:])
	if p.err == nil && !p.ended {
		p.err = errors.New("no line *** End Patch")
	}
	if p.err == nil && len(p.files) == 0 {
		p.err = errors.New("it names no file")
	}
	return p.files, p.err
}

type patchParser struct {
	files []PatchFile
	ended bool
	err   error
}

// header reads the lines that name files. Those of hunks start with a sign, a
// space or an @. A line with a space that looks like one that names a file is
// taken for that, since some readers do.
func (p *patchParser) header(lines []string) {
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(line); {
		case p.ended && !modeWord(trimmed):
			// After the patch only the end of a here-document may stand.
			p.fail(i, line)
		case trimmed == patchEnd:
			p.ended = true
		case trimmed == "*** End of File":
		case !p.file(i, trimmed) && strings.HasPrefix(line, "*"):
			p.fail(i, line)
		}
	}
}

// file reads a line that names a file; false for any other.
func (p *patchParser) file(i int, line string) bool {
	for _, d := range [...]struct {
		prefix string
		file   PatchFile
	}{
		{"*** Add File:", PatchFile{Access: Write}},
		{"*** Update File:", PatchFile{Access: Write, Append: true}},
		{"*** Delete File:", PatchFile{Access: Delete}},
		{"*** Move to:", PatchFile{Access: Write}},
	} {
		name, ok := strings.CutPrefix(line, d.prefix)
		if !ok {
			continue
		}
		if d.file.Path = strings.TrimSpace(name); d.file.Path == "" {
			return false
		}
		if d.prefix == "*** Move to:" {
			p.move(i, line)
		}
		p.files = append(p.files, d.file)
		return true
	}
	return false
}

// move makes the file before a "Move to" one that goes.
func (p *patchParser) move(i int, line string) {
	if n := len(p.files); n > 0 && p.files[n-1].Append {
		p.files[n-1] = PatchFile{Path: p.files[n-1].Path, Access: Delete}
		return
	}
	p.fail(i, line)
}

func (p *patchParser) fail(i int, line string) {
	if p.err == nil {
		p.err = fmt.Errorf("line %d: %.40q is not understood", i+1, line)
	}
}
