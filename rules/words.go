package rules

var modeNames = [...]string{"default", "read-only", "accept-edits", "unattended", "auto", "observe"}

// String returns the mode's name.
func (m Mode) String() string { return modeNames[min(int(m), len(modeNames)-1)] }

// Modes lists the names of all modes.
func Modes() []string { return append([]string(nil), modeNames[:]...) }

var unmatchedNames = [...]string{"ask", "deny", "class", "allow"}

// String returns the answer's name.
func (u Unmatched) String() string { return unmatchedNames[min(int(u), len(unmatchedNames)-1)] }

// Unmatcheds lists the names of all answers to an unmatched call.
func Unmatcheds() []string { return append([]string(nil), unmatchedNames[:]...) }

var resolutionNames = [...]string{"most-specific", "deny-overrides"}

// String returns the resolution's name.
func (r Resolution) String() string { return resolutionNames[min(int(r), len(resolutionNames)-1)] }

// Resolutions lists the names of all resolutions.
func Resolutions() []string { return append([]string(nil), resolutionNames[:]...) }
