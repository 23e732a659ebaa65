package main

import (
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestAnalyzers(t *testing.T) {
	if err := analysis.Validate(analyzers()); err != nil {
		t.Error(err)
	}
}
