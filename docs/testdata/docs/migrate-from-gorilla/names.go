// Package page has what the code of migrate-from-gorilla.md uses and does not show.
package page

import (
	_ "net/http"

	gorilla "github.com/gorilla/mux"
	_ "go.opentelemetry.io/otel/attribute"
	_ "go.opentelemetry.io/otel/trace"

	"github.com/muxwell/muxwell/gorilla/mux"
)

var (
	r *mux.Router
	_ = gorilla.SetURLVars
)
