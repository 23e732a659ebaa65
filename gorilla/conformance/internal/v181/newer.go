package v181

import (
	"io"
	"net/http"
)

// This file is package oracle's newer.go for a version without what that file uses.
// Machines of this package have Old and WrapHandlers set, and run programs without
// program.Newer calls.

func currentRouter(*http.Request) *muxRouter { return nil }

func omitRoute(r *muxRouter, _ bool) *muxRouter  { return r }
func omitRouter(r *muxRouter, _ bool) *muxRouter { return r }

func setMetadata(r *muxRoute, _, _ any) *muxRoute { return r }

func useOnRoute(r *muxRoute, _ []muxMiddlewareFunc) *muxRoute { return r }

func wrappedHandler(*muxRoute) http.Handler { return nil }

func writeMetadata(io.Writer, *muxRoute) {}
