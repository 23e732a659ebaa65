package result_test

import (
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
)

// scenario returns the scenario of a name of a run.
func scenario(t *testing.T, run *result.Run, name string) *result.Scenario {
	t.Helper()
	for i := range run.Scenarios {
		if run.Scenarios[i].Name == name {
			return &run.Scenarios[i]
		}
	}
	t.Fatalf("there is no scenario %s", name)
	return nil
}
