package vet

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/muxwell/muxwell/vet/internal/conflict"
	"github.com/muxwell/muxwell/vet/internal/middleware"
	"github.com/muxwell/muxwell/vet/internal/params"
	"github.com/muxwell/muxwell/vet/internal/pattern"
)

func TestPattern(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", pattern.Analyzer, "./testdata/pattern")
}

func TestConflict(t *testing.T) {
	analysistest.Run(t, ".", conflict.Analyzer, "./testdata/conflict")
}

func TestParams(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", params.Analyzer, "./testdata/params", "./testdata/params/library")
}

func TestMiddleware(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", middleware.Analyzer, "./testdata/middleware")
}
