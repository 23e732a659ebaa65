// Package page has what README.md's code uses and does not show.
package page

import (
	_ "context"
	_ "errors"
	_ "fmt"
	_ "log"
	_ "log/slog"
	"net/http"
	_ "net/netip"
	_ "os"
	_ "strings"
	_ "time"

	"github.com/muxwell/muxwell"
	_ "github.com/muxwell/muxwell/explorer"
	_ "github.com/muxwell/muxwell/middleware"
)

var (
	m *muxwell.Mux
	h http.Handler
	w http.ResponseWriter
	r *http.Request
	p muxwell.Params

	getUser, pay, shop, dashboard, adminUser, later                       http.HandlerFunc
	getReport, searchAll, searchTag, itemV2, itemV1, createItem, internal http.HandlerFunc
	apiNotFound, reports, legacy                                          http.Handler
	requestID, logging, auth, audit                                       muxwell.Middleware
	old                                                                   *muxwell.Route
)

func writeOrder(http.ResponseWriter, uint32) error { return nil }
