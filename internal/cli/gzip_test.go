package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const labelledRun = `{"id":"run-1","suite":"s","messages":[{"role":"user","content":"read a"},{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"query_order","args":{"order_id":"A-1"}}]}]}` + "\n"

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// checked runs check over a folder with one file in it.
func checked(t *testing.T, name string, data []byte, args ...string) (code int, out, errs string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.MkdirAll("runs", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("runs", name), data, 0o644))
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), []string{"HOME=" + dir}, strings.NewReader(""), &stdout, &stderr, append([]string{"check"}, args...))
	return code, stdout.String(), stderr.String()
}

// TestGzipInFolder: a folder's gzipped files are read as its plain ones are.
func TestGzipInFolder(t *testing.T) {
	plan := "version: 1\ncalls:\n  - {id: order, tool: query_order, args: {order_id: A-1}}\n"
	for name, text := range map[string]string{
		"run.jsonl.gz": labelledRun, "run.json.gz": labelledRun, "run.ndjson.gz": labelledRun, "plan.yaml.gz": plan, "plan.yml.gz": plan,
	} {
		code, out, errs := checked(t, name, gzipped(t, text), "runs")
		require.Equal(t, ExitClean, code, errs)
		require.Contains(t, out, filepath.Join("runs", name)+": 1 call, ALLOW")
		require.Empty(t, errs)
	}
	code, _, errs := checked(t, "other.json.gz", gzipped(t, `{"some":"json"}`), "runs")
	require.Equal(t, ExitNotChecked, code)
	require.Contains(t, errs, "1 file skipped, no plan or trace that planlint knows: runs/other.json.gz")
	code, _, errs = checked(t, "torn.jsonl.gz", gzipped(t, labelledRun+labelledRun[:100]), "runs")
	require.Equal(t, ExitNotChecked, code)
	require.Contains(t, errs, "error: runs/torn.jsonl.gz:2:", "an unreadable record counts as in a plain file")
	require.Contains(t, errs, "hint: the file ends inside its last record: it was cut off, or is still being written")
}

// TestCoverageOfGzip: rules coverage reads what check reads, and fails where it does.
func TestCoverageOfGzip(t *testing.T) {
	run := func(text []byte) (int, string, string) {
		dir := t.TempDir()
		t.Chdir(dir)
		require.NoError(t, os.Mkdir("runs", 0o755))
		require.NoError(t, os.WriteFile("runs/run.jsonl.gz", text, 0o644))
		require.NoError(t, os.WriteFile("p.yaml", []byte("version: 1\nrules:\n  - {decision: ask, tool: query_order, why: w, instead: i}\n"), 0o644))
		var out, errs bytes.Buffer
		code := Run(t.Context(), []string{"HOME=" + dir}, strings.NewReader(""), &out, &errs, []string{"rules", "coverage", "--policy", "p.yaml", "runs"})
		return code, out.String(), errs.String()
	}
	whole := gzipped(t, labelledRun)
	code, out, errs := run(whole)
	require.Equal(t, ExitClean, code, errs)
	require.Contains(t, out, "1 plan, 1 call, 1 rule")
	code, out, errs = run(whole[:len(whole)-1])
	require.Equal(t, ExitNotChecked, code)
	require.Contains(t, out, "1 plan, 1 call, 1 rule")
	require.Equal(t, 1, strings.Count(errs, "the gzip data ends early"))
	code, _, errs = run(gzipped(t, labelledRun+labelledRun[:50]))
	require.Equal(t, ExitNotChecked, code)
	require.Contains(t, errs, "error: runs/run.jsonl.gz:2:")
}

// TestSourceOfGzip: the line that a finding shows is one of the text.
func TestSourceOfGzip(t *testing.T) {
	leak := "version: 1\ncalls:\n  - {id: creds, tool: read_secret, args: {name: stripe_key}}\n" +
		"  - {id: mail, tool: send_email, args: {to: [ops@partner.example], subject: key, body: \"${creds.output}\"}}\n"
	_, out, _ := checked(t, "leak.yaml.gz", gzipped(t, leak), "runs")
	require.Contains(t, out, "4 | …: send_email, args: {to: [ops@partner.example]")
}

// TestCutGzip: wherever gzipped data ends early, also in the checksum, the check is
// not clean; what is there is reviewed.
func TestCutGzip(t *testing.T) {
	whole := gzipped(t, labelledRun)
	for size := range whole {
		for _, arg := range []string{"runs", filepath.Join("runs", "run.jsonl.gz")} {
			code, out, errs := checked(t, "run.jsonl.gz", whole[:size], "-f", "sarif", "--fail-on", "never", arg)
			require.Equal(t, ExitNotChecked, code, "%d of %d bytes", size, len(whole))
			require.Contains(t, errs, "error: runs/run.jsonl.gz: the gzip data ends early")
			require.Contains(t, out, `"executionSuccessful": false`)
			require.Contains(t, out, `"text": "the gzip data ends early`)
		}
	}
	code, _, errs := checked(t, "run.jsonl.gz", gzipped(t, ""), filepath.Join("runs", "run.jsonl.gz"))
	require.Equal(t, ExitNotChecked, code)
	require.Equal(t, "error: runs/run.jsonl.gz: the file is empty\n", errs, "whole, and nothing in it")
	_, out, _ := checked(t, "run.jsonl.gz", whole[:len(whole)-1], "runs")
	require.Contains(t, out, "1 call, ALLOW")
}

// TestCancelled: a plan that was not checked is exit 2, and not the deny that it got.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("run.jsonl", []byte(labelledRun), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, []string{"HOME=" + dir}, strings.NewReader(""), &out, &errs, []string{"check", "-f", "sarif", "run.jsonl"})
	require.Equal(t, ExitNotChecked, code)
	require.Contains(t, out.String(), `"executionSuccessful": false`)
	require.Contains(t, errs.String(), "error: run.jsonl: ")
}
