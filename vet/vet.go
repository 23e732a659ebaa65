// Package vet has the checks of the command muxwell-vet, which finds mistakes in the routes of a
// program when it is compiled. docs/vet.md describes them.
package vet

import (
	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell/vet/internal/conflict"
	"github.com/muxwell/muxwell/vet/internal/middleware"
	"github.com/muxwell/muxwell/vet/internal/params"
	"github.com/muxwell/muxwell/vet/internal/pattern"
)

// Analyzers returns the checks, for programs that run analyzers of several sources.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{pattern.Analyzer, conflict.Analyzer, params.Analyzer, middleware.Analyzer}
}
