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
