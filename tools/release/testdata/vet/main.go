// Vet is a program of a user: it runs the checks of the module vet with others.
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/passes/nilness"

	"github.com/muxwell/muxwell/vet"
)

func main() { multichecker.Main(analyzers()...) }

func analyzers() []*analysis.Analyzer { return append(vet.Analyzers(), nilness.Analyzer) }
