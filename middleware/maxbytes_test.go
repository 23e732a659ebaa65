package middleware

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestMaxBytes(t *testing.T) {
	reads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var tooLong *http.MaxBytesError
		if errors.As(err, &tooLong) {
			http.Error(w, fmt.Sprint("after ", len(body)), http.StatusRequestEntityTooLarge)
			return
		}
		fmt.Fprint(w, len(body))
	})
	for _, row := range []struct {
		limit   int64
		length  int
		chunked bool
		want    string
	}{
		{5, 0, false, "200 0"},
		{5, 5, false, "200 5"},
		{5, 6, false, "413 Request Entity Too Large close"},
		{5, 5, true, "200 5"},
		{5, 6, true, "413 after 5 close"},
		{5, 1 << 20, true, "413 after 5 close"},
		{0, 0, false, "200 0"},
		{0, 1, false, "413 Request Entity Too Large close"},
		{0, 1, true, "413 after 0 close"},
	} {
		// Log stands outside, and has its own writer.
		s := newServer(t, Log(discard, nil)(MaxBytes(row.limit)(reads)), false)
		var body io.Reader = strings.NewReader(strings.Repeat("x", row.length))
		if row.chunked {
			body = io.MultiReader(body)
		}
		resp, err := s.Client().Post(s.URL, "text/plain", body)
		if err != nil {
			t.Errorf("%+v: %v", row, err)
			continue
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		got := fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(text)))
		if resp.Close {
			got += " close"
		}
		if got != row.want {
			t.Errorf("%+v: got %s", row, got)
		}
	}
}

// TestMaxBytesHTTP2: other requests share the connection, which stays.
func TestMaxBytesHTTP2(t *testing.T) {
	s := newServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Peer", r.RemoteAddr)
		MaxBytes(5)(says("")).ServeHTTP(w, r)
	}), true)
	connections := make(map[string]bool)
	for range 3 {
		resp, err := s.Client().Post(s.URL, "text/plain", strings.NewReader("123456"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		connections[resp.Header.Get("Peer")] = true
		if resp.StatusCode != 413 || resp.ProtoMajor != 2 {
			t.Errorf("got %s with %s", resp.Status, resp.Proto)
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections, want 1", len(connections))
	}
}

func TestMaxBytesWithoutBody(t *testing.T) {
	r := newRequest("GET", "/")
	r.Body = nil // as a client's request has it
	if got := answer(MaxBytes(5)(says("fine")), r).Body.String(); got != "fine" {
		t.Errorf("got %q", got)
	}
	checkPanics(t, map[string]func(){
		"middleware: MaxBytes: limit -1 is negative; use 0 for requests without a body": func() { MaxBytes(-1) },
	})
}
