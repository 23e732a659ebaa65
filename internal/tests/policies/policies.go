// Package policies runs a test under each policy for trailing slashes and unclean paths.
package policies

import (
	"fmt"
	"testing"

	"github.com/muxwell/muxwell"
)

// Slash are the policies for trailing slashes, Path those for unclean paths.
var (
	Slash = []muxwell.SlashPolicy{muxwell.SlashRedirect, muxwell.SlashStrict, muxwell.SlashIgnore}
	Path  = []muxwell.PathPolicy{muxwell.PathRedirect, muxwell.PathStrict, muxwell.PathServe}
)

// Each calls f with an option list for each combination of policies.
func Each(t *testing.T, f func(t *testing.T, options ...muxwell.Option)) {
	t.Helper()
	for _, slash := range Slash {
		for _, unclean := range Path {
			t.Run(fmt.Sprintf("slash=%d,unclean=%d", slash, unclean), func(t *testing.T) {
				f(t, muxwell.TrailingSlash(slash), muxwell.UncleanPath(unclean))
			})
		}
	}
}
