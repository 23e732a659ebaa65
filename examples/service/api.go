package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

// An api has the handlers of the API and its data, in memory.
type api struct {
	logger *slog.Logger

	mu      sync.Mutex
	orders  []order
	changed chan struct{} // closed at the next change
}

type order struct {
	ID      int    `json:"id"`
	Item    string `json:"item"`
	Count   int    `json:"count"`
	Invoice int64  `json:"invoice,omitempty"` // its length in bytes
}

func newAPI(logger *slog.Logger) *api {
	return &api{logger: logger, changed: make(chan struct{})}
}

// list answers with the newest orders, up to the limit in the query.
func (a *api) list(w http.ResponseWriter, r *http.Request) error {
	limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "20"))
	if err != nil || limit < 1 || limit > 100 {
		return &muxwell.HTTPError{Status: http.StatusBadRequest, Reason: "invalid_limit", Detail: "limit must be a number from 1 to 100"}
	}
	a.mu.Lock()
	orders := append([]order{}, a.orders[max(0, len(a.orders)-limit):]...) // [] in JSON if there is none
	a.mu.Unlock()
	middleware.AddAttrs(r.Context(), slog.Int("orders", len(orders))) // in the line that Log writes
	return writeJSON(w, http.StatusOK, orders)
}

func (a *api) get(w http.ResponseWriter, r *http.Request) error {
	id, err := muxwell.Param[int](r, "id")
	if err != nil {
		return err // 400
	}
	a.mu.Lock()
	i := a.find(id)
	if i < 0 {
		a.mu.Unlock()
		return noOrder(id)
	}
	o := a.orders[i]
	a.mu.Unlock()
	return writeJSON(w, http.StatusOK, o)
}

func (a *api) create(w http.ResponseWriter, r *http.Request) error {
	var o order
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return badBody(err, "invalid_json", "the body is not a JSON object with an order")
	}
	if _, err := d.Token(); err != io.EOF {
		return badBody(err, "invalid_json", "the body has text after the order")
	}
	if o.Item == "" || o.Count < 1 || o.Invoice != 0 || o.ID != 0 {
		return &muxwell.HTTPError{Status: http.StatusUnprocessableEntity, Reason: "invalid_order", Detail: "an order must have an item and a count of 1 or more, and nothing else"}
	}
	a.mu.Lock()
	o.ID = len(a.orders) + 1
	a.orders = append(a.orders, o)
	a.notify()
	a.mu.Unlock()
	a.logger.InfoContext(r.Context(), "order created", "order", o.ID) // LogHandler adds the request ID and the pattern
	w.Header().Set("Location", fmt.Sprintf("/api/orders/%d", o.ID))
	return writeJSON(w, http.StatusCreated, o)
}

// upload reads the invoice of an order.
func (a *api) upload(w http.ResponseWriter, r *http.Request) error {
	id, err := muxwell.Param[int](r, "id")
	if err != nil {
		return err
	}
	size, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		return badBody(err, "incomplete_body", "the upload was interrupted")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	i := a.find(id)
	if i < 0 {
		return noOrder(id)
	}
	a.orders[i].Invoice = size
	a.notify()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// events streams the number of orders, now and after each change, until the client
// leaves or the server shuts down.
func (a *api) events(w http.ResponseWriter, r *http.Request) error {
	ctx, done := graceful.Stream(r.Context())
	defer done()
	c := http.NewResponseController(w)
	if err := c.SetWriteDeadline(time.Time{}); err != nil { // no WriteTimeout of the server
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		a.mu.Lock()
		n, changed := len(a.orders), a.changed
		a.mu.Unlock()
		fmt.Fprintf(w, "data: %d\n\n", n)
		if err := c.Flush(); err != nil {
			return nil // the client has left
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// find returns the index of an order, or -1. The caller holds a.mu.
func (a *api) find(id int) int {
	return slices.IndexFunc(a.orders, func(o order) bool { return o.ID == id })
}

// notify wakes the streams. The caller holds a.mu.
func (a *api) notify() {
	close(a.changed)
	a.changed = make(chan struct{})
}

func noOrder(id int) error {
	return &muxwell.HTTPError{Status: http.StatusNotFound, Reason: "no_order", Detail: fmt.Sprintf("there is no order %d", id)}
}

// badBody returns the error for a body that cannot be read: 413 if it is too large,
// otherwise 400.
func badBody(err error, reason, detail string) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return &muxwell.HTTPError{Status: http.StatusBadRequest, Reason: reason, Detail: detail, Err: err}
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // nobody can handle the error: the client has left
	return nil
}
