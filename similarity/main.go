// Command similarity computes how similar two texts are, over HTTP or for the rows of CSV,
// JSONL and Parquet files.
//
//	similarity [FLAGS]           serve: POST /similarity, and a page to try it
//	similarity batch pairs.csv   compare the texts of each row
//	similarity pairs docs.jsonl  find all pairs of similar documents
//	similarity version
//	similarity help
//
// Each flag of the server can also be set by an environment variable, such as
// SIMILARITY_MAX_BODY for -max-body. The flag takes precedence. An empty variable is
// ignored.
//
// After Ctrl-C or SIGTERM the server finishes the requests in flight and ends; after a
// second one it ends immediately. The exit status is 0 on success, also after Ctrl-C; 1 if
// something failed or requests had to be cut off; and 2 for invalid arguments. Packages
// batch and pairs document the other exit statuses of their commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/muxwell/muxwell/similarity/batch"
	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/pairs"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // a second signal kills the process
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command that the arguments name and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name, rest := "serve", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, rest = args[0], args[1:]
	}
	var err error
	switch name {
	case "serve":
		err = serveCommand(ctx, rest, stdout, stderr)
	case "batch":
		return batch.Main(ctx, rest, stdin, stdout, stderr)
	case "pairs":
		return pairs.Main(ctx, rest, stdin, stdout, stderr)
	case "version":
		err = version(rest, stdout)
	case "help":
		err = help(rest, stdout)
	default:
		err = command.UsageError{Err: fmt.Errorf("unknown command %q; the commands are serve, batch, pairs, version and help", name)}
	}
	return command.Status("similarity", err, stderr)
}

// version prints the versions of the program and of Go.
func version(operands []string, stdout io.Writer) error {
	if len(operands) > 0 {
		return command.UsageError{Err: errors.New("version takes no operands")}
	}
	built := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		built = info.Main.Version
	}
	_, err := fmt.Fprintf(stdout, "similarity %s %s %s/%s\n", built, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// help prints the flags.
func help(operands []string, stdout io.Writer) error {
	if len(operands) > 0 {
		return command.UsageError{Err: fmt.Errorf("help takes no operands; similarity %s -help shows the flags of %[1]s", operands[0])}
	}
	printUsage(stdout, newFlags(new(options)))
	return nil
}
