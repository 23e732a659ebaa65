// Command muxwell serves, explains and checks lists of routes. A list is a text file with
// one route per line:
//
//	GET /users/{id}
//	GET,POST example.com/form   # a method list, a host
//	/files/{path...}            # any method
//	GET /v/{id} name=v header=X-Beta:1 query=q={q}
//
// Usage:
//
//	muxwell serve [-addr HOST:PORT] FILE
//	muxwell match [-H HEADER] [-client ADDR] [-json] FILE METHOD URL
//	muxwell check [-all] [-json] FILE
//	muxwell version
//	muxwell help [COMMAND]
//
// It exits with 0 on success, with 1 if something failed, match found no route or check
// found an error, and with 2 if the arguments are invalid or the list of match has an
// error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/muxwell/muxwell/internal/routelist"
)

func main() {
	ctx, end := context.WithCancel(context.Background())
	signals, restore := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(signals, func() {
		restore() // from here on a signal terminates the program
		end()
	})
	os.Exit(run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

// A stdio holds the standard streams of a call.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// A command is one of the program's commands.
type command struct {
	name     string
	operands string // what follows the name in its usage line
	short    string // what it does, in one line
	long     string // more help
	// setup defines the command's flags and returns what runs it, once they
	// are parsed, with the operands.
	setup func(*flag.FlagSet) runner
}

// A runner runs a command until it is done or ctx ends. If the arguments are invalid, its
// error is a [*usageError].
type runner func(ctx context.Context, std stdio, operands []string) error

// A graverError has an exit status of its own, for commands for which 1 means something
// else.
type graverError struct {
	error
	status int
}

func (e *graverError) Unwrap() error { return e.error }

// errSaid is the error of a command that has already printed what is wrong.
var errSaid = errors.New("already reported")

// commands returns the commands in the order of the usage text.
func commands() []command {
	return []command{serveCommand(), matchCommand(), checkCommand(), versionCommand(), helpCommand()}
}

// findCommand returns the command called name.
func findCommand(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, &usageError{reason: fmt.Sprintf("unknown command %q; commands are %s", name, strings.Join(names, ", "))}
}

// run runs the program with the given arguments until it is done or ctx ends,
// and returns its exit status.
func run(ctx context.Context, args []string, std stdio) int {
	err := dispatch(ctx, args, std)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSaid):
		return 1
	}
	status := 1
	if graver, ok := errors.AsType[*graverError](err); ok {
		status = graver.status
	}
	if faults, ok := errors.AsType[routelist.Errors](err); ok {
		fmt.Fprintln(std.err, printable(faults.Error())) // file:line first, for editors
		return status
	}
	prefix := "muxwell"
	if len(args) > 0 {
		if c, err := findCommand(args[0]); err == nil {
			prefix += " " + c.name
		}
	}
	fmt.Fprintf(std.err, "%s: %s\n", prefix, printable(err.Error()))
	if _, ok := errors.AsType[*usageError](err); !ok {
		return status
	}
	fmt.Fprintf(std.err, "Run '%s -h' for usage.\n", prefix)
	return 2
}

// dispatch runs the command that args name.
func dispatch(ctx context.Context, args []string, std stdio) error {
	if len(args) == 0 {
		return &usageError{reason: "no command given"}
	}
	name, args := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	}
	if name == "-version" || name == "--version" {
		return &usageError{reason: "unknown flag " + name + "; to print the version run muxwell version"}
	}
	if strings.HasPrefix(name, "-") {
		return &usageError{reason: fmt.Sprintf("flag %s before the command; put flags after it", name)}
	}
	c, err := findCommand(name)
	if err != nil {
		return err
	}
	fs := newFlagSet(c)
	start := c.setup(fs)
	operands, err := parseFlags(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		printCommandUsage(std.out, c)
		return nil
	}
	if err != nil {
		return err
	}
	return start(ctx, std, operands)
}
