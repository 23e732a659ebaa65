package pattern

import (
	"fmt"

	"github.com/muxwell/muxwell/internal/excerpt"
)

// An Error reports an invalid pattern.
type Error struct {
	Pattern string // the text
	Offset  int    // the byte in Pattern at which the error begins, 0 ≤ Offset ≤ len(Pattern)
	Reason  string // what is wrong there and, if possible, how to fix it
}

// Error returns the reason, and where it applies.
func (e *Error) Error() string {
	return fmt.Sprintf("pattern %q: at offset %d: %s", excerpt.Abridge(e.Pattern), e.Offset, e.Reason)
}

// Errorf returns an error whose reason shortens long texts that it quotes.
func Errorf(pattern string, offset int, format string, args ...any) *Error {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = excerpt.Abridge(s)
		}
	}
	return &Error{Pattern: pattern, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}
