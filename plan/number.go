package plan

import (
	"math"
	"strconv"
	"strings"
)

// canonicalNumber writes a JSON number as RFC 8785 does, where that loses
// nothing: 1.0, 1e0 and 1 are the same number and must be one digest, but two
// numbers that only a float64 can't tell apart must never be. Such a number keeps
// its digits; what is no number is returned as it is.
func canonicalNumber(text string) string {
	exact, ok := parseDecimal(text)
	if !ok {
		return text
	}
	if exact.digits == "" {
		return "0"
	}
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && !math.IsInf(f, 0) {
		short := formatES6(f)
		if same, ok := parseDecimal(short); ok && same == exact {
			return short
		}
	}
	sign := ""
	if exact.negative {
		sign = "-"
	}
	return sign + exact.digits + "e" + strconv.FormatInt(exact.exponent, 10)
}

// decimal is digits x 10^exponent; digits have no zero at either end.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// maxExponent bounds the exponents that are worked with.
const maxExponent = 1 << 40

func parseDecimal(text string) (decimal, bool) {
	if !IsNumber(text) {
		return decimal{}, false
	}
	var d decimal
	text, d.negative = strings.TrimPrefix(text, "-"), strings.HasPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, err := strconv.ParseInt(text[i+1:], 10, 64)
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return decimal{}, false
		}
		d.exponent, text = exponent, text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.exponent -= int64(len(fraction))
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += int64(len(digits) - len(d.digits))
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// formatES6 writes a finite float64 as ECMAScript's Number::toString does.
func formatES6(f float64) string {
	abs := math.Abs(f)
	if abs == 0 {
		return "0"
	}
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	// Go writes e-07 and e+21, ECMAScript e-7 and e+21.
	mantissa, exponent, _ := strings.Cut(s, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// IsNumber reports whether text is a number as JSON writes them.
func IsNumber(text string) bool {
	s := strings.TrimPrefix(text, "-")
	whole := digitsLen(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digitsLen(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digitsLen(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func digitsLen(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
