package source

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/routebench/route"
)

// An Oracle returns the right answer to each request: that of a mux of muxwell with all
// routes of a comparison. It is safe for concurrent use.
type Oracle struct {
	mux    *muxwell.Mux
	routes []*route.Route
	added  []*muxwell.Route // the same routes in the mux
}

// NewOracle returns the oracle for routes. It returns an error if muxwell refuses a route.
// For duplicate routes the error names both.
func NewOracle(routes []*route.Route) (*Oracle, error) {
	o := &Oracle{mux: muxwell.New(), routes: routes, added: make([]*muxwell.Route, len(routes))}
	for i, r := range routes {
		var err error
		if o.added[i], err = o.mux.Add(r.Text, note(i, r.Names()), append(slices.Clone(r.Options), place(r, i))...); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// place returns the source of a route, for errors, or its number if it has no source.
func place(r *route.Route, i int) muxwell.RouteOption {
	if at := strings.LastIndexByte(r.Source, ':'); at > 0 {
		if line, err := strconv.Atoi(r.Source[at+1:]); err == nil {
			return muxwell.Source(r.Source[:at], line)
		}
	}
	return muxwell.Source("routes", i+1)
}

// note returns a handler that records its route in the answer.
func note(i int, names []string) muxwell.ParamsFunc {
	return func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		a := w.(*answer)
		a.route, a.values = i, make([]string, len(names))
		for k, name := range names {
			a.values[k] = p.Get(name)
		}
	}
}

// An answer is a response writer that records the answer without its body.
type answer struct {
	header http.Header
	status int
	route  int // -1 for the mux's own
	values []string
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return len(b), nil }

// Request returns a request with the right answer: a route with the values of its
// parameters, or the status if no route matches. target is the path and the query. An empty
// host is example.com. It returns an error if the target is invalid.
func (o *Oracle) Request(method, host, target string) (*route.Request, error) {
	q, err := route.NewRequest(method, host, target)
	if err != nil {
		return nil, err
	}
	o.answer(q)
	return q, nil
}

// answer sets the right answer to a request.
func (o *Oracle) answer(q *route.Request) {
	a := &answer{header: make(http.Header), status: http.StatusOK, route: -1}
	served := *q.HTTP
	o.mux.ServeHTTP(a, &served)
	q.Route, q.Values, q.Status = a.route, a.values, a.status
}

// Samples returns a request for each route, in order, and the indexes of the routes for
// which [Oracle.Sample] finds none. The same seed gives the same requests. An additional
// route at the end does not change the requests for the others, unless it matches them.
func (o *Oracle) Samples(seed uint64) (requests []*route.Request, unreachable []int) {
	for i := range o.routes {
		q, ok := o.Sample(i, rand.New(rand.NewPCG(seed, uint64(i))))
		if !ok {
			unreachable = append(unreachable, i)
			continue
		}
		requests = append(requests, q)
	}
	return requests, unreachable
}
