package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
)

func helpCommand() command {
	return command{
		name:     "help",
		operands: "[COMMAND]",
		short:    "print the usage of muxwell or of one of its commands",
		setup:    func(*flag.FlagSet) runner { return help },
	}
}

func help(_ context.Context, std stdio, operands []string) error {
	if len(operands) == 0 {
		printUsage(std.out)
		return nil
	}
	if len(operands) > 1 {
		return &usageError{reason: "help takes one command, not " + strings.Join(operands, " ")}
	}
	c, err := findCommand(operands[0])
	if err != nil {
		return err
	}
	printCommandUsage(std.out, c)
	return nil
}

// printUsage prints the usage of the program.
func printUsage(w io.Writer) {
	fmt.Fprint(w, `Muxwell works on lists of routes, text files with one route a line:

  GET /users/{id}
  GET,POST example.com/form   # two methods, one host
  /files/{path...}            # any method
  GET /v/{id} name=v header=X-Beta:1 query=q={q}

The options of a route follow its pattern. A value with a space or a # must be
quoted as a whole: header="X-Note: a b". Options with a comma here take lists:

`)
	fmt.Fprint(w, routelist.Usage(), `
Usage:

  muxwell COMMAND [FLAGS] [OPERANDS]

Commands:

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\nRun 'muxwell help COMMAND' for more about a command.\n")
}

// printCommandUsage prints the usage of a command.
func printCommandUsage(w io.Writer, c command) {
	fs := newFlagSet(c)
	c.setup(fs)
	flags := ""
	fs.VisitAll(func(f *flag.Flag) {
		value, _ := flag.UnquoteUsage(f) // "" for a boolean flag
		flags += fmt.Sprintf(" [%s]", strings.TrimRight("-"+f.Name+" "+value, " "))
	})
	usage := strings.TrimRight("muxwell "+c.name+flags+" "+c.operands, " ")
	fmt.Fprintf(w, "Usage: %s\n\n%s%s.\n", usage, strings.ToUpper(c.short[:1]), c.short[1:])
	if c.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.long))
	}
	if flags != "" {
		fmt.Fprint(w, "\nFlags:\n\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}
