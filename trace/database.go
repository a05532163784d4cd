package trace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// walSuffix is how SQLite names the log beside a database.
const walSuffix = "-wal"

// database reads the sessions in OpenCode's database, one plan each. Recent
// sessions are in the log beside it until SQLite folds it in, so both are
// read together where the caller can fetch the other one. Values have no
// positions: nothing in such a file stands on a line.
func (r *reader) database(src []byte) []*plan.Plan {
	db, wal := r.bothFiles(src)
	d, err := transcript.OpenDatabase(db, wal)
	var tables map[string][]transcript.Row
	if err == nil {
		tables, err = d.Tables("session", "message", "part")
	}
	messages, parts := group(tables["message"], "session_id"), group(tables["part"], "message_id")
	var plans []*plan.Plan
	for _, session := range tables["session"] {
		b := r.builder()
		if err != nil {
			b.Add(transcript.Event{Kind: transcript.Note, ID: NoteUnreadable, Lost: true, Message: fmt.Sprintf("%s: a part is missing", err)})
		}
		b.Add(transcript.Event{Kind: transcript.Session, ID: session["id"], Cwd: session["directory"]})
		r.session(messages[session["id"]], parts, b)
		plans = append(plans, b.Plan())
	}
	return plans
}

// group files rows under the value of one of their columns.
func group(rows []transcript.Row, column string) map[string][]transcript.Row {
	out := map[string][]transcript.Row{}
	for _, row := range rows {
		out[row[column]] = append(out[row[column]], row)
	}
	return out
}

// readWithDatabase reports whether a log is read when its database is.
func (r *reader) readWithDatabase() bool {
	name, ok := strings.CutSuffix(filepath.Base(r.name), walSuffix)
	return ok && r.opts.Sibling != nil && len(r.opts.Sibling(name)) > 0
}

// bothFiles returns the database and its log, whichever of them src is.
func (r *reader) bothFiles(src []byte) (db, wal []byte) {
	sibling := r.opts.Sibling
	if sibling == nil {
		sibling = func(string) []byte { return nil }
	}
	base := filepath.Base(r.name)
	if name, ok := strings.CutSuffix(base, walSuffix); ok {
		return sibling(name), src
	}
	if transcript.IsDatabase(src) && isWAL(src) {
		return nil, src
	}
	return src, sibling(base + walSuffix)
}

func isWAL(head []byte) bool {
	return transcript.IsDatabase(head) && !strings.HasPrefix(string(head[:min(len(head), 6)]), "SQLite")
}

// byTime orders rows as they came to be: by time, then by id.
func byTime(x, y transcript.Row) int {
	a, _ := strconv.ParseInt(x["time_created"], 10, 64)
	b, _ := strconv.ParseInt(y["time_created"], 10, 64)
	return cmp.Or(cmp.Compare(a, b), cmp.Compare(x["id"], y["id"]))
}

func (r *reader) session(messages []transcript.Row, parts map[string][]transcript.Row, b *transcript.Builder) {
	slices.SortFunc(messages, byTime)
	client := transcript.OpenCode{PromptKind: r.opts.promptKind()}
	for _, m := range messages {
		info := r.rowData(m, b)
		if info.Kind != plan.Object {
			continue
		}
		info.Keys, info.Items = append([]string{"id"}, info.Keys...), append([]plan.Value{plan.Str(m["id"])}, info.Items...)
		rows := parts[m["id"]]
		slices.SortFunc(rows, func(x, y transcript.Row) int { return cmp.Compare(x["id"], y["id"]) })
		var values []plan.Value
		for _, row := range rows {
			values = append(values, r.rowData(row, b))
		}
		client.Message(&info, values, b.Add)
	}
}

// rowData reads the JSON of a row, without positions.
func (r *reader) rowData(row transcript.Row, b *transcript.Builder) plan.Value {
	v, err := transcript.Unplaced(row["data"])
	if err != nil {
		transcript.Unreadable(err, row["data"], plan.Position{}, b.Add)
	}
	return v
}
