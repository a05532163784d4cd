package shell

// ReadOnly reports whether every step only reads, by its options, and nothing
// is written but to /dev/null and to other descriptors. A line that makes no
// step (a comment, an empty line) is not read-only: nothing is known of why it is there.
func (s Script) ReadOnly() bool {
	if s.Broken || len(s.Steps) == 0 {
		return false
	}
	for _, st := range s.Steps {
		if !st.ReadOnly() {
			return false
		}
	}
	for _, u := range s.Unknowns {
		if u.Kind != UnknownRead {
			return false
		}
	}
	return true
}

// ReadOnly reports whether the step only reads, by its options.
func (s Step) ReadOnly() bool {
	return s.RO && !s.Guess
}

// Class is the strictest risk class of the steps, "" if a step has none.
func (s Script) Class() string {
	class := ""
	for _, st := range s.Steps {
		if st.Class == "" && !st.Guess {
			return ""
		}
		class = strictest(class, st.Class)
	}
	return class
}

// Closed lists the unknowns that close the call.
func (s Script) Closed() []Unknown {
	var out []Unknown
	for _, u := range s.Unknowns {
		if u.Closing() {
			out = append(out, u)
		}
	}
	return out
}

// Bare reports whether the step has no command of its own, only redirects.
func (s Step) Bare() bool { return s.Program == "" && len(s.Args) == 0 && !s.Guess }
