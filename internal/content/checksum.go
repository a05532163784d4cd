package content

import (
	"encoding/base64"
	"encoding/json"
	"hash/crc32"
	"strings"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checksumLength is the number of characters that end a GitHub or npm token:
// the CRC-32 of the random part in base 62 (GitHub's engineering blog, 2021).
const checksumLength = 6

func githubChecksum(token string) bool {
	_, random, ok := strings.Cut(token, "_")
	if !ok || len(random) <= checksumLength {
		return false
	}
	body, sum := random[:len(random)-checksumLength], random[len(random)-checksumLength:]
	return sum == base62Checksum(body)
}

func base62Checksum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	var out [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// jwtHeader reports whether a token's first part is a JOSE header (RFC 7515).
func jwtHeader(token string) bool {
	part, _, _ := strings.Cut(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return false
	}
	var header struct {
		Alg string `json:"alg"`
	}
	return json.Unmarshal(raw, &header) == nil && header.Alg != ""
}

// luhn is the check of payment card numbers (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum, double := 0, false
	for i := len(digits) - 1; i >= 0; i-- {
		d := int(digits[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	return sum%10 == 0
}

// mod97 is the check of IBANs (ISO 13616): country and check digits moved to the
// end, letters as 10 to 35, remainder 1.
func mod97(iban string) bool {
	n := 0
	for _, c := range []byte(iban[4:] + iban[:4]) {
		switch {
		case '0' <= c && c <= '9':
			n = (n*10 + int(c-'0')) % 97
		case 'A' <= c && c <= 'Z':
			n = (n*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return n == 1
}
