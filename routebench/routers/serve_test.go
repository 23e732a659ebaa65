package routers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// silent is the variable of the environment that makes the test's program serve
// with every router and end.
const silent = "ROUTEBENCH_SERVE_ALL"

func TestMain(m *testing.M) {
	if os.Getenv(silent) == "" {
		os.Exit(m.Run())
	}
	if err := serveAll(); err != nil {
		fmt.Println(err)
	}
}

// few returns some routes, and a request for each of them.
func few(t testing.TB) ([]*route.Route, []*route.Request) {
	t.Helper()
	routes := parse(t, "GET /", "GET /users/{id}", "POST /users/{id}/posts/{post}")
	return routes, requests(t, routes)
}

// templates returns the requests themselves.
func templates(requests []*route.Request) []*http.Request {
	var all []*http.Request
	for _, q := range requests {
		all = append(all, q.HTTP)
	}
	return all
}

// TestPasses counts what handlers are called with.
func TestPasses(t *testing.T) {
	routes, requests := few(t)
	for _, r := range All() {
		l := load(t, r, routes, router.Keep)
		l.Passes(templates(requests))(3)
		if got, want := l.Kept.Len(), 3*len(requests); got != want {
			t.Errorf("%s: handlers were called %d times, want %d", r.Name, got, want)
		}
	}
}

// TestPassesAtOnce is for the race detector.
func TestPassesAtOnce(t *testing.T) {
	routes, requests := few(t)
	all := templates(requests)
	for _, r := range All() {
		l := load(t, r, routes, router.Keep)
		var wg sync.WaitGroup
		for range 2 {
			pass := l.Passes(all)
			wg.Go(func() { pass(20) })
		}
		wg.Wait()
		if got, want := l.Kept.Len(), 2*20*len(requests); got != want {
			t.Errorf("%s: handlers were called %d times, want %d", r.Name, got, want)
		}
	}
}

func TestServe(t *testing.T) {
	routes, requests := few(t)
	for _, r := range All() {
		if err := serve(load(t, r, routes, router.Answer), requests); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// serve serves on the loopback interface, and sends the requests.
func serve(l *router.Loaded, requests []*route.Request) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	stop, err := l.Serve(listener)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{}}
	for _, q := range requests {
		if err = ask(client, address, q); err != nil {
			break
		}
	}
	client.CloseIdleConnections()
	stop()
	if err != nil {
		return err
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		return fmt.Errorf("%s answers after stop", address)
	}
	return nil
}

// ask sends a request, and returns what is wrong with the answer.
func ask(client *http.Client, address string, q *route.Request) error {
	r, err := http.NewRequest(q.HTTP.Method, "http://"+address+q.HTTP.RequestURI, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	want := fmt.Sprint(q.Route)
	for _, v := range q.Values {
		want += fmt.Sprintf(" %q", v)
	}
	if got := string(body); answer.StatusCode != q.Status || got != want {
		return fmt.Errorf("%s: answer %d %q, want %d %q", q, answer.StatusCode, got, q.Status, want)
	}
	return nil
}

// serveAll serves with every router, also what has no route.
func serveAll() error {
	list, err := route.Parse("GET /a/{x}")
	if err != nil {
		return err
	}
	found, err := route.NewRequest("GET", "", "/a/b")
	if err != nil {
		return err
	}
	found.Route, found.Values, found.Status = 0, []string{"b"}, 200
	missing, err := route.NewRequest("GET", "", "/b")
	if err != nil {
		return err
	}
	wrong, err := route.NewRequest("POST", "", "/a/b")
	if err != nil {
		return err
	}
	for _, r := range All() {
		l, err := r.Load([]*route.Route{list}, router.Answer)
		if err != nil {
			return err
		}
		l.Reply(missing.HTTP)
		l.Reply(wrong.HTTP)
		l.Passes(templates([]*route.Request{found, missing, wrong}))(2)
		if err := serve(l, []*route.Request{found}); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return nil
}

// TestSilent checks that no router prints anything: a run's output is its own.
func TestSilent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(slices.Clone(os.Environ()), silent+"=1")
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("error %v, printed %q, want nothing", err, out)
	}
}
