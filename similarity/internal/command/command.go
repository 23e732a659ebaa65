// Package command is what the commands of similarity have in common: exit statuses, flags
// before and after operands, sizes in bytes, and a progress bar.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Exit statuses.
const (
	Failed      = 1
	Usage       = 2
	Rejected    = 3
	Interrupted = 130 // 128 plus the number of SIGINT, as in shells
)

// A UsageError is an error in the arguments.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

var (
	// ErrRejected is the error of a complete run that rejected some rows, which it has reported.
	ErrRejected = errors.New("rows were rejected")
	// ErrInterrupted is the error of a run whose context was canceled.
	ErrInterrupted = errors.New("interrupted")
)

// Status returns the exit status for the error of a command with a name, and prints the error
// unless it has been reported already.
func Status(name string, err error, stderr io.Writer) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, ErrRejected):
		return Rejected
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	if errors.Is(err, ErrInterrupted) {
		return Interrupted
	}
	if _, isUsage := errors.AsType[UsageError](err); isUsage {
		return Usage
	}
	return Failed
}

// Parse parses flags before and after operands, which it returns. For -help it prints a text
// and the flags to stdout, and returns [flag.ErrHelp]; other errors are a [UsageError].
func Parse(fs *flag.FlagSet, args []string, help string, stdout io.Writer) (operands []string, err error) {
	fs.SetOutput(io.Discard)
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, help)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		if err != nil {
			return nil, UsageError{fmt.Errorf("%w; -help shows all flags", err)}
		}
		if fs.NArg() == 0 {
			return operands, nil
		}
		operands = append(operands, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// units are in descending order.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

// ParseSize parses a number of bytes such as 500000, 512KiB, 4MiB or 2GiB. It tells whether
// the number is one from least to most.
func ParseSize(s string, least, most int64) (n int64, ok bool) {
	for _, u := range units {
		digits, found := strings.CutSuffix(s, u.name)
		if !found {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > most/u.bytes || n*u.bytes < least {
			return 0, false
		}
		return n * u.bytes, true
	}
	panic("unreachable") // the last unit is a suffix of all
}

// FormatSize formats a number of bytes as [ParseSize] reads it, in the largest unit without a
// fraction.
func FormatSize(n int64) string {
	for _, u := range units {
		if n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return "0"
}

// Count formats a number of things, with a plural s.
func Count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
