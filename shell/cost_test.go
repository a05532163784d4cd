//go:build unix

package shell_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/shell"
)

// maxCost is the CPU time that any line may take; the aim is 200 ms, the rest
// is for slow and busy machines and for the race detector.
const maxCost = time.Second

// costly are lines that are long in one way each, up to MaxLine; most took
// seconds or minutes before the limit that now holds them.
func costly() map[string]string {
	r := strings.Repeat
	return map[string]string{
		"variables and ifs":  numbered(500, "v%d=x;") + numbered(3000, "if a; then v%d=y; fi;"),
		"ifs with else":      numbered(250, "v%d=x;") + numbered(3000, "if a; then v%d=y; else w=z; fi;"),
		"case items":         numbered(250, "v%d=x;") + "case x in " + numbered(5000, "a) v%[1]d=y;;") + "esac",
		"steps":              numbered(20000, "a%d;"),
		"pipes":              r("a|", 60000) + "a",
		"functions":          numbered(3000, "f%d() { a; };") + numbered(3000, "f%d;"),
		"files and removals": numbered(900, "echo x > f%d;") + numbered(1000, "rm -r g%d;"),
		"files and globs":    numbered(900, "echo x > f%d;") + r("sed -i s/a/b/ g*;", 1000),
		"links":              numbered(900, "ln -s a%d b;") + r("cat b/a/b/c;", 900),
		"brace words":        r("echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b};", 3500),
		"one brace word":     "echo " + r("{a,b}", 25000),
		"words":              "cp " + r("a ", 60000) + "d",
		"one cluster":        "ls -" + r("l", 100000),
		"find -exec":         "find . " + r("-exec rm {} \\; ", 8000),
		"doubling":           "x=$(a);" + r("x=$x$x;", 18000),
		"trims":              "x=" + r("a", 60000) + ";" + r("y=${x%.a};", 6000),
		"splits":             "x='" + r("a ", 30000) + "';" + r("echo $x;", 7000),
		"parameters":         "set -- " + r("b ", 4000) + ";" + r("echo \"$@\";", 10000),
		"array growth":       "a=(b);" + r("a+=(c);", 18000),
		"wrappers":           r("sudo ", 20000) + "rm a",
		"redirects":          "echo " + r(">a ", 40000),
		"descriptors":        "exec " + numbered(4000, "%[1]d>f%[1]d ") + ";" + r("a >&5;", 2000),
		"loaders":            numbered(1000, "export GIT_X%d=./x;") + r("git log;", 1000),
		"long text to files": "x=" + r("a", 60000) + ";" + r("echo $x > f;", 5000),
		"unbalanced":         r("(", 300) + numbered(10000, "rm a%d;"),
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestLineCost holds every kind of long line to its time, with all that a caller asks of it.
func TestLineCost(t *testing.T) {
	for name, line := range costly() {
		line = line[:min(len(line), shell.MaxLine)]
		start := cpuTime(t)
		s := shell.Parse(line, testEnv)
		s.Flows()
		p, err := shell.CompilePattern("rm -rf /")
		require.NoError(t, err)
		p.MatchRestrict(s)
		s.Next(testEnv, true)
		took := cpuTime(t) - start
		t.Logf("%-20s %7d bytes %5d ms", name, len(line), took.Milliseconds())
		require.Less(t, took, maxCost, name)
	}
}

func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLinesPerCPU gives lines a second of CPU time, whatever else the machine does.
func BenchmarkLinesPerCPU(b *testing.B) {
	start := cpuTime(b)
	for i := 0; b.Loop(); i++ {
		shell.Parse(typicalLines[i%len(typicalLines)], testEnv)
	}
	b.ReportMetric(float64(b.N)/(cpuTime(b)-start).Seconds(), "lines/cpu-s")
}
