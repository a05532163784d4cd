package shell

// Limits. Each that is hit gives an UnknownLimit and makes the script Broken.
const (
	MaxLine    = 128 << 10 // bytes of a line; Linux takes no longer argument, so no longer sh -c
	MaxMade    = 2 << 20   // bytes of values that expansions make, so that copying a long one again and again ends
	MaxLoaders = 64        // variables that make programs load code, which every step looks at
	MaxDepth   = 200       // open brackets, compound commands and operators that nest
	MaxInner   = 8         // strings, functions, aliases and files parsed inside one another
	MaxWords   = 4096      // words, and redirects, of one command
	MaxWrap    = 64        // wrappers around one command
	MaxSteps   = 2000      // steps of a line
	MaxGuess   = 30000     // commands made out of text that does not parse or is past a limit
	MaxGuessed = 1 << 18   // words of all those commands together; past it each keeps its first MaxFirst, and none keeps more than MaxWords
	MaxFirst   = 16        // words by which a guessed command is told past MaxGuessed
	MaxWork    = 20000     // statements walked, counting each unrolling
	MaxUnroll  = 64        // words that a brace expansion or a loop gives
	MaxFan     = 256       // steps whose output stands in one value or goes into one pipe
	MaxText    = 64 << 10  // bytes of a value, so that x=$x$x can't grow without end
	MaxParse   = 1 << 20   // bytes parsed in all, inner strings included
)

// tooDeep reports whether the text may nest deeper than MaxDepth. It runs before
// the parser, whose recursion would overflow the stack, and errs on the deep
// side: quotes are not honoured, so that it can't be tricked by them.
// Closing brackets count only down to zero; a run of unary operators and of
// words that open a compound command nests as well.
func tooDeep(text string) bool {
	var depth, keywords, unary int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth > 0 {
				depth--
			}
		case '!', '~', '+', '-', '?', '=', '*', '`':
			unary++
		case ';', '\n':
			unary = 0
		case 'i', 'w', 'u', 'f', 'c', 's', 't', 'd', 'e':
			n, delta := keyword(text, i)
			keywords = max(0, keywords+delta)
			i += n
		}
		if depth > MaxDepth || keywords > MaxDepth || unary > 20*MaxDepth {
			return true
		}
	}
	return false
}

var openers = [...]string{"if", "while", "until", "for", "case", "select", "time", "coproc", "function"}
var closers = [...]string{"fi", "done", "esac"}

// keyword looks for a reserved word at i: its length less one, and +1 if it
// opens, -1 if it closes a compound command.
func keyword(text string, i int) (n, delta int) {
	if i > 0 && wordByte(text[i-1]) {
		return 0, 0
	}
	end := i
	for end < len(text) && wordByte(text[end]) && end-i < 9 {
		end++
	}
	word := text[i:end]
	for _, k := range openers {
		if word == k {
			return len(k) - 1, 1
		}
	}
	for _, k := range closers {
		if word == k {
			return len(k) - 1, -1
		}
	}
	return 0, 0
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
