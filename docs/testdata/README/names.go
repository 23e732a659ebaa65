// Package page has what README.md's code uses and does not show.
package page

import (
	_ "log"
	"net/http"

	"github.com/muxwell/muxwell"
)

var (
	m *muxwell.Mux

	getUser, pay, itemsV1, itemsV2  http.HandlerFunc
	legacy                          http.Handler
	admin                           *muxwell.Mux
	requestID, logging, auth, audit muxwell.Middleware
)

func writeOrder(http.ResponseWriter, uint32) error { return nil }
