package shell

import "strings"

// Secrets are the passwords and tokens that the line itself gives to programs, in
// order: curl -u, docker login -p, PGPASSWORD=..., a password in an address.
// Only what is known is listed, one entry for each time that it stands there.
func (s Script) Secrets() []string {
	var out []string
	for i := range s.Steps {
		st := &s.Steps[i]
		if st.Guess {
			continue
		}
		out = append(out, st.secrets...)
		for _, a := range st.Assigns {
			if a.Value.Known && listed("$passwords", a.Name) {
				out = appendSecret(out, a.Value.Text)
			}
		}
		for _, a := range st.Args {
			if name, val, ok := strings.Cut(a.Text, "="); ok && st.Builtin && isAssign(a.Text) && listed("$passwords", name) {
				out = appendSecret(out, val)
			}
			if secret := userinfo(a.Text); a.Known && secret != "" {
				out = appendSecret(out, secret)
			}
		}
	}
	return out
}

func appendSecret(list []string, text string) []string {
	if text == "" || strings.Contains(text, Hole) || strings.ContainsAny(text, "$\n") {
		return list
	}
	return append(list, text)
}

// password notes a word that gives a program its password: alone, after the name
// of the user, or in a header.
func (r *runner) password(wd Word, form string) {
	text := wd.Text
	switch form {
	case "user": // NAME:PASSWORD
		_, text, _ = strings.Cut(text, ":")
	case "header":
		name, val, ok := strings.Cut(text, ":")
		if !ok || !listed("$passwords", strings.ToLower(name)) {
			return
		}
		text = val[strings.LastIndexByte(val, ' ')+1:]
	case "setting": // key=value
		text = text[strings.LastIndexByte(text, '=')+1:]
	case "sshpass": // -p of the programs of this entry but that one is a port
		if r.p.name != "sshpass" {
			return
		}
	}
	r.st.secrets = appendSecret(r.st.secrets, text)
}

// userinfo is the password in scheme://user:password@host, "" for none.
func userinfo(text string) string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	user, _, ok := strings.Cut(rest, "@")
	if !ok {
		return ""
	}
	_, secret, _ := strings.Cut(user, ":")
	return secret
}
