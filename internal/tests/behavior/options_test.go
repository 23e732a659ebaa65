package behavior

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/policies"
)

// What a mux answers is written as one line:
//
//	200 PATTERN NAME=VALUE …     a route's handler
//	307 LOCATION PATTERN         a redirect, and the pattern that it leads to
//	405 METHOD, METHOD           what Allow says
//	404

// newTelling returns a mux of the patterns whose handlers tell the values.
func newTelling(t *testing.T, patterns []string, options ...muxwell.Option) *muxwell.Mux {
	t.Helper()
	m := muxwell.New(options...)
	for _, p := range patterns {
		if err := muxtest.TellValues(m, p); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

var policyPatterns = []string{
	"GET /leaf", "GET /tree/", "/both", "/both/", "GET /p/{x}", "GET /p/{x}/sub/", "GET /end/{$}", "GET /c/{path...}", "GET /c/deep/{x}/", "GET /c/leaf",
	"POST /m", "PUT /m/", "GET /lit/a%2Fb/", "h.com/tree", "h.com/only/", "CONNECT /con/", "CONNECT h:80/hc",
	"GET /long/" + longLiteral + "/{x}/", "GET /long/{p...}", "GET /s/{x}", "/s/{p...}",
}

var longLiteral = strings.Repeat("l", 60)

// TestSlashPolicies: a clean path is answered as the slash policy says, under
// every path policy.
func TestSlashPolicies(t *testing.T) {
	all := func(line string) [3]string { return [3]string{line, line, line} }
	for request, want := range map[string][3]string{ // by SlashRedirect, SlashStrict, SlashIgnore
		"GET /leaf":   all("200 GET /leaf"),
		"GET /leaf/":  {"404", "404", "200 GET /leaf"},
		"HEAD /leaf":  all("200 GET /leaf"),
		"HEAD /leaf/": {"404", "404", "200 GET /leaf"},
		"POST /leaf":  all("405 GET, HEAD"),
		"POST /leaf/": {"404", "404", "405 GET, HEAD"},
		"GET /leaf/x": all("404"),
		"GET /Leaf":   all("404"),
		"GET /%6Ceaf": all("200 GET /leaf"),

		"GET /tree":         {"307 /tree/ GET /tree/", "404", "200 GET /tree/"},
		"GET /tree?q=1&r=2": {"307 /tree/?q=1&r=2 GET /tree/", "404", "200 GET /tree/"},
		"HEAD /tree":        {"307 /tree/ GET /tree/", "404", "200 GET /tree/"},
		"POST /tree":        {"405 GET, HEAD", "404", "405 GET, HEAD"},
		"POST /tree/":       all("405 GET, HEAD"),
		"GET /tree/":        all("200 GET /tree/"),
		"GET /tree/x":       all("200 GET /tree/"),
		"GET /tree/x/":      all("200 GET /tree/"),
		"GET /%74ree":       {"307 /%74ree/ GET /tree/", "404", "200 GET /tree/"},
		"GET /both":         all("200 /both"),
		"GET /both/":        all("200 /both/"),
		"POST /both/x":      all("200 /both/"),

		"GET /p/1":           all("200 GET /p/{x} x=1"),
		"GET /p/1/":          {"404", "404", "200 GET /p/{x} x=1"},
		"GET /p/":            all("404"),
		"GET /p":             all("404"),
		"GET /p/1/sub":       {"307 /p/1/sub/ GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=1"},
		"GET /p/1/sub/":      all("200 GET /p/{x}/sub/ x=1"),
		"GET /p/1/sub/y":     all("200 GET /p/{x}/sub/ x=1"),
		"GET /p/a%2Fb":       all("200 GET /p/{x} x=a/b"),
		"GET /p/a%2Fb/":      {"404", "404", "200 GET /p/{x} x=a/b"},
		"GET /p/a%2Fb/sub":   {"307 /p/a%2Fb/sub/ GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=a/b"},
		"GET /p/%2e%2e/sub":  {"307 /p/%2e%2e/sub/ GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=.."},
		"GET /p/é/sub?é":     {"307 /p/%C3%A9/sub/?%c3%a9 GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=é"},
		"DELETE /p/1/sub":    {"405 GET, HEAD", "404", "405 GET, HEAD"},
		"GET /lit/a%2Fb":     {"307 /lit/a%2Fb/ GET /lit/a%2Fb/", "404", "200 GET /lit/a%2Fb/"},
		"GET /lit/a%2fb/c":   all("200 GET /lit/a%2Fb/"),
		"GET /lit/a/b/":      all("404"),
		"GET /end/":          all("200 GET /end/{$}"),
		"GET /end":           {"307 /end/ GET /end/{$}", "404", "200 GET /end/{$}"},
		"GET /end/x":         all("404"),
		"GET /end/%2F":       all("404"),
		"GET /":              all("404"),
		"GET /nothing":       all("404"),
		"GET /nothing/%2e/":  all("404"),
		"M-SEARCH /nothing/": all("404"),

		"GET /c":            {"307 /c/ GET /c/{path...}", "404", "200 GET /c/{path...} path="},
		"GET /c/":           all("200 GET /c/{path...} path="),
		"GET /c/a/b":        all("200 GET /c/{path...} path=a/b"),
		"GET /c/a/":         all("200 GET /c/{path...} path=a/"),
		"GET /c/a%2Fb/%2F/": all("200 GET /c/{path...} path=a/b///"),
		"GET /c/deep/1":     {"307 /c/deep/1/ GET /c/deep/{x}/", "200 GET /c/{path...} path=deep/1", "200 GET /c/deep/{x}/ x=1"},
		"GET /c/deep/1/":    all("200 GET /c/deep/{x}/ x=1"),
		"GET /c/deep/1/2":   all("200 GET /c/deep/{x}/ x=1"),
		"GET /c/deep":       all("200 GET /c/{path...} path=deep"),
		"GET /c/leaf":       all("200 GET /c/leaf"),
		"GET /c/leaf/":      {"200 GET /c/{path...} path=leaf/", "200 GET /c/{path...} path=leaf/", "200 GET /c/leaf"},
		"HEAD /c/leaf/":     {"200 GET /c/{path...} path=leaf/", "200 GET /c/{path...} path=leaf/", "200 GET /c/leaf"},
		"GET /c/%6Ceaf/":    {"200 GET /c/{path...} path=leaf/", "200 GET /c/{path...} path=leaf/", "200 GET /c/leaf"},
		"GET /s/1/":         {"200 /s/{p...} p=1/", "200 /s/{p...} p=1/", "200 GET /s/{x} x=1"},
		"POST /s/1/":        all("200 /s/{p...} p=1/"),
		"GET /s/1/2/":       all("200 /s/{p...} p=1/2/"),

		// Longer than the bitmap of slashes.
		"GET /long/" + longLiteral + "/1":   {"307 /long/" + longLiteral + "/1/ GET /long/" + longLiteral + "/{x}/", "200 GET /long/{p...} p=" + longLiteral + "/1", "200 GET /long/" + longLiteral + "/{x}/ x=1"},
		"GET /long/" + longLiteral + "/1/":  all("200 GET /long/" + longLiteral + "/{x}/ x=1"),
		"GET /c/" + longLiteral + "/":       all("200 GET /c/{path...} path=" + longLiteral + "/"),
		"GET /s/" + longLiteral + "/":       {"200 /s/{p...} p=" + longLiteral + "/", "200 /s/{p...} p=" + longLiteral + "/", "200 GET /s/{x} x=" + longLiteral},
		"GET /p/" + longLiteral + "/sub":    {"307 /p/" + longLiteral + "/sub/ GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=" + longLiteral},
		"GET /p/" + longLiteral + "x/sub/y": all("200 GET /p/{x}/sub/ x=" + longLiteral + "x"),

		"GET /m":     {"405 POST, PUT", "405 POST", "405 POST, PUT"},
		"POST /m":    all("200 POST /m"),
		"POST /m/":   {"405 PUT", "405 PUT", "200 POST /m"},
		"PUT /m":     {"307 /m/ PUT /m/", "405 POST", "200 PUT /m/"},
		"PUT /m/":    all("200 PUT /m/"),
		"DELETE /m/": {"405 PUT", "405 PUT", "405 POST, PUT"},
		"POST /m/x":  all("405 PUT"),

		"GET h.com/tree":        all("200 h.com/tree"),
		"POST h.com/tree":       all("200 h.com/tree"),
		"GET h.com/tree/":       all("200 GET /tree/"),
		"POST h.com/tree/":      {"405 GET, HEAD", "405 GET, HEAD", "200 h.com/tree"},
		"GET h.com/only":        {"307 /only/ h.com/only/", "404", "200 h.com/only/"},
		"GET H.COM.:8080/only/": all("200 h.com/only/"),
		"GET g.com/only/":       all("404"),
		"GET h.com/leaf":        all("200 GET /leaf"),
		"GET h.com/p/1/sub":     {"307 /p/1/sub/ GET /p/{x}/sub/", "404", "200 GET /p/{x}/sub/ x=1"},

		"CONNECT /con/":          all("200 CONNECT /con/"),
		"CONNECT /con":           {"307 /con/ /con/", "404", "200 CONNECT /con/"},
		"CONNECT /con/x":         all("200 CONNECT /con/"),
		"GET /con":               {"405 CONNECT", "404", "405 CONNECT"},
		"GET /con/":              all("405 CONNECT"),
		"CONNECT h:80/hc":        all("200 CONNECT h:80/hc"),
		"CONNECT H.:80/hc":       all("200 CONNECT h:80/hc"),
		"CONNECT h:80/hc/":       {"404", "404", "200 CONNECT h:80/hc"},
		"CONNECT h/hc":           all("404"),
		"CONNECT h:81/hc":        all("404"),
		"GET h:80/hc":            all("404"),
		"CONNECT h.com/tree":     all("200 h.com/tree"),
		"CONNECT h.com:80/tree":  {"405 GET, HEAD", "404", "405 GET, HEAD"},
		"CONNECT /leaf":          all("405 GET, HEAD"),
		"CONNECT h.com:80/both/": all("200 /both/"),
	} {
		for slash, want := range want {
			for _, unclean := range policies.Path {
				m := newTelling(t, policyPatterns, muxwell.TrailingSlash(policies.Slash[slash]), muxwell.UncleanPath(unclean))
				if got := muxtest.AnswerLine(t, m, muxtest.RequestOf(request)); got != want {
					t.Errorf("%s, slash policy %d, path policy %d: got %s, want %s", request, slash, unclean, got, want)
				}
			}
		}
	}
}

// TestPathPolicies: an unclean path is answered as the path policy says. That
// PathStrict answers 404 goes without saying.
func TestPathPolicies(t *testing.T) {
	all := func(line string) [3]string { return [3]string{line, line, line} }
	for request, want := range map[string]struct {
		redirect [3]string // PathRedirect, by slash policy
		serve    string    // PathServe, under every slash policy
	}{
		"GET //leaf":              {all("307 /leaf GET /leaf"), "404"},
		"HEAD //leaf?q=//":        {all("307 /leaf?q=// GET /leaf"), "404"},
		"POST //leaf":             {all("307 /leaf"), "404"},
		"GET /./leaf":             {all("307 /leaf GET /leaf"), "404"},
		"GET /x/../leaf":          {all("307 /leaf GET /leaf"), "404"},
		"GET /../leaf":            {all("307 /leaf GET /leaf"), "404"},
		"GET //leaf/":             {[3]string{"307 /leaf/", "307 /leaf/", "307 /leaf/ GET /leaf"}, "404"},
		"GET /leaf//":             {[3]string{"307 /leaf/", "307 /leaf/", "307 /leaf/ GET /leaf"}, "404"},
		"GET //":                  {all("307 /"), "404"},
		"GET /.":                  {all("307 /"), "404"},
		"GET /..":                 {all("307 /"), "404"},
		"GET //nothing//":         {all("307 /nothing/"), "404"},
		"GET //tree":              {[3]string{"307 /tree/ GET /tree/", "307 /tree", "307 /tree GET /tree/"}, "404"},
		"GET //tree/":             {all("307 /tree/ GET /tree/"), "404"},
		"GET /tree/.":             {[3]string{"307 /tree/ GET /tree/", "307 /tree", "307 /tree GET /tree/"}, "200 GET /tree/"},
		"GET /tree/./":            {all("307 /tree/ GET /tree/"), "200 GET /tree/"},
		"GET /tree//x":            {all("307 /tree/x GET /tree/"), "200 GET /tree/"},
		"POST /tree//x":           {all("307 /tree/x"), "405 GET, HEAD"},
		"GET /p/..":               {all("307 /"), "404"},
		"GET /p/.":                {all("307 /p"), "404"},
		"GET /p//":                {all("307 /p/"), "404"},
		"GET /p//sub":             {all("307 /p/sub GET /p/{x}"), "404"},
		"GET /p/./sub/":           {[3]string{"307 /p/sub/", "307 /p/sub/", "307 /p/sub/ GET /p/{x}"}, "404"},
		"GET /p/a%2Fb//sub/":      {all("307 /p/a%2Fb/sub/ GET /p/{x}/sub/"), "404"},
		"GET /p/a%2Fb//sub":       {[3]string{"307 /p/a%2Fb/sub/ GET /p/{x}/sub/", "307 /p/a%2Fb/sub", "307 /p/a%2Fb/sub GET /p/{x}/sub/"}, "404"},
		"GET /p/1/sub//":          {all("307 /p/1/sub/ GET /p/{x}/sub/"), "200 GET /p/{x}/sub/ x=1"},
		"GET /p/%2e%2e/sub/..":    {[3]string{"307 /p/%2e%2e GET /p/{x}", "307 /p/%2e%2e GET /p/{x}", "307 /p/%2e%2e GET /p/{x}"}, "200 GET /p/{x}/sub/ x=.."},
		"GET /c/../leaf":          {all("307 /leaf GET /leaf"), "200 GET /c/{path...} path=../leaf"},
		"GET /c//":                {all("307 /c/ GET /c/{path...}"), "200 GET /c/{path...} path=/"},
		"GET /c//a%2F/./b":        {all("307 /c/a%2F/b GET /c/{path...}"), "200 GET /c/{path...} path=/a//./b"},
		"GET /c/deep/../1":        {all("307 /c/1 GET /c/{path...}"), "200 GET /c/{path...} path=deep/../1"},
		"GET /c/deep/1/..":        {all("307 /c/deep GET /c/{path...}"), "200 GET /c/deep/{x}/ x=1"},
		"GET /c//leaf":            {all("307 /c/leaf GET /c/leaf"), "200 GET /c/{path...} path=/leaf"},
		"GET /c//leaf/":           {[3]string{"307 /c/leaf/ GET /c/{path...}", "307 /c/leaf/ GET /c/{path...}", "307 /c/leaf/ GET /c/leaf"}, "200 GET /c/{path...} path=/leaf/"},
		"GET /m//":                {[3]string{"307 /m/", "307 /m/", "307 /m/"}, "405 PUT"},
		"GET h.com//only":         {[3]string{"307 /only/ h.com/only/", "307 /only", "307 /only h.com/only/"}, "404"},
		"GET h.com/only/x//y":     {all("307 /only/x/y h.com/only/"), "200 h.com/only/"},
		"GET h.com//tree":         {all("307 /tree h.com/tree"), "404"},
		"GET /c//" + longLiteral:  {all("307 /c/" + longLiteral + " GET /c/{path...}"), "200 GET /c/{path...} path=/" + longLiteral},
		"GET //p/" + longLiteral:  {all("307 /p/" + longLiteral + " GET /p/{x}"), "404"},
		"GET /both/../both/%2E/a": {all("307 /both/%2E/a /both/"), "200 /both/"},
	} {
		for i, slash := range policies.Slash {
			for j, want := range []string{want.redirect[i], "404", want.serve} {
				m := newTelling(t, policyPatterns, muxwell.TrailingSlash(slash), muxwell.UncleanPath(policies.Path[j]))
				if got := muxtest.AnswerLine(t, m, muxtest.RequestOf(request)); got != want {
					t.Errorf("%s, slash policy %d, path policy %d: got %s, want %s", request, slash, j, got, want)
				}
			}
		}
	}
	// CONNECT requests are exempt: they are served as they were sent.
	for request, want := range map[string]string{
		"CONNECT /con//x": "200 CONNECT /con/", "CONNECT /con/../x": "200 CONNECT /con/", "CONNECT /con/.": "200 CONNECT /con/", "CONNECT //con": "404", "CONNECT //leaf": "404", "CONNECT /leaf/.": "404", "CONNECT //both/x": "404",
	} {
		policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
			if got := muxtest.AnswerLine(t, newTelling(t, policyPatterns, options...), muxtest.RequestOf(request)); got != want {
				t.Errorf("%s: got %s, want %s", request, got, want)
			}
		})
	}
	// Targets that do not begin with a slash, as from an absolute request line
	// or from middleware.
	for path, want := range map[string][3]string{"": {"307 /", "404", "404"}, "leaf": {"307 /leaf GET /leaf", "404", "404"}, "c/x": {"307 /c/x GET /c/{path...}", "404", "404"}, "*": {"307 /%2A", "404", "404"}} {
		for i, want := range want {
			m := newTelling(t, policyPatterns, muxwell.UncleanPath(policies.Path[i]))
			r := muxtest.NewRequest("GET", "/")
			r.URL = &url.URL{Path: path}
			got := muxtest.AnswerLine(t, m, r)
			if unescaped, err := url.PathUnescape(want); got != want && (err != nil || got != unescaped) {
				t.Errorf("GET of the path %q, path policy %d: got %s, want %s", path, i, got, want)
			}
		}
	}
}

// TestServedUncleanPatterns: PathServe takes unclean patterns. What it serves
// is what it says in Allow, and no path that is unclean is redirected.
func TestServedUncleanPatterns(t *testing.T) {
	for _, slash := range policies.Slash {
		m := newTelling(t, []string{"GET /u//v", "POST /u/../w/", "PUT /u//{x}/", "GET /u/./{$}", "/u/{x}/../{p...}"}, muxwell.UncleanPath(muxwell.PathServe), muxwell.TrailingSlash(slash))
		for request, want := range map[string]string{
			"GET /u//v":       "200 GET /u//v",
			"HEAD /u//v":      "200 GET /u//v",
			"POST /u//v":      "405 GET, HEAD",
			"GET /u//v/":      "405 PUT",
			"GET /u/v":        "404",
			"POST /u/../w/":   "200 POST /u/../w/",
			"POST /u/../w/x":  "200 POST /u/../w/",
			"POST /u/../w":    "404",
			"GET /u/../w":     "404",
			"GET /u/../w/":    "405 POST",
			"PUT /u//1/":      "200 PUT /u//{x}/ x=1",
			"PUT /u//1":       "404",
			"DELETE /u//1":    "404",
			"DELETE /u//1/":   "405 PUT",
			"GET /u/./":       "200 GET /u/./{$}",
			"GET /u/.":        "404",
			"GET /u/1/../":    "200 /u/{x}/../{p...} x=1 p=",
			"GET /u/1/../a//": "200 /u/{x}/../{p...} x=1 p=a//",
			"GET /u/1/..":     "404",
			"GET /u/../../x":  "404",
			"GET /u%2F/v":     "404",
		} {
			if got := muxtest.AnswerLine(t, m, muxtest.RequestOf(request)); got != want {
				t.Errorf("%s, slash policy %d: got %s, want %s", request, slash, got, want)
			}
		}
	}
}

func TestAutoOptions(t *testing.T) {
	patterns := []string{"GET /get", "POST,PUT /list", "HEAD /head", "/any", "OPTIONS /own", "GET /own", "GET /tree/", "GET h/host", "POST /host", "M-SEARCH /m/{x}", "DELETE /get", "CONNECT /c"}
	for request, want := range map[string][2]string{ // without and with AutoOptions
		"OPTIONS /get":     {"405 DELETE, GET, HEAD", "204 DELETE, GET, HEAD, OPTIONS"},
		"POST /get":        {"405 DELETE, GET, HEAD", "405 DELETE, GET, HEAD, OPTIONS"},
		"OPTIONS /list":    {"405 POST, PUT", "204 OPTIONS, POST, PUT"},
		"OPTIONS /head":    {"405 HEAD", "204 HEAD, OPTIONS"},
		"OPTIONS /any":     {"200 /any", "200 /any"},
		"OPTIONS /own":     {"200 OPTIONS /own", "200 OPTIONS /own"},
		"POST /own":        {"405 GET, HEAD, OPTIONS", "405 GET, HEAD, OPTIONS"},
		"OPTIONS /none":    {"404", "404"},
		"OPTIONS /tree":    {"405 GET, HEAD", "204 GET, HEAD, OPTIONS"},
		"OPTIONS /tree/x":  {"405 GET, HEAD", "204 GET, HEAD, OPTIONS"},
		"OPTIONS h/host":   {"405 GET, HEAD, POST", "204 GET, HEAD, OPTIONS, POST"},
		"OPTIONS g/host":   {"405 POST", "204 OPTIONS, POST"},
		"OPTIONS /m/a%2Fb": {"405 M-SEARCH", "204 M-SEARCH, OPTIONS"},
		"OPTIONS //get":    {"307 /get", "307 /get"},
		"OPTIONS /c":       {"405 CONNECT", "204 CONNECT, OPTIONS"},
		"options /get":     {"405 DELETE, GET, HEAD", "405 DELETE, GET, HEAD, OPTIONS"},
	} {
		for i, options := range [][]muxwell.Option{nil, {muxwell.AutoOptions()}} {
			if got := muxtest.AnswerLine(t, newTelling(t, patterns, options...), muxtest.RequestOf(request)); got != want[i] {
				t.Errorf("%s, %d options: got %s, want %s", request, len(options), got, want[i])
			}
		}
	}
	w := muxtest.AnswerTo(newTelling(t, patterns, muxwell.AutoOptions()), muxtest.RequestOf("OPTIONS /get"))
	if w.Body.Len() != 0 || len(w.Header()) != 1 {
		t.Errorf("OPTIONS /get: got body %q, header %v, want Allow and nothing else", w.Body, w.Header())
	}
}

// TestOwnRefusals: handlers of one's own for 404 and 405 find Allow set, no
// pattern and no values.
func TestOwnRefusals(t *testing.T) {
	tell := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, "allow %q pattern %q x %q", w.Header().Get("Allow"), r.Pattern, r.PathValue("x"))
		})
	}
	options := []muxwell.Option{muxwell.NotFound(tell(410)), muxwell.MethodNotAllowed(tell(418))}
	for _, row := range []struct {
		options []muxwell.Option
		request string
		status  int
		body    string
	}{
		{options, "GET /none", 410, `allow "" pattern "" x ""`},
		{options, "PUT /none/", 410, `allow "" pattern "" x ""`},
		{options, "CONNECT /none", 410, `allow "" pattern "" x ""`},
		{options, "PUT /a/1", 418, `allow "GET, HEAD" pattern "" x ""`},
		{options, "OPTIONS /a/1", 418, `allow "GET, HEAD" pattern "" x ""`},
		{options, "POST /a/a%2Fb", 418, `allow "GET, HEAD" pattern "" x ""`},
		{append(options, muxwell.AutoOptions()), "OPTIONS /a/1", 204, ""},
		{append(options, muxwell.AutoOptions()), "PUT /a/1", 418, `allow "GET, HEAD, OPTIONS" pattern "" x ""`},
		{append(options, muxwell.UncleanPath(muxwell.PathStrict)), "GET /a//1", 410, `allow "" pattern "" x ""`},
		{append(options, muxwell.UncleanPath(muxwell.PathServe)), "GET /a//1", 410, `allow "" pattern "" x ""`},
		{append(options, muxwell.NotFound(tell(400))), "GET /none", 400, `allow "" pattern "" x ""`}, // the later one counts
		{options[:1], "PUT /a/1", 405, "Method Not Allowed\n"},
		{options[1:], "GET /none", 404, "404 page not found\n"},
		{nil, "PUT /a/1", 405, "Method Not Allowed\n"},
		{nil, "GET /none", 404, "404 page not found\n"},
	} {
		m := newTelling(t, []string{"GET /a/{x}"}, row.options...)
		r := muxtest.RequestOf(row.request)
		r.Pattern = "of an outer mux"
		w := muxtest.AnswerTo(m, r)
		if w.Code != row.status || w.Body.String() != row.body || r.Pattern != "" {
			t.Errorf("%s, %d options: got %d %q, pattern %q, want %d %q", row.request, len(row.options), w.Code, w.Body, r.Pattern, row.status, row.body)
		}
		h, pattern := m.Handler(muxtest.RequestOf(row.request))
		if w := muxtest.AnswerTo(h, muxtest.RequestOf(row.request)); w.Code != row.status || w.Body.String() != row.body || pattern != "" {
			t.Errorf("Handler for %s, %d options: got %d %q, pattern %q, want %d %q", row.request, len(row.options), w.Code, w.Body, pattern, row.status, row.body)
		}
	}
}

// TestInvalidOptions: a value that means nothing panics with what it was and
// what may be written.
func TestInvalidOptions(t *testing.T) {
	for want, give := range map[string]func(){
		"muxwell: TrailingSlash: unknown policy 3; use SlashRedirect, SlashStrict or SlashIgnore": func() { muxwell.TrailingSlash(3) },
		"muxwell: UncleanPath: unknown policy 255; use PathRedirect, PathStrict or PathServe":     func() { muxwell.UncleanPath(255) },
		"muxwell: NotFound: nil handler":         func() { muxwell.NotFound(nil) },
		"muxwell: MethodNotAllowed: nil handler": func() { muxwell.MethodNotAllowed(http.HandlerFunc(nil)) },
	} {
		if got := muxtest.Recovered(give); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

// TestRequestForStar: a request for "*" is refused by every mux, whatever its
// options and routes.
func TestRequestForStar(t *testing.T) {
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		options = append(options, muxwell.AutoOptions(), muxwell.NotFound(http.HandlerFunc(muxtest.OK)))
		for _, m := range []http.Handler{muxtest.MuxOf(muxwell.New, []string{"/", "OPTIONS /{x}"}, options...), muxwell.New(options...), http.NewServeMux()} {
			for _, proto := range []int{0, 1} {
				r := muxtest.NewRequest("OPTIONS", "/")
				r.URL, r.RequestURI, r.ProtoMinor, r.Pattern = &url.URL{Path: "*"}, "*", proto, ""
				w := muxtest.AnswerTo(m, r)
				want := "close"
				if proto == 0 {
					want = ""
				}
				if w.Code != http.StatusBadRequest || w.Header().Get("Connection") != want || r.Pattern != "" || w.Body.Len() != 0 {
					t.Errorf("%T, OPTIONS * HTTP/1.%d: got %d, Connection %q, pattern %q, want 400, %q", m, proto, w.Code, w.Header().Get("Connection"), r.Pattern, want)
				}
			}
		}
	})
}

// TestHostMatching: hosts are compared ignoring case, final dot, port and
// brackets; what the host's routes do not take goes to those without a host.
func TestHostMatching(t *testing.T) {
	m := newTelling(t, []string{
		"Example.com/a", "GET example.com/b/{x}", "example.org./a", "[::1]/a", "::2/a", "[::3]:80/a", "port.com:80/a", "CONNECT example.com/t", "CONNECT example.com:443/t", "É.example/a",
		"/a", "POST /b/{y}", "/only/{x...}", "PUT example.com/only/{z}", "GET example.com/deep/{x}/b", "/deep/{y}/c", "GET example.com/m", "POST /m",
	})
	for request, want := range map[string]string{
		"GET example.com/a":       "200 Example.com/a",
		"GET EXAMPLE.COM/a":       "200 Example.com/a",
		"GET example.com./a":      "200 Example.com/a",
		"GET eXample.com.:8080/a": "200 Example.com/a",
		"GET example.com:/a":      "200 Example.com/a",
		"GET example.com../a":     "200 /a",
		"GET x.example.com/a":     "200 /a",
		"GET example.co/a":        "200 /a",
		"GET example.org/a":       "200 example.org./a",
		"GET example.org.:1/a":    "200 example.org./a",
		"GET [::1]/a":             "200 [::1]/a",
		"GET [::1]:80/a":          "200 [::1]/a",
		"GET ::1/a":               "200 [::1]/a",
		"GET [::2]:80/a":          "200 ::2/a",
		"GET [::2]/a":             "200 ::2/a",
		"GET ::2/a":               "200 ::2/a",
		"GET [::3]:80/a":          "200 /a", // a pattern with a port is for CONNECT
		"CONNECT [::3]:80/a":      "200 [::3]:80/a",
		"CONNECT [::3]:81/a":      "200 /a",
		"GET port.com:80/a":       "200 /a",
		"GET port.com/a":          "200 /a",
		"CONNECT port.com:80/a":   "200 port.com:80/a",
		"CONNECT PORT.com.:80/a":  "200 port.com:80/a",
		"CONNECT example.com/t":   "200 CONNECT example.com/t",
		"CONNECT example.com:1/t": "404",
		"GET example.com/t":       "405 CONNECT",
		"GET É.example/a":         "200 É.example/a",
		"GET é.example/a":         "200 /a",
		"GET /a":                  "200 /a",
		"GET :80/a":               "200 /a",
		"GET a:b:c/a":             "200 /a",

		"GET example.com/b/1":         "200 GET example.com/b/{x} x=1",
		"HEAD example.com/b/1":        "200 GET example.com/b/{x} x=1",
		"POST example.com/b/1":        "200 POST /b/{y} y=1",
		"PUT example.com/b/1":         "405 GET, HEAD, POST",
		"PUT g/b/1":                   "405 POST",
		"GET example.com/only/a":      "200 /only/{x...} x=a",
		"PUT example.com/only/a":      "200 PUT example.com/only/{z} z=a",
		"PUT example.com/only/a/b":    "200 /only/{x...} x=a/b",
		"GET example.com/deep/1/b":    "200 GET example.com/deep/{x}/b x=1",
		"GET example.com/deep/1/c":    "200 /deep/{y}/c y=1",
		"POST example.com/deep/1/b":   "405 GET, HEAD",
		"GET example.com/deep/%2F/c":  "200 /deep/{y}/c y=/",
		"PUT example.com/m":           "405 GET, HEAD, POST",
		"PUT example.com:80/m":        "405 GET, HEAD, POST",
		"PUT EXAMPLE.com./m":          "405 GET, HEAD, POST",
		"GET g/m":                     "405 POST",
		"OPTIONS example.com/nothing": "404",
	} {
		if got := muxtest.AnswerLine(t, m, muxtest.RequestOf(request)); got != want {
			t.Errorf("%s: got %s, want %s", request, got, want)
		}
	}
	// A connection to a proxy: the redirect goes by the URL's host, the match
	// by the Host header.
	m = newTelling(t, []string{"CONNECT a:80/t/", "CONNECT b:80/t", "GET a:80/x"})
	for _, row := range []struct{ urlHost, host, path, want string }{
		{"a:80", "a:80", "/t", "307 /t/ /t/"},
		{"a:80", "b:80", "/t", "307 /t/ /t/"},
		{"b:80", "a:80", "/t", "405 CONNECT"},
		{"b:80", "b:80", "/t", "200 CONNECT b:80/t"},
		{"", "b:80", "/t", "200 CONNECT b:80/t"},
		{"a:80", "c:80", "/x", "405 GET, HEAD"},
		{"c:80", "a:80", "/x", "404"},
	} {
		r := muxtest.NewRequest("CONNECT", row.path)
		r.URL.Host, r.Host = row.urlHost, row.host
		if got := muxtest.AnswerLine(t, m, r); got != row.want {
			t.Errorf("CONNECT %s, URL host %s, Host %s: got %s, want %s", row.path, row.urlHost, row.host, got, row.want)
		}
	}
}

// TestNestedMux: a mux inside another replaces the values of the outer, as
// http.ServeMux inside http.ServeMux does. The safe build cannot take away what
// SetPathValue set, nor what ServeMux set; these rows are marked.
func TestNestedMux(t *testing.T) {
	kinds := map[string]func() muxtest.Mux{"muxwell": func() muxtest.Mux { return muxwell.New() }, "ServeMux": func() muxtest.Mux { return http.NewServeMux() }}
	for outerKind, newOuter := range kinds {
		for innerKind, newInner := range kinds {
			for _, row := range []struct {
				target string
				inner  string // pattern that takes it there
				values [4]string
				stays  string // of the outer's names, what the safe build still shows: name=value
			}{
				// values of a, b, c, rest; the outer's are a=1, rest=what follows
				{"/o/1/both/2", "/o/{a}/both/{b}", [4]string{"1", "2", "", ""}, "rest=both/2"},
				{"/o/1/same/2", "/o/{b}/same/{a}", [4]string{"2", "1", "", ""}, "rest=same/2"},
				{"/o/1/none", "/o/1/none", [4]string{}, "a=1 rest=none"},
				{"/o/1/tail/x/y", "/o/{c}/tail/{rest...}", [4]string{"", "", "1", "x/y"}, "a=1"},
				{"/o/1/tail/", "/o/{c}/tail/{rest...}", [4]string{"", "", "1", ""}, "a=1"},
				{"/o/1/enc/a%2Fb", "/o/{c}/enc/{b}", [4]string{"", "a/b", "1", ""}, "a=1 rest=enc/a/b"},
				{"/o/1/lost", "", [4]string{}, "a=1 rest=lost"},
			} {
				var got [4]string
				read := func(_ http.ResponseWriter, r *http.Request) {
					for i, name := range []string{"a", "b", "c", "rest"} {
						got[i] = r.PathValue(name)
					}
				}
				inner := newInner()
				for _, p := range []string{"/o/{a}/both/{b}", "/o/{b}/same/{a}", "/o/1/none", "/o/{c}/tail/{rest...}", "/o/{c}/enc/{b}"} {
					inner.HandleFunc(p, read)
				}
				outer := newOuter()
				outer.HandleFunc("/o/{a}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
					inner.ServeHTTP(w, r)
					read(w, r) // the outer handler sees the inner mux's values from here on
					if r.Pattern != row.inner {
						t.Errorf("%s in %s, %s: got pattern %q, want %q", innerKind, outerKind, row.target, r.Pattern, row.inner)
					}
				})
				muxtest.AnswerTo(outer, muxtest.NewRequest("GET", row.target))
				want := row.values
				if muxtest.SafeBuild && (outerKind == "muxwell" || innerKind == "muxwell") {
					for _, stay := range strings.Fields(row.stays) {
						name, value, _ := strings.Cut(stay, "=")
						want[slices.Index([]string{"a", "b", "c", "rest"}, name)] = value
					}
				}
				if got != want {
					t.Errorf("%s in %s, %s: got %q, want %q", innerKind, outerKind, row.target, got, want)
				}
			}
		}
	}
}

// TestNestedValueHandler: a value handler in an inner mux is given the inner
// values, r.PathValue is empty, and what answers 404, 405 and redirects there
// sees no values of the outer mux either.
func TestNestedValueHandler(t *testing.T) {
	var params, values []string
	read := func(_ http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"a", "rest", "x"} {
			values = append(values, r.PathValue(name))
		}
	}
	inner := muxwell.New(muxwell.NotFound(http.HandlerFunc(read)), muxwell.MethodNotAllowed(http.HandlerFunc(read)))
	value := func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
		params = append(params, p.Get("x"), p.Get("a"))
		read(w, r)
	}
	inner.HandleParams("GET /o/{x}/value", value)
	inner.HandleParams("CONNECT /o/{x}/cold", value)
	inner.HandleFunc("GET /o/1/tree/", read)
	for _, newOuter := range []func() muxtest.Mux{func() muxtest.Mux { return muxwell.New() }, func() muxtest.Mux { return http.NewServeMux() }} {
		outer := newOuter()
		outer.Handle("/o/{a}/{rest...}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { inner.ServeHTTP(w, r); read(w, r) }))
		for line, want := range map[string]string{
			"GET /o/1/value":       `["1" ""] ["" "" "" "" "" ""] 200`,
			"GET /o/%31/value":     `["1" ""] ["" "" "" "" "" ""] 200`,
			"CONNECT /o/1/cold":    `["1" ""] ["" "" "" "" "" ""] 200`,
			"GET /o/1/nothing":     `[] ["" "" "" "" "" ""] 200`, // by NotFound
			"POST /o/1/value":      `[] ["" "" "" "" "" ""] 200`, // by MethodNotAllowed
			"GET /o/1/tree":        `[] ["" "" ""] 307`,
			"GET /o/1/tree/branch": `[] ["" "" "" "" "" ""] 200`,
		} {
			params, values = nil, nil
			w := muxtest.AnswerTo(outer, muxtest.RequestOf(line))
			got := fmt.Sprintf("%q %q %d", params, values, w.Code)
			if muxtest.SafeBuild { // the outer values stay readable
				got = fmt.Sprintf("%q %d", params, w.Code)
				first, _, _ := strings.Cut(want, "]")
				want = first + "] " + want[len(want)-3:]
			}
			if got != want {
				t.Errorf("muxwell in %T, %s: got %s, want %s", outer, line, got, want)
			}
		}
	}
}

// TestHandlerIsItself: Handler returns the very handler that was registered.
func TestHandlerIsItself(t *testing.T) {
	m, files := muxwell.New(), http.FileServer(http.Dir("."))
	m.Handle("/files/{x...}", files)
	m.Handle("h/host", files)
	for _, line := range []string{"GET /files/", "GET /files/a/b", "GET /files/a%2Fb", "CONNECT /files/a//b", "GET h/host"} {
		if h, pattern := m.Handler(muxtest.RequestOf(line)); h != files || pattern == "" {
			t.Errorf("%s: got %v, pattern %q, want the file server", line, h, pattern)
		}
	}
	m.HandleParams("/value/{x}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) { fmt.Fprint(w, p.Get("x"), p.Len()) })
	h, pattern := m.Handler(muxtest.RequestOf("GET /value/1"))
	r := muxtest.RequestOf("GET /value/2")
	r.SetPathValue("x", "of the request")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if got := w.Body.String(); got != "of the request1" || pattern != "/value/{x}" {
		t.Errorf("a value handler from Handler: got %q, pattern %q", got, pattern)
	}
}
