package matcher

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
)

// An Error reports why an option cannot be a matcher of a route.
type Error struct {
	Option string // as a program writes it: Headers("X-Beta")
	Reason string // what is wrong with it, and how to fix it
}

// Error returns the option and the reason.
func (e *Error) Error() string { return e.Option + ": " + e.Reason }

// matchErrorf returns an Error whose reason shortens long texts that it quotes.
func matchErrorf(option, format string, args ...any) *Error {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = excerpt.Abridge(s)
		}
	}
	return &Error{option, fmt.Sprintf(format, args...)}
}

// OptionText returns an option as a program writes it: Headers("X-Beta", "1").
func OptionText(name string, args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = strconv.Quote(arg)
	}
	return name + "(" + strings.Join(quoted, ", ") + ")"
}
