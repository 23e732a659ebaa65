package matrix

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// duplicate judges a router that must refuse the probe's last route.
func duplicate(p *Probe, r *router.Router) string {
	last := len(p.Routes) - 1
	alone := &Probe{Routes: p.Routes[:last]}
	if _, reason := alone.load(r, router.Answer); reason != "" {
		return reason
	}
	if _, reason := p.load(r, router.Answer); reason == "" {
		return fmt.Sprintf("takes %s twice", p.Routes[last])
	}
	return ""
}

// ownNames judges a router as usual, but with the parameters' own names.
func ownNames(p *Probe, r *router.Router) string {
	own := *r
	own.Syntax.Places = false
	return p.ask(&own)
}

// empty judges a router that may answer a path with an empty segment in any way, but not
// with an empty value.
func empty(p *Probe, r *router.Router) string {
	return p.never(r, func(got router.Reply) bool { return strings.Contains(got.Body, `""`) }, "/users/", "/users//posts")
}

// dots judges a router that may answer /a/../b in any way, but not with the probe's first
// route.
func dots(p *Probe, r *router.Router) string {
	return p.never(r, func(got router.Reply) bool { return got.Body != "1" }, "/a/../b")
}

// never judges a router that may refuse paths, but must not answer them wrongly.
func (p *Probe) never(r *router.Router, wrong func(router.Reply) bool, paths ...string) string {
	l, reason := p.load(r, router.Answer)
	if reason != "" {
		return reason
	}
	for _, path := range paths {
		sent, err := route.NewRequest(http.MethodGet, "", path)
		if err != nil {
			return err.Error()
		}
		if got := l.Reply(sent.HTTP); got.Status >= 500 || got.Status < 300 && wrong(got) {
			return fmt.Sprintf("GET %s: status %d, route and values %s", path, got.Status, got.Body)
		}
	}
	return ""
}

// keepsValues judges a router by the values that its handlers kept.
func keepsValues(p *Probe, r *router.Router) string {
	return p.kept(r, (*router.Kept).Values)
}

// keepsContext judges a router by the values that its handlers read again from the same
// request or context.
func keepsContext(p *Probe, r *router.Router) string {
	return p.kept(r, (*router.Kept).Again)
}

// kept serves requests and returns what is wrong with what read returns of them
// then. They go through the router's own server and one connection: what is reused
// there only shows there.
func (p *Probe) kept(r *router.Router, read func(k *router.Kept, i int) []string) string {
	const requests = 100
	l, reason := p.load(r, router.Keep)
	if reason != "" {
		return reason
	}
	if err := serve(l, requests); err != nil {
		return err.Error()
	}
	if got := l.Kept.Len(); got != requests {
		return fmt.Sprintf("%d of %d requests arrived", got, requests)
	}
	for i := range requests {
		if got := read(l.Kept, i); !slices.Equal(got, []string{value(i)}) {
			return fmt.Sprintf("%q became %q", value(i), got)
		}
	}
	return ""
}

// value returns the value in the path of the i-th request. All have one length, so
// that one in the memory of another replaces it.
func value(i int) string { return fmt.Sprintf("v%03d", i) }

// serve serves a router on loopback and sends it n requests.
func serve(l *router.Loaded, n int) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	stop, err := l.Serve(listener)
	if err != nil {
		return err
	}
	defer stop()
	client := &http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for i := range n {
		answer, err := client.Get(fmt.Sprintf("http://%s/a/%s", listener.Addr(), value(i)))
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
