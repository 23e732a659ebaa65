package inspect

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// An Explanation is the result of routing a request, and its reasons.
type Explanation struct {
	routing.Answer // with the path as it is compared with patterns, even if there is no entry

	Host   string      // as it is compared with patterns
	Others []Candidate // those that matched, by precedence; then those that nearly did, in order of registration
}

// A Candidate is an entry that did not get a request.
type Candidate struct {
	Entry *routing.Entry
	// Matched is set if the entry matches but another one wins. Otherwise the request
	// failed exactly one of its requirements; the matchers together count as one.
	Matched bool
	Reason  string // the rule that decided, or the requirement that failed
}

// Explain returns the result of routing a request, and why the other entries do not get
// it.
func (rs *Routes) Explain(r *http.Request) Explanation {
	x := explainer{comparer: comparer{routes: rs, request: r, method: r.Method}, host: r.Host}
	connect := r.Method == http.MethodConnect
	if !connect {
		x.host = hostname.StripPort(r.Host)
	}
	e := Explanation{Host: hostname.Fold(x.host)}
	if r.RequestURI == "*" {
		e.Path, e.Status = "*", http.StatusBadRequest
		return e
	}
	e.Answer = rs.Tables.Resolve(r, matcher.State{})
	if e.Number == 0 {
		e.Path, e.Escaped = routing.SentPath(r)
		if !connect && rs.Tables.Policy().Unclean == routing.PathRedirect {
			e.Path = urlpath.Clean(e.Path)
		}
	}
	x.path = newPath(e.Path, e.Escaped, connect)
	e.Others = x.others(rs.Tables.Entry(e.Number))
	return e
}

// An explainer compares one request with every entry, without the tables.
type explainer struct {
	comparer
	host string // as it was sent, without a port unless the request is a CONNECT
	path path
}

// others returns the entries that match or nearly do, except the winner, which may be
// nil.
func (x *explainer) others(winner *routing.Entry) []Candidate {
	var matched, near []Candidate
	for e := range x.routes.Entries {
		if e == winner {
			continue
		}
		switch ok, reason := x.matches(e); {
		case ok:
			matched = append(matched, Candidate{Entry: e, Matched: true})
		case reason != "":
			near = append(near, Candidate{Entry: e, Reason: reason})
		}
	}
	slices.SortFunc(matched, func(a, b Candidate) int {
		c, _ := x.compare(a.Entry, b.Entry)
		return c
	})
	for i := range matched {
		matched[i].Reason = "the request is redirected before that"
		if winner != nil {
			_, matched[i].Reason = x.compare(winner, matched[i].Entry)
		}
	}
	return append(matched, near...)
}

// matches reports whether an entry matches. If exactly one requirement fails, the
// reason names it.
func (x *explainer) matches(e *routing.Entry) (ok bool, reason string) {
	var misses []string
	ok, reason = x.path.matches(e.Pattern.Segments, x.path.parts)
	switch {
	case ok:
	case reason != "":
		misses = append(misses, reason)
	default:
		if reason = x.otherSlash(e); reason == "" {
			return false, ""
		}
		misses = append(misses, reason)
	}
	if f := e.Pattern.HostPattern(); e.Pattern.Host != "" && (f == nil && e.Pattern.Host != hostname.Fold(x.host) || f != nil && !f.Matches(x.host, nil)) {
		misses = append(misses, "host: it is for "+e.Pattern.HostText())
	}
	if e.Pattern.MethodRank(x.method) == 0 {
		misses = append(misses, "method: it is for "+strings.Join(e.Pattern.Methods, ", "))
	}
	if len(misses) < 2 {
		if reason = x.missed(e); reason != "" {
			misses = append(misses, reason)
		}
	}
	switch len(misses) {
	case 0:
		return true, ""
	case 1:
		return false, misses[0]
	}
	return false, ""
}

// missed returns which matchers of an entry do not match the request, and why, or "".
func (x *explainer) missed(e *routing.Entry) string {
	var reasons []string
	proxies := x.routes.Tables.Policy().Proxies
	for _, m := range e.Matchers.Matchers {
		if !m.Matches(x.request, proxies) {
			reasons = append(reasons, m.Miss(x.request, proxies))
		}
	}
	return strings.Join(reasons, "; ")
}

// otherSlash returns the reason for an entry that matches with a final slash added or
// removed, or "".
func (x *explainer) otherSlash(e *routing.Entry) (reason string) {
	if ok, _ := x.path.matches(e.Pattern.Segments, x.path.slashed); !ok {
		return ""
	}
	text, cut := strings.CutSuffix(x.path.text, "/")
	if !cut {
		text += "/"
	}
	return "final slash: it matches " + strconv.Quote(excerpt.Abridge(text))
}
