package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/planlint/planlint/finding"
)

// foundCall is a call of one of a file's runs.
type foundCall struct {
	run  *finding.PlanReport
	call int
}

// findCall finds the one call that a name means: in a file of one run N, in a file
// of several RUN:N. N is the call's id, or its number in the table, from 1; RUN the
// run's id, or its number in the file. A call's id that only one run has is enough.
// The error goes on from the file's name.
func findCall(runs []finding.PlanReport, name string) (foundCall, error) {
	if len(runs) == 1 {
		if i, ok := callOf(&runs[0], name); ok {
			return foundCall{&runs[0], i}, nil
		}
	}
	for _, called := range []calling{byID, byNumber} {
		if found := callsOf(runs, name, called); len(found) > 0 {
			return oneCall(runs, found, name)
		}
	}
	if len(runs) == 1 {
		return foundCall{}, fmt.Errorf("has no call %q\nhint: %s", name, callsHint(&runs[0]))
	}
	found := callsWithID(runs, name)
	_, noNumber := strconv.Atoi(name)
	switch {
	case len(found) == 1 && noNumber != nil:
		return found[0], nil
	case len(found) > 0 || noNumber == nil:
		return foundCall{}, fmt.Errorf("holds %d runs, and it is not said which one's call %q to explain\nhint: %s", len(runs), name, runsHint(runs, name))
	}
	return noSuchCall(runs, name)
}

// callOf finds a call by its id, or by its number.
func callOf(p *finding.PlanReport, call string) (int, bool) {
	for i := range p.Calls {
		if p.Calls[i].ID == call {
			return i, true
		}
	}
	n, err := strconv.Atoi(call)
	return n - 1, err == nil && n >= 1 && n <= len(p.Calls)
}

// calling says what a run is called.
type calling func(runs []finding.PlanReport, i int) string

// byID and byNumber are what a run is called before the colon.
func byID(runs []finding.PlanReport, i int) string  { return runs[i].ID }
func byNumber(_ []finding.PlanReport, i int) string { return strconv.Itoa(i + 1) }

// ofRun returns what a name says behind the run that it begins with.
func ofRun(runs []finding.PlanReport, i int, name string, called calling) (string, bool) {
	run := called(runs, i)
	if run == "" {
		return "", false
	}
	return strings.CutPrefix(name, run+":")
}

// callsOf are the calls that a name means, run and call; ids may hold colons.
func callsOf(runs []finding.PlanReport, name string, called calling) []foundCall {
	var found []foundCall
	for i := range runs {
		if call, ok := ofRun(runs, i, name, called); ok {
			if n, ok := callOf(&runs[i], call); ok {
				found = append(found, foundCall{&runs[i], n})
			}
		}
	}
	return found
}

// oneCall refuses a name that several runs answer to.
func oneCall(runs []finding.PlanReport, found []foundCall, name string) (foundCall, error) {
	if len(found) == 1 {
		return found[0], nil
	}
	return foundCall{}, fmt.Errorf("has %d calls %q, in runs of one id\nhint: %s", len(found), name, runsHint(runs, name))
}

func callsWithID(runs []finding.PlanReport, id string) []foundCall {
	var found []foundCall
	for i := range runs {
		for j := range runs[i].Calls {
			if runs[i].Calls[j].ID == id {
				found = append(found, foundCall{&runs[i], j})
			}
		}
	}
	return found
}

// noSuchCall says what is wrong with a name: the run, or the call in it.
func noSuchCall(runs []finding.PlanReport, name string) (foundCall, error) {
	for _, called := range []calling{byID, byNumber} {
		for i := range runs {
			if call, ok := ofRun(runs, i, name, called); ok {
				return foundCall{}, fmt.Errorf("has no call %q in run %s\nhint: %s", call, runName(runs, i), callsHint(&runs[i]))
			}
		}
	}
	return foundCall{}, fmt.Errorf("has no call %q in any of its %d runs\nhint: %s", name, len(runs), runsHint(runs, ""))
}

// maxRunsListed is how many runs a hint names.
const maxRunsListed = 10

// runsHint says how to name a run, by the example of a call.
func runsHint(runs []finding.PlanReport, call string) string {
	example := 0
	for i := range runs {
		if _, ok := callOf(&runs[i], call); ok {
			example = i
			break
		}
	}
	if _, ok := callOf(&runs[example], call); !ok || !plainName.MatchString(call) {
		call = "1"
	}
	names := make([]string, 0, maxRunsListed)
	for i := range runs[:min(len(runs), maxRunsListed)] {
		names = append(names, fmt.Sprintf("%s (%s)", runName(runs, i), plural(len(runs[i].Calls), "call")))
	}
	if more := len(runs) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("name it as RUN:N, such as --call %s:%s; RUN is a run's id or its number in the file: %s", runName(runs, example), call, list(names))
}

// plainName is an id that needs no quotes in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:@/+-]*$`)

// runName is what a run is called: its id where that names it alone and is plain,
// else its number where that is no run's id.
func runName(runs []finding.PlanReport, i int) string {
	id, number := runs[i].ID, strconv.Itoa(i+1)
	alone, free := true, true
	for j := range runs {
		alone = alone && (j == i || runs[j].ID != id)
		free = free && (j == i || runs[j].ID != number)
	}
	if alone && plainName.MatchString(id) || !free {
		return printable(id)
	}
	return number
}

func callsHint(p *finding.PlanReport) string {
	if len(p.Calls) == 0 {
		return "there are no calls in it"
	}
	return fmt.Sprintf("a number from 1 to %d, or a call's id", len(p.Calls))
}
