package content

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// classes are the alphabets that examples name.
var classes = map[string]string{
	"2":      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"A":      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"m":      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"h":      "0123456789abcdef",
	"d":      "0123456789",
	"b":      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
	"bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

var blank = regexp.MustCompile(`\{(\w+)(?::(\d+))?\}`)

// fill makes an example: no real key's shape stands in the tree.
func fill(r *rand.Rand, example string) string {
	return blank.ReplaceAllStringFunc(example, func(b string) string {
		m := blank.FindStringSubmatch(b)
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "crc":
			body := pick(r, classes["m"], n)
			return body + base62Checksum(body)
		case "jwt":
			part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
			return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"u-17","iat":1900000000}`) + "." + pick(r, classes["b"], 43)
		}
		return pick(r, classes[m[1]], n)
	})
}

func pick(r *rand.Rand, alphabet string, n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteByte(alphabet[r.Intn(len(alphabet))])
	}
	return b.String()
}

type source struct {
	ID, About, Source string
	Examples          []string
}

func sources(t testing.TB) []source {
	src, err := os.ReadFile("patterns.yaml")
	require.NoError(t, err)
	var entries []source
	require.NoError(t, yaml.Unmarshal(src, &entries))
	return entries
}

func TestEveryPatternFindsItsExamples(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	scanner := NewScanner(Options{})
	for _, e := range sources(t) {
		require.NotEmpty(t, e.Examples, e.ID)
		require.NotEmpty(t, e.Source, e.ID)
		for _, example := range e.Examples {
			for i := 0; i < 20; i++ {
				value := fill(r, example)
				text := "before the value\n" + value + "\nand after it"
				found := scanner.Scan(text)
				require.NotEmpty(t, found, "%s: %s", e.ID, value)
				ids := ""
				for _, m := range found {
					ids += m.ID + " "
				}
				require.Contains(t, ids, e.ID, "%s", value)
			}
		}
	}
}

func TestChecksumsVerify(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	token := fill(r, "ghp_{crc:30}")
	scanner := NewScanner(Options{})
	require.True(t, scanner.Scan(token)[0].Verified)
	broken := token[:len(token)-1] + string("ab"[len(token)%2])
	if broken != token {
		require.False(t, scanner.Scan(broken)[0].Verified)
	}
}

func TestExamplesAndRedactionsAreNoSecrets(t *testing.T) {
	scanner := NewScanner(Options{})
	for _, text := range []string{
		"AKIAIOSFODNN7EXAMPLE",
		"password: <your password>", "api_key = xxxxxxxxxxxxxxxxxxxx", "token: ${GITHUB_TOKEN}",
		"secret: {{ vault_secret }}", "API_KEY=your_api_key_here_123", "password: ****************",
		"token = os.environ['TOKEN_NAME_1']", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"the password policy asks for twelve characters", "max_tokens: 4096", "tokenizer: cl100k_base",
		"token_expires_at: 2031-01-02T03:04:05Z", "secret_name: projects/acme/secrets/db",
		"https://shop.example/orders?page=2", "see https://user@host.example/x",
		"pk_live_" + strings.Repeat("aB3dE5gH", 3), "cache-key = 0a1b2c3d4e5f60718293a4b5c6d7e8f9", "the key = opening_hours_of_the_town_hall",
		"author: somebody", "import { getToken } from './auth'", "const token = await getAccessToken(session)",
		"-----BEGIN CERTIFICATE-----\nMIIB\n", "-----BEGIN PUBLIC KEY-----\nMIIB\n",
		"eyJub3QganNvbiBhdCBhbGwgaGVyZQ.eyJub3QganNvbiBhdCBhbGwgaGVyZQ.abcdefghijklmnopqrstuvwxyz",
	} {
		require.Empty(t, scanner.Scan(text), text)
	}
}

func TestCanary(t *testing.T) {
	scanner := NewScanner(Options{Canaries: []string{"marmalade-42", "abc"}})
	found := scanner.Scan("abc the file says marmalade-42 twice: Marmalade-42 marmalade-42")
	require.Len(t, found, 2)
	require.Equal(t, Canary, found[0].Kind)
	require.Equal(t, 18, found[0].Start)
}

func TestPersonalData(t *testing.T) {
	off, on := NewScanner(Options{}), NewScanner(Options{Personal: true})
	for text, id := range map[string]string{
		"write to kim@customer.example today": "mail-address",
		"call +49 30 5550 1173 now":           "phone",
		"pay to GB82 WEST 1234 5698 7654 32":  "iban",
		"card 4111 1111 1111 1111 please":     "payment-card",
		"ssn 123-45-6789":                     "us-ssn",
		"dni 12345678Z":                       "es-dni",
	} {
		require.Empty(t, off.Scan(text), text)
		found := on.Scan(text)
		require.NotEmpty(t, found, text)
		require.Equal(t, id, found[0].ID, text)
	}
	for _, text := range []string{"order 4111 1111 1111 1112", "GB82 WEST 1234 5698 7654 33", "000-45-6789", "12345678A"} {
		require.Empty(t, on.Scan(text), text)
	}
}

// TestGenerated fails where patterns.json was not made from patterns.yaml.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	src, err := os.ReadFile("patterns.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "patterns.yaml"), src, 0o644))
	bin := filepath.Join(dir, "gen")
	out, err := exec.Command("go", "build", "-o", bin, "./internal/gen").CombinedOutput()
	require.NoError(t, err, string(out))
	run := exec.Command(bin)
	run.Dir = dir
	out, err = run.CombinedOutput()
	require.NoError(t, err, string(out))
	fresh, err := os.ReadFile(filepath.Join(dir, "patterns.json"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(fresh, flattened), "run: go generate ./internal/content")
}

func TestPatternsCompile(t *testing.T) {
	var entries []flat
	require.NoError(t, json.Unmarshal(flattened, &entries))
	for _, p := range builtin() {
		require.NotPanics(t, func() { p.re.get() }, p.id)
		for _, l := range p.literals {
			require.GreaterOrEqual(t, len(l), 3, p.id)
		}
	}
}

func FuzzScan(f *testing.F) {
	r := rand.New(rand.NewSource(9))
	for _, e := range sources(f) {
		for _, example := range e.Examples {
			f.Add(fill(r, example))
		}
	}
	scanner := NewScanner(Options{Personal: true, Canaries: []string{"canary-value"}})
	keys := NewScanner(Options{Canaries: []string{"canary-value"}})
	f.Fuzz(func(t *testing.T, text string) {
		checkTurned(t, keys, text)
		last := -1
		for _, m := range scanner.Scan(text) {
			if m.Start < 0 || m.End > len(text) || m.Start > m.End || m.Start < last {
				t.Fatalf("bad match %+v in %q", m, text)
			}
			last = m.Start
		}
	})
}

// checkTurned: what stands in a turned text is announced by the text.
func checkTurned(t *testing.T, s *Scanner, text string) (turned bool) {
	turned = s.MayTurn(text)
	backwards, other := []rune(text), []byte(text)
	slices.Reverse(backwards)
	for i, c := range other {
		other[i] = moved(c)
	}
	if turned || !utf8.ValidString(text) {
		return turned
	}
	require.Empty(t, s.Scan(string(backwards)), "%q backwards", text)
	require.Empty(t, s.Scan(string(other)), "%q moved by 13", text)
	return turned
}

func TestTurned(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	scanner := NewScanner(Options{Canaries: []string{"lantern-canary", "östlich-canary"}})
	require.False(t, NewScanner(Options{}).table.odd)
	require.True(t, checkTurned(t, scanner, "anything"), "a literal of other letters")
	scanner = NewScanner(Options{Canaries: []string{"lantern-canary"}})
	require.False(t, checkTurned(t, scanner, "nothing of the kind"))
	texts := []string{"lantern-canary"}
	for _, e := range sources(t) {
		for _, example := range e.Examples {
			texts = append(texts, fill(r, example))
		}
	}
	for _, text := range texts {
		backwards, other := []rune(text), []byte(text)
		slices.Reverse(backwards)
		for i, c := range other {
			other[i] = moved(c)
		}
		for _, turned := range []string{string(backwards), string(other)} {
			require.True(t, checkTurned(t, scanner, "see "+turned+" there"), "%q", turned)
		}
		checkTurned(t, scanner, text)
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewSource(10))
	text := prose(r, 1<<20)
	scanner := NewScanner(Options{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		scanner.Scan(text)
	}
}

// prose is tool output of the usual kinds: code, logs, JSON, sentences, with a
// secret every 64 KiB.
func prose(r *rand.Rand, size int) string {
	lines := []string{
		"the request was served by host %d in %d ms\n", "{\"id\": %d, \"name\": \"item\", \"count\": %d}\n",
		"func handle%d(w Writer, r *Request) error { return run(%d) }\n", "2031-05-02T08:00:%02dZ INFO token refreshed for session %d\n",
		"see https://docs.example/page/%d#section-%d for the password policy\n", "    if err := check(ctx, %d); err != nil { return %d, err }\n",
	}
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, lines[r.Intn(len(lines))], r.Intn(60), r.Intn(100000))
		if b.Len()%(64<<10) < 60 {
			b.WriteString(fill(r, "DB_PASSWORD={m:20}\n"))
		}
	}
	return b.String()
}
