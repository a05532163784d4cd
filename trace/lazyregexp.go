package trace

import (
	"regexp"
	"sync"
)

// lazyRegexp is compiled when it is first asked: a run of planlint reads one
// format and needs few of them, and should start at once.
type lazyRegexp struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

func lazily(text string) *lazyRegexp { return &lazyRegexp{text: text} }

func (l *lazyRegexp) get() *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(l.text) })
	return l.re
}
