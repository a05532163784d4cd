package trace

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// log writes all pages of a database as the frames of a write-ahead log, as
// they stand there before SQLite folds them in.
func walOf(db []byte, pageSize int) []byte {
	wal := make([]byte, 32)
	binary.BigEndian.PutUint32(wal, 0x377f0682)
	binary.BigEndian.PutUint32(wal[8:], uint32(pageSize))
	copy(wal[16:], "saltsalt")
	pages := len(db) / pageSize
	for n := range pages {
		frame := make([]byte, 24)
		binary.BigEndian.PutUint32(frame, uint32(n+1))
		if n == pages-1 {
			binary.BigEndian.PutUint32(frame[4:], uint32(pages))
		}
		copy(frame[8:], "saltsalt")
		wal = append(append(wal, frame...), db[n*pageSize:(n+1)*pageSize]...)
	}
	return wal
}

func TestDatabaseLog(t *testing.T) {
	db, err := os.ReadFile("testdata/opencode-db_store.db")
	require.NoError(t, err)
	want, errs := Read(db, "x.db", Unknown, Options{})
	require.Empty(t, errs)
	wal := walOf(db, 512)
	empty := db[:512]
	files := map[string][]byte{"x.db": empty, "x.db-wal": wal}
	sibling := func(base string) []byte { return files[base] }

	got, errs := Read(empty, "dir/x.db", OpenCodeDB, Options{Sibling: sibling})
	require.Empty(t, errs)
	require.Equal(t, want[0].Calls, got[0].Calls, "a database whose pages are in its log")

	got, errs = Read(wal, "dir/x.db-wal", Unknown, Options{Sibling: sibling})
	require.Empty(t, errs)
	require.Empty(t, got, "a log is read with its database, not twice")

	got, errs = Read(wal, "x.db-wal", Unknown, Options{})
	require.Empty(t, errs)
	require.Equal(t, want[0].Calls, got[0].Calls, "a log alone")

	torn := wal[:len(wal)-100]
	_, errs = Read(torn, "x.db-wal", Unknown, Options{})
	require.NotEmpty(t, errs, "frames that were never committed don't count")
}

func TestBrokenDatabase(t *testing.T) {
	db, err := os.ReadFile("testdata/opencode-db_store.db")
	require.NoError(t, err)
	for size := 0; size < len(db); size += 97 {
		plans, errs := Read(db[:size], "x.db", OpenCodeDB, Options{})
		require.True(t, len(plans) > 0 || len(errs) > 0)
		for _, p := range plans {
			require.NotEmpty(t, p.Notes)
			require.Equal(t, NoteUnreadable, p.Notes[0].ID, "%d of %d bytes: what is missing is said", size, len(db))
			require.Positive(t, p.Lost, "and counts as not checked")
		}
	}
}
