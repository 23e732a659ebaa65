package muxwell_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/muxwell/muxwell"
)

// A handler returns what it cannot answer. An error with a StatusCode, as that
// of Param, is answered with that status; its text stays on the server.
func ExampleMux_HandleError() {
	m := muxwell.New()
	m.HandleError("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := muxwell.Param[int](r, "id")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "user %d", id)
		return err
	})

	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "GET", "/users/bob"))
	// Output:
	// 200 user 42
	// 400 Bad Request
}

// An ErrorFunc is a handler under any mux. A muxwell.Mux that it is registered with
// answers its errors by its own ErrorHandler.
func ExampleErrorFunc() {
	deleteUser := muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error {
		return errNotYours
	})
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, "refused: "+err.Error(), http.StatusForbidden)
	}))
	m.Handle("DELETE /users/{id}", deleteUser)
	s := http.NewServeMux()
	s.Handle("DELETE /users/{id}", deleteUser)

	fmt.Println(get(m, "DELETE", "/users/42"))
	fmt.Println(get(s, "DELETE", "/users/42"))
	// Output:
	// 403 refused: the user belongs to another tenant
	// 403 Forbidden
}

// A statusError is an error of an API that says which status it is.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string   { return e.text }
func (e *statusError) StatusCode() int { return e.status }

var errNotYours = &statusError{http.StatusForbidden, "the user belongs to another tenant"}

// An ErrorHandler answers in the form that the rest of an API has.
func ExampleErrorHandler() {
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, err error) {
		if muxwell.Began(w) {
			return // there is nothing left to answer; a real one would log err
		}
		status := http.StatusInternalServerError
		var e *statusError
		if errors.As(err, &e) {
			status = e.status
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"status": status, "title": http.StatusText(status)})
	}))
	m.HandleError("GET /users/{id}", func(http.ResponseWriter, *http.Request) error { return errNotYours })

	fmt.Println(get(m, "GET", "/users/42"))
	// Output:
	// 403 {"status":403,"title":"Forbidden"}
}

// What was sent cannot be taken back: an error behind it changes nothing.
func ExampleBegan() {
	m := muxwell.New()
	m.HandleError("GET /report", func(w http.ResponseWriter, _ *http.Request) error {
		fmt.Println(muxwell.Began(w))
		io.WriteString(w, "half a report")
		fmt.Println(muxwell.Began(w))
		return errors.New("the other half is lost")
	})

	fmt.Println(get(m, "GET", "/report"))
	// Output:
	// false
	// true
	// 200 half a report
}
