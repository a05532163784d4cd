package tool

// sourceIndex sorts the policy's sources by what they speak of.
type sourceIndex struct {
	// reads are the sources over paths, others the rest; indexes into
	// Config.Sources, ascending.
	reads, others []int32
	// paths finds the sources over paths, by the same indexes, that one path may
	// match.
	paths *PathIndex
}

func newSourceIndex(sources []SourceRule) *sourceIndex {
	x := &sourceIndex{}
	globs := make([]*PathGlob, len(sources))
	for i := range sources {
		if p := sources[i].Pattern; p.kind == readPattern {
			globs[i] = p.path
			x.reads = append(x.reads, int32(i))
		} else {
			x.others = append(x.others, int32(i))
		}
	}
	x.paths = NewPathIndex(globs)
	return x
}
