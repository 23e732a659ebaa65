// Command similarity tells how similar two texts are, over HTTP or for the rows of a
// file.
//
//	similarity [FLAGS]           serve: POST /similarity, and a page to try it
//	similarity batch pairs.csv   compare the texts of each row
//	similarity version
//	similarity help
//
// Each flag of the server can be an environment variable too: -max-body is
// SIMILARITY_MAX_BODY. A flag goes before its variable; one that is empty is not set.
//
// Ctrl-C or SIGTERM ends the server when the requests in flight are answered, a second
// one at once. The exit status is 0 if all went well, also after Ctrl-C; 1 if something
// failed, requests that had to be cut off among it; and 2 if similarity was called
// wrongly. Package batch says what else its command returns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/muxwell/muxwell/similarity/batch"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // from here on a signal kills
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	statusFailed = 1
	statusUsage  = 2
)

// A usageError says how similarity was called wrongly.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

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
	case "version":
		err = version(rest, stdout)
	case "help":
		err = help(rest, stdout)
	default:
		err = usageError{fmt.Errorf("there is no command %q; there are serve, batch, version and help", name)}
	}
	return status(err, stderr)
}

// status prints an error and returns the exit status that it stands for.
func status(err error, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "similarity: %v\n", err)
	if _, wrong := errors.AsType[usageError](err); wrong {
		return statusUsage
	}
	return statusFailed
}

// version prints what was built with what.
func version(operands []string, stdout io.Writer) error {
	if len(operands) > 0 {
		return usageError{errors.New("version takes no operands")}
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
		return usageError{fmt.Errorf("help takes no operands; similarity %s -help shows the flags of %[1]s", operands[0])}
	}
	printUsage(stdout, newFlags(new(options)))
	return nil
}
