// Package page has what the code of command.md uses and does not show.
package page

import (
	_ "log"

	"github.com/muxwell/muxwell"
)

var m *muxwell.Mux
