package session

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strconv"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// database reads the session in OpenCode's database and its log, when either
// has changed.
func (s *Session) database(src Source) error {
	log, done, err := s.changed(src.Path+"-wal", src.Path+"-wal")
	if err != nil || log == nil {
		return err
	}
	db, err := os.ReadFile(src.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) || len(db) > maxDocument {
		return errors.Join(err, errors.New("the database is too large to look for the user's words in it"))
	}
	d, err := transcript.OpenDatabase(db, log)
	if err != nil {
		return nil // between two states; the next event will find it whole
	}
	tables, err := d.Tables("message", "part")
	if err != nil {
		return nil
	}
	s.messages(tables, src)
	done()
	return nil
}

func (s *Session) messages(tables map[string][]transcript.Row, src Source) {
	var rows []transcript.Row
	for _, m := range tables["message"] {
		if m["session_id"] == s.ID {
			rows = append(rows, m)
		}
	}
	slices.SortStableFunc(rows, byTime)
	in := &ingest{s: s, src: src}
	client := transcript.OpenCode{PromptKind: plan.TextUser}
	for _, m := range rows {
		info, err := Value(m["data"])
		if err != nil || info.Kind != plan.Object {
			continue
		}
		info.Keys, info.Items = append([]string{"id"}, info.Keys...), append([]plan.Value{plan.Str(m["id"])}, info.Items...)
		client.Message(&info, parts(tables["part"], m["id"]), in.event)
	}
}

func parts(rows []transcript.Row, message string) []plan.Value {
	var own []transcript.Row
	for _, r := range rows {
		if r["message_id"] == message {
			own = append(own, r)
		}
	}
	slices.SortStableFunc(own, func(a, b transcript.Row) int { return cmp.Compare(a["id"], b["id"]) })
	var values []plan.Value
	for _, r := range own {
		if v, err := Value(r["data"]); err == nil {
			values = append(values, v)
		}
	}
	return values
}

// byTime orders rows as they came to be.
func byTime(a, b transcript.Row) int {
	x, _ := strconv.ParseInt(a["time_created"], 10, 64)
	y, _ := strconv.ParseInt(b["time_created"], 10, 64)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a["id"], b["id"]))
}
