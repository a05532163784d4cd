package transcript

import (
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Database reads the tables of an SQLite 3 database, and of its write-ahead
// log, for the clients that keep sessions in one. It follows the published file
// format (sqlite.org/fileformat2.html): table b-trees, overflow pages, frames
// up to the last commit. It reads no indexes, views or tables without rowid,
// and checks no checksums; a frame counts if it carries the log's salt.
type Database struct {
	pages    map[uint32][]byte
	pageSize int
	usable   int
	// spent are the overflow pages that a row has had: each belongs to one.
	spent map[uint32]bool
}

// IsDatabase reports whether the bytes begin an SQLite database or its log.
func IsDatabase(head []byte) bool {
	return strings.HasPrefix(string(head[:min(len(head), 16)]), sqliteMagic) || isWAL(head)
}

const sqliteMagic = "SQLite format 3\x00"

func isWAL(b []byte) bool {
	return len(b) >= 32 && binary.BigEndian.Uint32(b)&^1 == 0x377f0682
}

var errDatabase = errors.New("the database can't be read")

// OpenDatabase takes the bytes of a database and of its log; either may be
// empty, where the other holds all that is needed.
func OpenDatabase(db, wal []byte) (*Database, error) {
	d := &Database{pages: map[uint32][]byte{}, spent: map[uint32]bool{}}
	if len(db) >= 100 {
		d.setSize(int(binary.BigEndian.Uint16(db[16:])))
		for n := 0; d.pageSize > 0 && (n+1)*d.pageSize <= len(db); n++ {
			d.pages[uint32(n+1)] = db[n*d.pageSize : (n+1)*d.pageSize]
		}
	}
	if isWAL(wal) {
		d.replay(wal)
	}
	first := d.pages[1]
	if len(first) < 100 || !strings.HasPrefix(string(first[:16]), sqliteMagic) {
		return nil, errDatabase
	}
	d.usable = d.pageSize - int(first[20])
	if d.usable < 480 {
		return nil, errDatabase
	}
	return d, nil
}

func (d *Database) setSize(n int) {
	if n == 1 {
		n = 65536
	}
	if n >= 512 && n <= 65536 && n&(n-1) == 0 {
		d.pageSize = n
	}
}

// replay lays the committed frames of a log over the database's pages.
func (d *Database) replay(wal []byte) {
	d.setSize(int(binary.BigEndian.Uint32(wal[8:])))
	if d.pageSize == 0 {
		return
	}
	pending := map[uint32][]byte{}
	for rest := wal[32:]; len(rest) >= 24+d.pageSize; rest = rest[24+d.pageSize:] {
		if string(rest[8:16]) != string(wal[16:24]) {
			return // a frame of an older run of the log
		}
		pending[binary.BigEndian.Uint32(rest)] = rest[24 : 24+d.pageSize]
		if binary.BigEndian.Uint32(rest[4:]) != 0 { // commit
			for n, page := range pending {
				d.pages[n] = page
			}
			clear(pending)
		}
	}
}

// Row is one row of a table: its columns by name, as text.
type Row map[string]string

var columnName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\\s]*[`\"\\[]?([A-Za-z_][A-Za-z0-9_]*)")
})

// Tables returns the rows of the tables of these names, in rowid order.
func (d *Database) Tables(names ...string) (map[string][]Row, error) {
	schema, err := d.rows(1, []string{"type", "name", "tbl_name", "rootpage", "sql"})
	if err != nil {
		return nil, err
	}
	out := map[string][]Row{}
	for _, s := range schema {
		for _, name := range names {
			if s["type"] != "table" || s["name"] != name {
				continue
			}
			root, _ := strconv.ParseUint(s["rootpage"], 10, 32)
			rows, err := d.rows(uint32(root), columns(s["sql"]))
			if err != nil {
				return out, err
			}
			out[name] = rows
		}
	}
	return out, nil
}

// columns reads the column names out of CREATE TABLE.
func columns(sql string) []string {
	open := strings.IndexByte(sql, '(')
	if open < 0 {
		return nil
	}
	var names []string
	depth, start := 0, open+1
	for i := open; i < len(sql); i++ {
		switch sql[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 1 && sql[i] == ',' || depth == 0 {
			if m := columnName().FindStringSubmatch(sql[start:i]); m != nil {
				names = append(names, m[1])
			}
			start = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return names
}

// rows walks the b-tree of a table. Each page is visited once, so that a
// broken tree ends.
func (d *Database) rows(root uint32, names []string) (rows []Row, err error) {
	seen := map[uint32]bool{}
	stack := []uint32{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		p, ok := d.pages[n]
		if !ok {
			err = errDatabase
			continue
		}
		at := 0
		if n == 1 {
			at = 100
		}
		switch p[at] {
		case 0x05:
			stack = append(stack, children(p, at)...)
		case 0x0d:
			for _, cell := range cells(p, at, at+8) {
				row := d.row(p, cell, names)
				if row == nil {
					err = errDatabase
					continue
				}
				rows = append(rows, row)
			}
		default:
			err = errDatabase
		}
	}
	return rows, err
}

// cells returns the offsets of a page's cells.
func cells(p []byte, at, array int) []int {
	count := int(binary.BigEndian.Uint16(p[at+3:]))
	var out []int
	for i := 0; i < count && array+2*i+2 <= len(p); i++ {
		if off := int(binary.BigEndian.Uint16(p[array+2*i:])); off+4 <= len(p) {
			out = append(out, off)
		}
	}
	return out
}

// children returns the pages below an inner page, the last one first, as the
// stack wants them.
func children(p []byte, at int) []uint32 {
	out := []uint32{binary.BigEndian.Uint32(p[at+8:])}
	list := cells(p, at, at+12)
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, binary.BigEndian.Uint32(p[list[i]:]))
	}
	return out
}

// row reads one cell of a leaf, nil where it is broken.
func (d *Database) row(p []byte, at int, names []string) Row {
	size, n := varint(p[at:])
	_, m := varint(p[min(at+n, len(p)):])
	if size > MaxLine || n == 0 || m == 0 {
		return nil
	}
	record := d.payload(p, at+n+m, int(size))
	head, n := varint(record)
	if n == 0 || head > uint64(len(record)) || head < uint64(n) {
		return nil
	}
	types, body := record[n:head], record[head:]
	row := Row{}
	for _, name := range names {
		t, n := varint(types)
		if n == 0 {
			break
		}
		types = types[n:]
		text, size := column(t, body)
		if size > len(body) {
			break
		}
		row[name], body = text, body[size:]
	}
	return row
}

// payload joins a record's local part with its overflow pages.
func (d *Database) payload(p []byte, at, size int) []byte {
	if at > len(p) {
		return nil
	}
	local := size
	if most := d.usable - 35; size > most {
		least := (d.usable-12)*32/255 - 23
		if local = least + (size-least)%(d.usable-4); local > most {
			local = least
		}
	}
	if at+local > len(p) {
		return nil
	}
	if local == size {
		return p[at : at+size]
	}
	if at+local+4 > len(p) {
		return nil
	}
	out := append([]byte(nil), p[at:at+local]...)
	next := binary.BigEndian.Uint32(p[at+local:])
	for len(out) < size {
		page, ok := d.pages[next]
		if !ok || len(page) < d.usable || d.spent[next] {
			return nil
		}
		d.spent[next] = true
		next = binary.BigEndian.Uint32(page)
		out = append(out, page[4:min(d.usable, 4+size-len(out))]...)
	}
	return out
}

// column reads one value by its serial type, as text.
func column(t uint64, b []byte) (text string, size int) {
	widths := [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}
	switch {
	case t >= 12 && t <= math.MaxInt32:
		size = int(t-12) / 2
		if size > len(b) {
			return "", size
		}
		return string(b[:size]), size
	case t >= uint64(len(widths)):
		return "", len(b) + 1
	case t == 8 || t == 9:
		return strconv.Itoa(int(t) - 8), 0
	}
	size = widths[t]
	if size > len(b) || t == 0 || t == 7 {
		return "", size
	}
	n := int64(int8(b[0]))
	for _, c := range b[1:size] {
		n = n<<8 | int64(c)
	}
	return strconv.FormatInt(n, 10), size
}

// varint reads SQLite's big-endian varint; n is 0 where none stands.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 9 {
		c := b[n]
		n++
		if n == 9 {
			return v<<8 | uint64(c), n
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
