// Package page has what the code of guide.md uses and does not show.
package page

import (
	"context"
	_ "errors"
	_ "fmt"
	"html/template"
	_ "io"
	_ "log"
	"log/slog"
	"net/http"
	_ "net/netip"
	_ "os"
	_ "strings"
	"testing"
	_ "time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell"
	_ "github.com/muxwell/muxwell/explorer"
	_ "github.com/muxwell/muxwell/graceful"
	_ "github.com/muxwell/muxwell/middleware"
	_ "github.com/muxwell/muxwell/openapi"
	_ "github.com/muxwell/muxwell/problem"
)

var (
	m *muxwell.Mux
	h http.Handler
	w http.ResponseWriter
	r *http.Request

	getUser, listUsers, createUser, showOrder, showFile, pay http.HandlerFunc
	yearReport, dashboard, adminUser, later, userV1, userV2  http.HandlerFunc
	searchAll, searchTag, searchBeta, createItem, internal   http.HandlerFunc
	storeFile, streamEvents, showAccount                     http.HandlerFunc
	reports, legacy, apiNotFound                             http.Handler
	auth, audit                                              muxwell.Middleware
	logger                                                   *slog.Logger
	old                                                      *muxwell.Route
	ctx                                                      context.Context
	server                                                   *http.Server
	errorPage                                                *template.Template
	spec                                                     *openapi3.T
	t                                                        *testing.T
	showPage                                                 muxwell.ErrorFunc
)

type order struct{}

func (order) writeTo(http.ResponseWriter) error { return nil }

func hasRole(string, any) bool { return false }

func findOrder(*http.Request, uint32) (order, error) { return order{}, nil }
