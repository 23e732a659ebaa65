package generate

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// questions adds ops for everything that does not depend on a request.
func (b *builder) questions() {
	for _, r := range b.routes {
		b.add(program.Getters, r.id, nil)
		if r.buildsPlainly() {
			for range 1 + b.IntN(2) {
				b.add(pick(b, []program.Call{program.URL, program.URLHost, program.URLPath}), r.id, b.pairs(r))
			}
		}
	}
	for _, r := range b.routers {
		b.add(program.Walk, r.id, nil, 0)
		b.add(program.Walk, r.id, nil, b.IntN(17)-8)
	}
	for _, name := range names {
		b.add(program.Get, b.routers[0].id, []string{name})
		b.add(program.Get, pick(b, b.routers).id, []string{name})
	}
}

// pairs returns arguments for building a URL of r: valid ones, wrong values, missing
// variables, or an odd number of strings.
func (b *builder) pairs(r *place) []string {
	list := r.variables(b)
	switch b.IntN(8) {
	case 0:
		if len(list) > 0 {
			list[2*b.IntN(len(list)/2)+1] = pick(b, loose)
		}
	case 1:
		list = list[:len(list)/4*2]
	case 2:
		list = append(list, "extra")
	case 3:
		list = append(list, "extra", "1")
	}
	return list
}

// ask sends one request to a router, and often also to Match methods.
func (b *builder) ask() {
	target := b.routers[0]
	if oneIn(b, 6) {
		target = pick(b, b.routers)
	}
	req := b.request()
	deep := b.IntN(16) / 15
	b.ops = append(b.ops, program.Op{Call: program.ServeHTTP, On: target.id, Nums: []int{deep}, Req: req})
	look := func(call program.Call, on int) {
		b.ops = append(b.ops, program.Op{Call: call, On: on, Req: req})
	}
	if oneIn(b, 3) {
		look(program.Match, target.id)
	}
	if oneIn(b, 4) && !b.Plain {
		look(program.MatchAgain, target.id)
	}
	if oneIn(b, 4) && len(b.routes) > 0 {
		look(program.Match, pick(b, b.routes).id)
	}
	if oneIn(b, 10) && !b.Plain && len(b.routes) > 0 {
		look(program.MatchAgain, pick(b, b.routes).id)
	}
}

// request returns a request that some route matches or almost matches.
func (b *builder) request() *program.Request {
	p := &place{path: []piece{{hits: []string{"/", "/a", "/foo/bar"}}}}
	if len(b.routes) > 0 && !oneIn(b, 40) {
		p = pick(b, b.routes)
		for range 2 { // those of subrouters more often
			if other := pick(b, b.routes); other.depth > p.depth && oneIn(b, 2) {
				p = other
			}
		}
	}
	req := &program.Request{Method: "GET", Host: "example.com", Target: b.path(p)}
	if len(p.methods) > 0 && !oneIn(b, 4) {
		req.Method = strings.ToUpper(pick(b, p.methods))
	} else if oneIn(b, 3) {
		req.Method = pick(b, methods)
	}
	if p.host != nil && !oneIn(b, 12) {
		req.Host = pick(b, p.host.hits)
	} else if oneIn(b, 8) {
		h := pick(b, hosts)
		req.Host = pick(b, append(h.near, h.hits...))
	}
	if !oneIn(b, 10) {
		req.Header = append(req.Header, p.headers...)
	}
	switch b.IntN(24) {
	case 0:
		req.Header = append(req.Header, "X-M", "1")
	case 1:
		req.Header = append(req.Header, "X-Stop", "1")
	case 2:
		h := pick(b, headers)
		req.Header = append(req.Header, h[0], h[2], "X-A", "0")
	}
	req.TLS = oneIn(b, 8) || len(p.schemes) > 0 && p.schemes[0] == "https" && !oneIn(b, 4)
	req.Target += b.query(p)
	b.form(req)
	return req
}

// form rarely converts the target to a form other than path and query.
func (b *builder) form(req *program.Request) {
	switch b.IntN(64) {
	case 8, 9:
		// The rest of the path is the one of a route, or near to it.
		req.Strip = pick(b, []string{"/a", "/foo", "/x/"})
		req.Target = strings.TrimSuffix(req.Strip, "/") + req.Target
	case 10:
		req.Strip = pick(b, []string{"/", "/a", "/foo"})
	case 11:
		req.Path = pick(b, []string{"/a", "/foo/", "a", "/é/a b", "//", "/a/b", "*"})
	case 0, 1:
		req.Target = "http://" + req.Host + req.Target
	case 2:
		req.Target = "https://other.example.com:81" + req.Target
	case 3:
		req.Target = "http://user:word@" + req.Host + req.Target
	case 4:
		req.Target = "http://" + req.Host
	case 5:
		req.Method, req.Target = "OPTIONS", "*"
	case 6:
		req.Method, req.Target = "CONNECT", req.Host
	case 7:
		req.Target = pick(b, []string{"//evil.com/", "//evil.com", "/%2Fevil.com/", `/\evil.com`, "/%5Cevil.com/", "///"})
	}
}

// path returns a path similar to those of p, as it is sent.
func (b *builder) path(p *place) string {
	path := escaped(p.sample(b))
	if !oneIn(b, 4) {
		return path
	}
	at := b.IntN(min(len(path), 255)) // of a change
	switch b.IntN(14) {
	case 0, 1, 2:
		return path + "/"
	case 3, 4:
		return strings.TrimSuffix(path, "/")
	case 5:
		return strings.Replace(path, "/", "//", 1+b.IntN(2))
	case 6:
		return strings.Replace(path, "/", pick(b, []string{"/./", "/../", "/x/../"}), 1)
	case 7:
		if i := strings.LastIndex(path, "/"); i > 0 {
			return path[:i] + pick(b, []string{"%2F", "%2f"}) + path[i+1:]
		}
	case 8:
		if c := path[at]; c != '%' && c != '/' && (at < 2 || path[at-1] != '%' && path[at-2] != '%') {
			return fmt.Sprintf("%s%%%02X%s", path[:at], c, path[at+1:])
		}
	case 9:
		return strings.ToUpper(path)
	case 10:
		return path + pick(b, []string{"x", "/a", "a", "/foo", ".json", "%20", "%C3%A9", "%0A"})
	case 11:
		if at > 0 && !strings.Contains(path, "%") {
			return path[:at]
		}
	case 12:
		return "/" + path
	case 13:
		return path + pick(b, []string{"%", "%zz", "%2", ";a=b", "\\"}) // some cannot be parsed
	}
	return path
}

// query returns the query of a request to p, with its "?".
func (b *builder) query(p *place) string {
	var list []string
	for _, i := range p.queries {
		if near := queries[i].near; len(near) > 0 && oneIn(b, 8) {
			list = append(list, pick(b, near))
		} else {
			list = append(list, pick(b, queries[i].hits))
		}
	}
	if oneIn(b, 8) {
		q := pick(b, queries[:])
		list = append(list, pick(b, append(q.near, q.hits...)))
	}
	if len(list) == 0 {
		return pick(b, []string{"", "", "", "", "", "", "", "?", "?x=1", "?a=1&b=2", "?a=1;b=2", "?u=//evil.com/"})
	}
	return "?" + strings.ReplaceAll(strings.Join(list, pick(b, []string{"&", "&", "&", ";", "&&"})), " ", "+")
}
