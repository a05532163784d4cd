package rules

// key says how specific a rule is: rank is (tool exact 2, glob 1, absent 0) +
// (path, command or host exact 3, pattern 2) + (condition or agent 1), then the
// literal prefixes of the pattern and of the tool are compared. A server counts
// as a glob over tools.
type key struct{ rank, literal, toolLiteral int }

func (c *compiled) computeKey() key {
	var k key
	switch {
	case c.tool.set() && !c.tool.glob:
		k.rank = 2
	case c.tool.set() && !c.tool.any, c.server.set() && !c.server.any:
		k.rank = 1
	}
	if c.tool.set() && !c.tool.any {
		k.toolLiteral = literalPrefix(c.tool.raw, "*?")
	} else if c.server.set() {
		k.toolLiteral = literalPrefix(c.server.raw, "*?")
	}
	shape := 0
	add := func(exact bool, literal int) {
		points := 2
		if exact {
			points = 3
		}
		shape = max(shape, points)
		k.literal += literal
	}
	if c.path != nil {
		add(c.path.exact, c.path.literal)
	}
	if c.command != nil {
		add(c.command.exact, c.command.literal)
	}
	if c.host != nil {
		add(c.host.exact, c.host.literal)
	}
	k.rank += shape
	if c.When != 0 || c.agent.set() {
		k.rank++
	}
	return k
}

// compare returns a positive number where k is the more specific.
func (k key) compare(o key) int {
	if d := k.rank - o.rank; d != 0 {
		return d
	}
	if d := k.literal - o.literal; d != 0 {
		return d
	}
	return k.toolLiteral - o.toolLiteral
}
