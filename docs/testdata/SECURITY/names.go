// Package page has what SECURITY.md's code uses and does not show.
package page

import (
	"net/http"
	_ "strings"

	"github.com/muxwell/muxwell"
)

var (
	m     *muxwell.Mux
	files http.Handler
	guard muxwell.Middleware
)
