package rules

import "fmt"

var modeNames = [...]string{"default", "read-only", "accept-edits", "unattended", "auto", "observe"}

// String returns the mode's name.
func (m Mode) String() string { return modeNames[min(int(m), len(modeNames)-1)] }

// Modes lists the names of all modes.
func Modes() []string { return append([]string(nil), modeNames[:]...) }

// ParseMode returns the mode of that exact name.
func ParseMode(name string) (Mode, error) {
	i, err := find("mode", modeNames[:], name)
	return Mode(i), err
}

var unmatchedNames = [...]string{"ask", "deny", "class", "allow"}

// String returns the answer's name.
func (u Unmatched) String() string { return unmatchedNames[min(int(u), len(unmatchedNames)-1)] }

// Unmatcheds lists the names of all answers to an unmatched call.
func Unmatcheds() []string { return append([]string(nil), unmatchedNames[:]...) }

// ParseUnmatched returns the answer of that exact name.
func ParseUnmatched(name string) (Unmatched, error) {
	i, err := find("answer to unmatched calls", unmatchedNames[:], name)
	return Unmatched(i), err
}

var resolutionNames = [...]string{"most-specific", "deny-overrides"}

// String returns the resolution's name.
func (r Resolution) String() string { return resolutionNames[min(int(r), len(resolutionNames)-1)] }

// Resolutions lists the names of all resolutions.
func Resolutions() []string { return append([]string(nil), resolutionNames[:]...) }

// ParseResolution returns the resolution of that exact name.
func ParseResolution(name string) (Resolution, error) {
	i, err := find("resolution", resolutionNames[:], name)
	return Resolution(i), err
}

func find(what string, names []string, name string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q", what, name)
}
