package policy

// Limits of one policy file. A file over a limit is refused whole: nothing of
// it is used, so no rule is lost unseen.
const (
	// MaxFile is the greatest size of a file in bytes.
	MaxFile = 1 << 20
	// maxNodes bounds what a file may expand to by aliases.
	maxNodes = 200_000
	// maxDepth bounds nesting, aliases included.
	maxDepth = 32
	// maxExtends bounds a chain of extends, and maxLayers how many files one
	// policy may be made of.
	maxExtends = 8
	maxLayers  = 64
	// maxProblems is how many problems are listed one by one.
	maxProblems = 200
	// maxCounted is how many problems of one file are looked for. The rest of a
	// file with more is not read, and says so.
	maxCounted = 1000
	// maxShown is how many bytes of a line are shown with a problem.
	maxShown = 160
)
