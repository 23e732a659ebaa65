package main

import (
	"errors"
	"flag"
	"io"
)

// A usageError reports invalid arguments of the program.
type usageError struct {
	reason string
}

func (e *usageError) Error() string { return e.reason }

// newFlagSet returns a flag set that prints no messages itself.
func newFlagSet(c command) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parseFlags parses flags before, between and after the operands, which it
// returns; after "--" everything is an operand. The error is a [*usageError]
// or [flag.ErrHelp].
func parseFlags(fs *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, &usageError{reason: err.Error()}
		}
		rest := fs.Args()
		if parsed := len(args) - len(rest); parsed > 0 && args[parsed-1] == "--" {
			return append(operands, rest...), nil
		}
		if len(rest) == 0 {
			return operands, nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}
