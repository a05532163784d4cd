package plan

// Rare is what few calls have.
type Rare struct {
	// After are the indexes of calls that must have run before, sorted.
	After []int
	// Each is the list that the call is mapped over; As its item's name.
	Each *Ref
	As   string
	// When is the guard as written; Branch the arm it stands in.
	When   string
	Branch *Branch
	// Reads and Writes are cells that the plan itself declares.
	Reads, Writes []string
	// Tools are the possible calls of a Model step.
	Tools []string
	// Approval is the author's own gate; it counts only as audit.
	Approval string
	// OnError says what a failure does: "", "stop", "continue", "goto".
	OnError string
	// OutputLabels are labels that an earlier review found on the output. A
	// reader that keeps outputs masked says so what can't be found there again.
	OutputLabels []string
}

// Extend gives the call a Rare of its own, with what it had, and returns it for
// writing: a copy of the call made before does not change with it. Keep what it
// returns to write more than one field.
func (c *Call) Extend() *Rare {
	own := Rare{}
	if c.Rare != nil {
		own = *c.Rare
	}
	c.Rare = &own
	return c.Rare
}

// After returns Rare.After, nil if the call has none.
func (c *Call) After() []int {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.After
}

// Each returns Rare.Each, nil if the call has none.
func (c *Call) Each() *Ref {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.Each
}

// As returns Rare.As, "" if the call has none.
func (c *Call) As() string {
	if c.Rare == nil {
		return ""
	}
	return c.Rare.As
}

// When returns Rare.When, "" if the call has none.
func (c *Call) When() string {
	if c.Rare == nil {
		return ""
	}
	return c.Rare.When
}

// Branch returns Rare.Branch, nil if the call has none.
func (c *Call) Branch() *Branch {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.Branch
}

// Reads returns Rare.Reads, nil if the call has none.
func (c *Call) Reads() []string {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.Reads
}

// Writes returns Rare.Writes, nil if the call has none.
func (c *Call) Writes() []string {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.Writes
}

// Tools returns Rare.Tools, nil if the call has none.
func (c *Call) Tools() []string {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.Tools
}

// Approval returns Rare.Approval, "" if the call has none.
func (c *Call) Approval() string {
	if c.Rare == nil {
		return ""
	}
	return c.Rare.Approval
}

// OnError returns Rare.OnError, "" if the call has none.
func (c *Call) OnError() string {
	if c.Rare == nil {
		return ""
	}
	return c.Rare.OnError
}

// OutputLabels returns Rare.OutputLabels, nil if the call has none.
func (c *Call) OutputLabels() []string {
	if c.Rare == nil {
		return nil
	}
	return c.Rare.OutputLabels
}
