package matcher

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
)

// A Error says why an option cannot be a matcher of a route.
type Error struct {
	Option string // as it is written: Headers("X-Beta")
	Reason string // what is wrong with it, and the way out
}

// Error returns the option and the reason.
func (e *Error) Error() string { return e.Option + ": " + e.Reason }

// matchErrorf returns a Error whose reason quotes no more of a text than fits
// a message.
func matchErrorf(option, format string, args ...any) *Error {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = excerpt.Abridge(s)
		}
	}
	return &Error{option, fmt.Sprintf(format, args...)}
}

// OptionText returns an option as it is written: Headers("X-Beta", "1").
func OptionText(name string, args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = strconv.Quote(arg)
	}
	return name + "(" + strings.Join(quoted, ", ") + ")"
}
