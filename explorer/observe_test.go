package explorer

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/muxwell/muxwell"
)

func nothing(http.ResponseWriter, *http.Request) {}

// request serves a request and returns the answer.
func request(h http.Handler, method, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

// requests returns the counts of an observer by pattern, those that are 0 left out.
func requests(o *Observer) map[string]uint64 {
	counts := map[string]uint64{}
	for rt, s := range o.Routes() {
		if s.Requests > 0 {
			counts[rt.Pattern()] += s.Requests
		}
	}
	if n := o.Other().Requests; n > 0 {
		counts["other"] = n
	}
	return counts
}

func TestObserverCounts(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", nothing)
	m.HandleParams("GET /posts/{id}", func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	m.HandleFunc("/tree/", nothing)
	m.HandleFunc("GET /never", nothing)
	m.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	inner := http.NewServeMux()
	inner.HandleFunc("/handed/{to}", nothing)
	m.Handle("/handed/", inner)
	o := Observe(m)
	for _, target := range []string{"/users/1", "/users/2", "/posts/1", "/tree", "/tree/a", "/none", "/handed/on"} {
		request(o, http.MethodGet, target)
	}
	request(o, http.MethodPost, "/users/1")
	func() {
		defer func() {
			if recover() != http.ErrAbortHandler {
				t.Error("the panic of the handler was lost")
			}
		}()
		request(o, http.MethodGet, "/panic")
	}()
	got, want := fmt.Sprint(requests(o)), "map[/tree/:2 GET /panic:1 GET /posts/{id}:1 GET /users/{id}:2 other:3]"
	if got != want {
		t.Errorf("requests: got %s, want %s", got, want)
	}
	for rt, s := range o.Routes() {
		if s.Timed != s.Requests || (s.P50 > 0) != (s.Timed > 0) || s.P99 < s.P50 {
			t.Errorf("%s: %+v, want all timed in quiet times", rt, s)
		}
	}
}

// Routes that share a pattern are told apart.
func TestObserverTellsVariantsApart(t *testing.T) {
	m := muxwell.New()
	beta, err := m.Add("GET /v", http.HandlerFunc(nothing), muxwell.Headers("X-Beta", "1"))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := m.Add("GET /v", http.HandlerFunc(nothing))
	if err != nil {
		t.Fatal(err)
	}
	o := Observe(m)
	r := httptest.NewRequest(http.MethodGet, "/v", nil)
	o.ServeHTTP(httptest.NewRecorder(), r)
	if m.RouteOf(r) != plain {
		t.Skip("built without unsafe code: the mux itself does not tell them apart")
	}
	for rt, s := range o.Routes() {
		want := map[*muxwell.Route]uint64{beta: 0, plain: 1}[rt]
		if s.Requests != want {
			t.Errorf("%s %v: %d requests, want %d", rt, rt.Matchers(), s.Requests, want)
		}
	}
}

// What an observer keeps is bounded by the routes there are.
func TestObserverForgetsRemovedRoutes(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /stays", nothing)
	o := Observe(m)
	request(o, http.MethodGet, "/stays")
	for i := range 50 {
		var rt *muxwell.Route
		err := m.Update(func(tx *muxwell.Tx) (err error) {
			rt, err = tx.Add(fmt.Sprintf("GET /goes%d", i), http.HandlerFunc(nothing))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		request(o, http.MethodGet, fmt.Sprintf("/goes%d", i))
		if n := len(*o.counters.Load()); n != 2 {
			t.Fatalf("%d counters after a new route's first request, want 2", n)
		}
		if err := m.Update(func(tx *muxwell.Tx) error { return tx.Remove(rt) }); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := fmt.Sprint(requests(o)), "map[GET /stays:1]"; got != want {
		t.Errorf("requests: got %s, want %s", got, want)
	}
	if n := len(*o.counters.Load()); n != 1 {
		t.Errorf("%d counters after a look, want 1", n)
	}
}

// No request is lost while routes come and go and somebody looks.
func TestObserverUnderUpdate(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /stays/{id}", nothing)
	o := Observe(m)
	page := Handler(m, Counts(o))
	const clients, each = 4, 500
	var wg, updates sync.WaitGroup
	stop := make(chan struct{})
	updates.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			var rt *muxwell.Route
			m.Update(func(tx *muxwell.Tx) (err error) {
				rt, err = tx.Add(fmt.Sprintf("GET /goes/%d", i%3), http.HandlerFunc(nothing))
				return err
			})
			if w := request(page, http.MethodGet, "/"); w.Code != http.StatusOK {
				t.Errorf("the page: status %d", w.Code)
			}
			m.Update(func(tx *muxwell.Tx) error { return tx.Remove(rt) })
		}
	})
	for range clients {
		wg.Go(func() {
			for i := range each {
				request(o, http.MethodGet, fmt.Sprintf("/stays/%d", i))
				request(o, http.MethodGet, fmt.Sprintf("/goes/%d", i%3))
			}
		})
	}
	wg.Wait()
	close(stop)
	updates.Wait()
	if got := requests(o)["GET /stays/{id}"]; got != clients*each {
		t.Errorf("%d requests counted, want %d", got, clients*each)
	}
}

func TestObserverAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	m := muxwell.New()
	m.HandleFunc("GET /static", nothing)
	m.HandleParams("GET /value/{id}", func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	o := Observe(m)
	for _, target := range []string{"/static", "/value/7"} {
		r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
		o.ServeHTTP(w, r)
		before := (*o.counters.Load())[m.RouteOf(r)].requests.Load()
		if n := testing.AllocsPerRun(1000, func() { o.ServeHTTP(w, r) }); n != 0 {
			t.Errorf("%s: %v allocations, want none", target, n)
		}
		if n := (*o.counters.Load())[m.RouteOf(r)].requests.Load() - before; n < 1000 {
			t.Errorf("%s: %d requests counted, want at least 1000", target, n)
		}
	}
}
