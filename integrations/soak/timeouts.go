package soak

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// A handler that overruns its time waits after the 503, until the client that got the 503
// opens the gate of the request. So the order of events is tested, not their duration.

const (
	shortTimeout = 20 * time.Millisecond
	latePanic    = "soak: a handler panics behind the 503, as it was asked to"
)

// overdues are the handlers that overrun their time.
var overdues = []call{
	{method: "GET", path: "/timeout/slow"},
	{method: "GET", path: "/timeout/panic"},
	{method: "POST", path: "/timeout/upload"},
}

// overrun calls a handler that overruns its time, or one that has begun to answer by then,
// with each protocol in turn.
func overrun(s *suite, name string, i int) {
	c := s.servers.clients[i/2/len(overdues)%len(s.servers.clients)]
	if i%2 == 1 {
		s.readBegun(name, c)
		return
	}
	x := overdues[i/2%len(overdues)]
	x.status, x.answer, x.runs = http.StatusServiceUnavailable, "Service Unavailable\n", 1
	if x.method == "POST" {
		x.body, _ = newForm(20_000)
		x.header = map[string]string{contentType: formType}
	}
	close(s.app.gate(s.exchange(name, c, x)))
}

// gate returns the gate of a request. Either side may call it first.
func (a *app) gate(id string) chan struct{} {
	gate, _ := a.gates.LoadOrStore(id, make(chan struct{}))
	return gate.(chan struct{})
}

// pass waits for the deadline and for the gate.
func (a *app) pass(r *http.Request) {
	id := r.Header.Get(idHeader)
	defer a.gates.Delete(id)
	end := time.After(patience)
	for _, c := range []<-chan struct{}{r.Context().Done(), a.gate(id)} {
		select {
		case <-c:
		case <-end:
			a.faults.addf("timeouts", "%s: no 503 %v after the deadline", r.Pattern, patience)
			return
		}
	}
}

// overdue tries to answer after the 503.
func (a *app) overdue(w http.ResponseWriter, r *http.Request) {
	a.pass(r)
	if _, err := io.WriteString(w, "late"); !errors.Is(err, http.ErrHandlerTimeout) {
		a.faults.addf("timeouts", "%s: a write after the 503 returns %v, want %v", r.Pattern, err, http.ErrHandlerTimeout)
	}
}

// overduePanic panics after the 503.
func (a *app) overduePanic(_ http.ResponseWriter, r *http.Request) {
	a.pass(r)
	a.late.Add(1)
	panic(latePanic)
}

// overdueUpload has temporary files when the 503 is sent, or creates them after it.
func (a *app) overdueUpload(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseMultipartForm(inMemory) // where the deadline comes first, the body cannot be read
	a.overdue(w, r)
}

const begunAnswer = "begun, and ended"

// begun begins to answer in time, and ends after the deadline.
func (a *app) begun(w http.ResponseWriter, r *http.Request) {
	first, rest := begunAnswer[:5], begunAnswer[5:]
	if _, err := io.WriteString(w, first); err != nil {
		return // the deadline came first
	}
	_ = http.NewResponseController(w).Flush() // a fault is one of the next write too
	<-r.Context().Done()
	if _, err := io.WriteString(w, rest); err != nil {
		a.faults.addf("timeouts", "%s: a write of an answer that began in time returns %v", r.Pattern, err)
	}
}

// readBegun calls the handler that begins in time. On a busy machine it may not, and then
// gets a 503 as the others do.
func (s *suite) readBegun(name string, c *client) {
	const path = "/timeout/begun"
	status, body, id, err := s.get(name, c, path)
	s.ledger.answered(id, 1)
	s.tally.answer(name, status)
	whole := status == http.StatusOK && body == begunAnswer
	expired := status == http.StatusServiceUnavailable && body == "Service Unavailable\n"
	if err != nil || !whole && !expired {
		s.faults.addf(name, "GET %s: status %d, %q, %v", path, status, body, err)
	}
}
