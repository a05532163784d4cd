// Command gatecases scores planlint on cases of gates: calls with the decision
// that a policy should have given.
//
// In: files of one JSON case a line, in the form of ../shared/cases/README.md.
// Each case is lowered to a policy in the user's own YAML syntax (policy.go), and
// to a plan (plan.go), from its own fields alone; no id, title or text of a case
// matters. Out: per kind and in total the misses (an allow where none was right),
// the too weak (ask for deny), the false alarms (a stop for what was right) and
// the too hard (deny for ask), and the ids of what failed.
//
// Exit: 0 within the limits, 1 beyond them, 2 where a case could not be read or
// lowered.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Exit codes.
const (
	exitOK = iota
	exitBeyond
	exitUsage
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("gatecases", flag.ContinueOnError)
	flags.SetOutput(stderr)
	weak := flags.Float64("max-weak", 0, "highest percentage of cases that may be too weak")
	alarms := flags.Float64("max-false", 0, "highest percentage of cases that may be false alarms or too hard")
	apart := flags.String("debatable", debatable, "ids that are reported apart, beside those tagged debatable")
	show := flags.String("show", "", "print the policy and the report of the case with this id, and no score")
	files, err := interleaved(flags, args)
	if err != nil {
		return exitUsage
	}
	if len(files) == 0 {
		fmt.Fprintln(stderr, "usage: gatecases [--max-weak P] [--max-false P] FILE.jsonl...")
		return exitUsage
	}
	var cases []Case
	for _, name := range files {
		more, err := Load(name)
		if err != nil {
			fmt.Fprintf(stderr, "error: %v\n", err)
			return exitUsage
		}
		cases = append(cases, more...)
	}
	if *show != "" {
		return showCase(stdout, stderr, cases, *show)
	}
	setApart(cases, strings.Split(*apart, ","))
	score, err := Run(cases)
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return exitUsage
	}
	score.Write(stdout)
	if score.Beyond(*weak, *alarms) {
		return exitBeyond
	}
	return exitOK
}

// debatable are the cases that the owner of the shared file calls debatable; it
// tags four of them. They are decided as all others and only counted apart.
const debatable = "cm-ro-glob-as-flag,cm-rm-unset-variable,tn-mcp-trailing-underscore,ch-ok-trusted-docs-after-secret,ch-ok-public-key"

func setApart(cases []Case, ids []string) {
	for i := range cases {
		cases[i].apart = cases[i].apart || slices.Contains(ids, cases[i].ID)
	}
}

// interleaved parses flags that may stand before and after file names.
func interleaved(flags *flag.FlagSet, args []string) (files []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return files, nil
		}
		files = append(files, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

func showCase(stdout, stderr io.Writer, cases []Case, id string) int {
	for i := range cases {
		if cases[i].ID == id {
			if err := cases[i].Show(stdout); err != nil {
				fmt.Fprintf(stderr, "error: %v\n", err)
				return exitUsage
			}
			return exitOK
		}
	}
	fmt.Fprintf(stderr, "error: no case %q\n", id)
	return exitUsage
}
