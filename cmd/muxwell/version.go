package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionCommand() command {
	return command{
		name:  "version",
		short: "print the version of muxwell and of the Go it was built with",
		setup: func(*flag.FlagSet) runner { return version },
	}
}

func version(_ context.Context, std stdio, operands []string) error {
	if len(operands) > 0 {
		return &usageError{reason: "version takes no operands"}
	}
	built := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		built = info.Main.Version
	}
	fmt.Fprintf(std.out, "muxwell %s %s %s/%s\n", built, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
