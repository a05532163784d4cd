package shell

import "strings"

// statement judges SQL, a client's own commands, or a key-value store's command by its words.
func (r *runner) statement(wd Word, at int) {
	r.hasSQL = true
	text := strings.ToLower(wd.Text)
	if strings.Contains(text, Hole) {
		r.rw = true
	}
	for stmt := range strings.SplitSeq(text, ";") {
		r.oneStatement(strings.TrimSpace(stmt), wd)
	}
	_ = at
}

func (r *runner) oneStatement(stmt string, wd Word) {
	for strings.HasPrefix(stmt, "--") { // a comment before it; none holds a semicolon here
		_, stmt, _ = strings.Cut(stmt, "\n")
		stmt = strings.TrimSpace(stmt)
	}
	if stmt == "" {
		return
	}
	word, rest, _ := strings.Cut(strings.ReplaceAll(stmt, "\n", " "), " ")
	switch {
	case runsCode(stmt):
		r.add(Effect{Kind: Exec, Source: "text", Detail: "shell", Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
	case touchesFile(stmt):
		r.add(Effect{Kind: Write, Target: Hole, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownWrite, wd)
	case word == "grant" || word == "revoke" || strings.HasPrefix(stmt, "alter user") || strings.HasPrefix(stmt, "create user") || strings.HasPrefix(stmt, "create role") || strings.HasPrefix(stmt, "alter role") || word == "acl":
		r.add(Effect{Kind: Grant, Target: r.p.name, Known: true, Pos: wd.Pos, End: wd.End})
	case strings.HasPrefix(stmt, "db.") && !mongoReads(stmt):
		r.add(Effect{Kind: Call, Target: "db", Detail: "db", Known: true, Pos: wd.Pos, End: wd.End})
	case listed("$sqlreads", word) && !writesInside(rest) && !(word == "pragma" && strings.Contains(rest, "=")):
		r.add(Effect{Kind: Query, Target: "db", Detail: stmt, Known: true, Labels: []string{"private"}, Pos: wd.Pos, End: wd.End})
	default:
		r.add(Effect{Kind: Call, Target: "db", Detail: "db", Known: true, Pos: wd.Pos, End: wd.End})
	}
}

// sqlFile is a file of statements. One that was written before is judged as its
// statements; what any other does to the database can't be taken back for all
// that is known, as if it came by standard input.
func (r *runner) sqlFile(wd Word, at int) {
	if text, written := r.w.fileText(r.w.path(wd, r.base)); written && text != Hole && r.speaksSQL() {
		r.file("read", wd, at)
		r.sqlText(Word{Text: text, Known: true, Pos: wd.Pos, End: wd.End}, at)
		return
	}
	r.scriptFile(wd, at)
	r.hasSQL = true
	r.add(Effect{Kind: Call, Target: "db", Detail: "db", Known: true, Pos: wd.Pos, End: wd.End})
}

// speaksSQL reports whether it is known of a client which lines of a script are
// not statements but commands of its own.
func (r *runner) speaksSQL() bool {
	switch r.p.name {
	case "psql", "mysql", "mariadb", "sqlite3", "sqlite":
		return true
	}
	return false
}

// sqlText judges a script: statements, and the client's own commands, which may
// stand in the middle of them and may run programs.
func (r *runner) sqlText(wd Word, at int) {
	own := ""
	switch r.p.name {
	case "psql":
		own = psqlCommand(wd.Text)
	case "mysql", "mariadb":
		own = mysqlCommand(wd.Text)
	default:
		for line := range strings.Lines(wd.Text) {
			if line = strings.ToLower(strings.TrimSpace(line)); strings.HasPrefix(line, ".") {
				r.oneStatement(line, wd)
			}
		}
	}
	if own != "" {
		r.hasSQL = true
		r.add(Effect{Kind: Exec, Source: "text", Detail: "shell", Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, Word{Text: own, Pos: wd.Pos, End: wd.End})
		return
	}
	r.statement(wd, at)
}

// psqlCommand finds a backslash command in a script that does more than show
// something; quotes are not looked at, so a pattern in a string may be taken for one.
func psqlCommand(text string) string {
	if strings.Contains(text, "`") {
		return "`"
	}
	for {
		_, rest, ok := strings.Cut(text, `\`)
		if !ok {
			return ""
		}
		end := strings.IndexFunc(rest, func(c rune) bool {
			return c != '_' && c != '!' && c != '?' && c != '+' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')
		})
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		if !listed("$psqlshows", word) {
			return `\` + word
		}
		text = rest[end:]
	}
}

// mysqlCommand finds a command of the client in a script: after a backslash
// anywhere, or at the beginning of a line.
func mysqlCommand(text string) string {
	if i := strings.IndexByte(text, '\\'); i >= 0 {
		return text[i:min(i+2, len(text))]
	}
	for line := range strings.Lines(text) {
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
		switch strings.TrimSuffix(word, ";") {
		case "system", "source", "tee", "pager", "edit", "delimiter", "!", "resetconnection":
			return word
		}
	}
	return ""
}

// sqlInput is a client that reads its statements from standard input.
func (r *runner) sqlInput() {
	if text, ok := r.w.stdinText(r.c.stdin); ok && r.speaksSQL() {
		r.sqlText(Word{Text: text, Known: true, Pos: r.c.pos, End: r.c.end}, -1)
		return
	}
	r.standing("call:db")
	r.unknown(UnknownCode, Word{})
}

// mongoReads reports whether every method that an expression on db calls only reads.
func mongoReads(stmt string) bool {
	for at := 0; ; {
		open := strings.IndexByte(stmt[at:], '(')
		if open < 0 {
			return !strings.Contains(stmt, "$out") && !strings.Contains(stmt, "$merge") && !strings.Contains(stmt, "=")
		}
		name := stmt[at : at+open]
		name = name[strings.LastIndexAny(name, ".(,{[ :")+1:]
		if name != "" && !listed("$mongoreads", name) {
			return false
		}
		at += open + 1
	}
}

// runsCode finds what makes a database client or server run a program.
func runsCode(s string) bool {
	for _, p := range [...]string{"to program", "from program", `\!`, ".shell", ".system", "xp_cmdshell", "sys_exec", "load_extension", ".load", "system(", `\copy`, "module load", "script load"} {
		if strings.Contains(s, p) && !(p == `\copy` && !strings.Contains(s, "program")) {
			return true
		}
	}
	return false
}

func touchesFile(s string) bool {
	for _, p := range [...]string{"into outfile", "into dumpfile", "load_file(", ".output", ".once", ".save", ".backup", ".read", ".import", "pg_read_file", "lo_export", "writefile("} {
		if strings.Contains(s, p) {
			return true
		}
	}
	return strings.HasPrefix(s, `\o `) || strings.HasPrefix(s, `\i `) || strings.HasPrefix(s, "copy ") || strings.HasPrefix(s, `\copy`)
}

// writesInside finds a writing verb in a WITH or EXPLAIN ANALYZE statement.
func writesInside(s string) bool {
	for f := range strings.FieldsSeq(strings.NewReplacer("(", " ", ")", " ").Replace(s)) {
		switch f {
		case "insert", "update", "delete", "drop", "truncate", "alter", "merge":
			return true
		}
	}
	return false
}

// sqlOperand is a database file, a database name or a statement, by client.
func (r *runner) sqlOperand(wd Word, at int) {
	first := at == r.u.operands[0]
	switch r.p.name {
	case "sqlite3", "sqlite", "duckdb", "litecli":
		if !first {
			r.statement(wd, at)
			return
		}
		r.file("read", wd, at)
		if !r.hasOption("-readonly") {
			r.dbFile = r.w.path(wd, r.base)
		}
	case "redis-cli", "valkey-cli", "etcdctl", "cypher-shell":
		if first {
			var b strings.Builder
			for _, i := range r.u.operands {
				b.WriteString(r.u.words[i].Text + " ")
			}
			r.statement(sliceWord(wd, b.String()), at)
		}
	}
}

// sqlClient finishes a client: one that got no statement, script or input is a session.
func sqlClient(r *runner) {
	if !r.hasSQL && r.c.stdin.Kind != Inherited && r.c.stdin.Kind != FromNull {
		r.sqlInput()
	}
	calls := false
	for _, e := range r.st.Effects {
		calls = calls || e.Kind == Call || e.Kind == Grant || e.Kind == Exec
	}
	if r.dbFile != "" && calls {
		r.add(Effect{Kind: Edit, Target: r.dbFile, Real: r.w.realIfOther(r.dbFile), Known: !strings.Contains(r.dbFile, Hole), Pos: r.c.pos, End: r.c.end})
	}
	if r.hasSQL || calls || r.hasOption("-l|--list|--version|-V") || r.c.stdin.Kind != Inherited {
		return
	}
	r.unknown(UnknownCode, Word{Text: "interactive session"})
}
