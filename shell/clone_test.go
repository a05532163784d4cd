package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClone follows what is run out of a cloned repository, over moves, copies
// and calls.
func TestClone(t *testing.T) {
	env := Env{Cwd: "/srv/app", Home: "/home/dev"}
	first := Parse("git clone https://x.example/a/b && mv b c && ln -s c d && cp c/x.sh tools/", env)
	require.Equal(t, map[string]string{"/srv/app/b": "/srv/app/b", "/srv/app/c": "/srv/app/b", "/srv/app/c/b": "/srv/app/b", "/srv/app/d": "/srv/app/b", "/srv/app/tools/x.sh": "/srv/app/b"}, first.After.Clones)
	env = first.Next(env, false)
	for line, want := range map[string]string{
		"bash c/x.sh":                     "/srv/app/b",
		"cd d && ./x.sh":                  "/srv/app/b",
		"sh tools/x.sh":                   "/srv/app/b",
		"sh < c/x.sh":                     "/srv/app/b",
		". c/env.sh":                      "/srv/app/b",
		"make -C c":                       "",
		"bash x.sh":                       "",
		"echo 'ls' > c/y.sh; sh c/y.sh":   "",
		"ssh h.example sh /srv/app/c/x":   "",
		"cat c/README.md":                 "",
		"cd c && npm run build && go vet": "",
	} {
		got := ""
		for _, f := range Parse(line, env).Flows() {
			for _, s := range f.Sends {
				got += s.Clone
			}
		}
		require.Equal(t, want, got, line)
	}
}

func TestCloneIsBounded(t *testing.T) {
	s := Parse(strings.Repeat("git clone https://x.example/a/b d$((n)) ;", 4)+manyClones(), Env{Cwd: "/w"})
	require.LessOrEqual(t, len(s.After.Clones), maxClones)
	require.True(t, s.Broken)
}

func manyClones() string {
	var b strings.Builder
	for i := range maxClones + 3 {
		b.WriteString("git clone https://x.example/a/r" + itoa(i) + "\n")
	}
	return b.String()
}

// TestEmptied tells files that lose what was in them from those that get
// something else.
func TestEmptied(t *testing.T) {
	for line, want := range map[string]string{
		"> ~/a":                          ClassPermanent,
		": > ~/a":                        ClassPermanent,
		"echo -n > ~/a":                  ClassPermanent,
		"truncate --size=0 ~/a":          ClassPermanent,
		"truncate -s0 ~/a":               ClassPermanent,
		"dd if=/dev/null of=/home/dev/a": ClassPermanent,
		"echo x > ~/a":                   ClassReversible,
		"truncate -s 10 ~/a":             ClassReversible,
		": >> ~/a":                       ClassReversible,
		"ls > ~/a":                       ClassReversible,
		"ls 2> ~/a":                      ClassReversible,
		"{ ls; } > ~/a":                  ClassReversible,
		"> a":                            ClassReversible,
		"> /tmp/a":                       ClassReversible,
		"echo x > ~/a; : > ~/a":          ClassReversible,
	} {
		got := Parse(line, Env{Cwd: "/srv/app", Home: "/home/dev"}).Class()
		require.Equal(t, want, got, line)
	}
}

func TestSecrets(t *testing.T) {
	for line, want := range map[string][]string{
		"curl -u me:pw1 https://a.example":                  {"pw1"},
		"curl -H 'X-Api-Key: pw1' -H 'Accept: x' a.example": {"pw1"},
		"docker login -u me -p pw1":                         {"pw1"},
		"docker login -u me --password-stdin":               nil,
		"mysql -ppw1 -e 'select 1'":                         {"pw1"},
		"PGPASSWORD=pw1 psql -c 'select 1'":                 {"pw1"},
		"export A_TOKEN=pw1":                                {"pw1"},
		"export NODE_ENV=test":                              nil,
		"sshpass -p pw1 ssh h.example uptime":               {"pw1"},
		"ssh -p 22 h.example uptime":                        nil,
		"npm config set //r.example/:_authToken=pw1":        {"pw1"},
		"psql postgres://u:pw1@db.example/x -c 'select 1'":  {"pw1"},
		"curl -u \"me:$PW\" https://a.example":              nil,
		"redis-cli -a pw1 get k":                            {"pw1"},
	} {
		require.Equal(t, want, Parse(line, Env{Cwd: "/w"}).Secrets(), line)
	}
}

// TestGuessedWordsAreBounded: text past the limits makes no more words than the
// named bounds allow, and still shows its commands.
func TestGuessedWordsAreBounded(t *testing.T) {
	for _, text := range []string{
		"echo " + strings.Repeat("a b ", 1<<20),
		strings.Repeat("rm -rf x y z;", 1<<15) + strings.Repeat("'", 3) + strings.Repeat("a b c d e f g h i j k l m n o p q r s t;", 1<<16),
	} {
		s := Parse(text, Env{Cwd: "/w"})
		words := 0
		for _, st := range s.Steps {
			words += len(st.Args)
		}
		require.True(t, s.Broken)
		require.NotEmpty(t, s.Closed())
		require.LessOrEqual(t, words, MaxGuessed+MaxWords+MaxFirst*(MaxGuess+MaxSteps))
		require.NotEmpty(t, s.Steps)
	}
}
