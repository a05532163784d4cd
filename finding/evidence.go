package finding

// Evidence says in sentences what a rule on origins rests on: what raised its
// signals, where that value stands and how the user points at it. Values of the
// plan are not shown.
func (f *Finding) Evidence() []string {
	if f.Origin == nil || f.Rule == nil {
		return nil
	}
	var lines []string
	for _, r := range f.Origin.Reasons {
		if r.Signal&f.Rule.Origin != 0 {
			lines = append(lines, f.Origin.Describe(r)...)
		}
	}
	return lines
}
