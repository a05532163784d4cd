// Command hookbench measures what a hook costs at each call of an agent: whole
// processes, side by side, as ratios to an empty Go program.
//
// In: the folder of an npm installation with cc-safety-net (optional), a number
// of rounds. Out: a table of medians. Each round starts every program once, so
// that what else the machine does meets all of them; ratios are of medians, and
// of the quickest runs, which noise can only make slower.
//
// Run it by scripts/bench-hook.sh.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	rounds := flag.Int("n", 60, "how often each program is started")
	calls := flag.Int("calls", 1000, "calls that the session has behind it")
	npm := flag.String("npm", "", "folder of an npm installation with cc-safety-net")
	flag.Parse()
	if err := run(*rounds, *calls, *npm, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hookbench:", err)
		os.Exit(1)
	}
}
