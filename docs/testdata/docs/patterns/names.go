// Package page has what the code of patterns.md uses and does not show.
package page

import (
	"net/http"
	_ "strings"

	_ "github.com/muxwell/muxwell"
)

var getItem http.HandlerFunc
