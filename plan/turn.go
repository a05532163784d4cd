package plan

// DefaultTurns returns the turn of each call where a plan says nothing of turns:
// per agent each call is a turn of its own, and calls of one parallel group that
// stand together share one.
func DefaultTurns(calls []Call) []int {
	type state struct {
		turn  int
		group string
	}
	turns := make([]int, len(calls))
	agents := map[string]*state{}
	for i := range calls {
		c := &calls[i]
		s := agents[c.AgentName()]
		switch {
		case s == nil:
			s = &state{}
			agents[c.AgentName()] = s
		case c.Group == "" || c.Group != s.group:
			s.turn++
		}
		s.group = c.Group
		turns[i] = s.turn
	}
	return turns
}

// Words returns the user's own words that an agent had before a call's
// arguments were fixed, in order. An empty agent is the main one.
func Words(p *Plan, agent string, before int) []*Text {
	var words []*Text
	for i := range p.Texts {
		t := &p.Texts[i]
		if t.Before > before {
			break // Texts are sorted by Before
		}
		if t.Kind == TextUser && agentName(t.Agent) == agentName(agent) {
			words = append(words, t)
		}
	}
	return words
}

func agentName(name string) string {
	if name == "" {
		return MainAgent
	}
	return name
}
