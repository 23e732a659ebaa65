// Package page has what the code of security.md uses and does not show.
package page

import (
	_ "errors"
	_ "io"
	_ "log"
	"net/http"
	_ "net/netip"
	_ "os"
	_ "path"
	_ "strings"
	_ "time"

	"github.com/muxwell/muxwell"
	_ "github.com/muxwell/muxwell/middleware"
)

var (
	m *muxwell.Mux

	dashboard, pay http.HandlerFunc
	files          http.Handler
	guard          muxwell.Middleware
)
