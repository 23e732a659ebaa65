// Package problem answers the requests that a mux does not serve. It writes problem
// details (RFC 9457), or HTML or text if the client prefers that.
//
//	m := muxwell.New(muxwell.ErrorHandler(problem.Answer))
//
// A client that accepts anything gets JSON:
//
//	HTTP/1.1 400 Bad Request
//	Content-Type: application/problem+json
//
//	{"title":"Bad Request","status":400,"detail":"parameter \"id\": \"x\" is not an int","reason":"invalid_parameter"}
package problem

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/mediatype"
	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/respwriter"
)

// Details are the members of a problem details object (RFC 9457 §3). Empty members are
// omitted.
type Details struct {
	Type     string `json:"type,omitempty"` // a URI of the kind of problem; "" means about:blank: the status says everything
	Title    string `json:"title"`          // the text of the status, or a summary of Type
	Status   int    `json:"status"`
	Detail   string `json:"detail,omitempty"`   // of this occurrence
	Instance string `json:"instance,omitempty"` // a URI of this occurrence

	// Reason and Allowed are those of [muxwell.HTTPError], as extension members.
	Reason  string   `json:"reason,omitempty"`
	Allowed []string `json:"allowed,omitempty"`
}

// Of returns the details of [muxwell.AsHTTPError] of an error, without the cause, which
// clients must not see. For nil it returns those of the status 500.
func Of(err error) Details {
	e := muxwell.AsHTTPError(err)
	if e == nil {
		e = &muxwell.HTTPError{Status: http.StatusInternalServerError}
	}
	title := http.StatusText(e.Status)
	if title == "" {
		title = fmt.Sprint("Status ", e.Status)
	}
	return Details{Title: title, Status: e.Status, Detail: e.Detail, Reason: e.Reason, Allowed: e.Allowed}
}

// Answer answers with the details of an error. It is for [muxwell.ErrorHandler].
//
// The body is application/problem+json, text/html or text/plain, whichever the request's
// Accept header prefers, or the first of them if the header prefers or accepts none. A
// HEAD request gets no body. Vary: Accept is added to the response.
//
// If the response has begun, it is left as it is. Otherwise the headers that a handler
// has set for the body that it did not send are removed, as [muxwell.Mux.HandleError]
// describes. An error with status 500 or more is written to the server's ErrorLog, except
// for panics, which Recover has logged, and for what Timeout and Throttle reject.
func Answer(w http.ResponseWriter, r *http.Request, err error) {
	d := Of(err)
	if d.Status >= http.StatusInternalServerError && !refuse.IsExpected(d.Reason) {
		refuse.Log(r, err)
	}
	if respwriter.Began(w) {
		return
	}
	respwriter.DropBodyHeaders(w)
	d.Write(w, r)
}

// Write answers with the details, in the form that the request's Accept header prefers;
// see [Answer].
func (d Details) Write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Accept")
	h.Set("X-Content-Type-Options", "nosniff")
	f := preferred(r)
	h.Set("Content-Type", f.contentType)
	w.WriteHeader(d.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(f.body(&d)) // nobody can handle the error: the client has left
	}
}

// A form is a way to write details.
type form struct {
	contentType string
	types       []mediatype.Type // for which it is chosen
	body        func(*Details) []byte
}

var forms = []form{
	newForm("application/problem+json", jsonBody, "application/problem+json", "application/json"),
	newForm("text/html; charset=utf-8", htmlBody, "text/html"),
	newForm("text/plain; charset=utf-8", textBody, "text/plain"),
}

func newForm(contentType string, body func(*Details) []byte, names ...string) form {
	f := form{contentType: contentType, body: body}
	for _, name := range names {
		t, _ := mediatype.Parse(name)
		f.types = append(f.types, t)
	}
	return f
}

// longestAccept is the length of the longest Accept header that is read.
const longestAccept = 4 << 10

// preferred returns the form that a request prefers.
func preferred(r *http.Request) *form {
	lines := r.Header["Accept"]
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	best, quality := &forms[0], 0
	if size > longestAccept || len(lines) > longestAccept {
		return best
	}
	ranges := mediatype.ParseRanges(lines)
	for i := range forms {
		if q := ranges.Quality(forms[i].types); q > quality {
			best, quality = &forms[i], q
		}
	}
	return best
}

func jsonBody(d *Details) []byte {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err) // no member can fail
	}
	return append(b, '\n')
}

func textBody(d *Details) []byte {
	text := d.Title
	if d.Detail != "" {
		text += ": " + d.Detail
	}
	return []byte(text + "\n")
}

func htmlBody(d *Details) []byte {
	const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%[1]s</title>
<style>body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }</style>
</head>
<body>
<h1>%[1]s</h1>
%[2]s</body>
</html>
`
	detail := ""
	if d.Detail != "" {
		detail = "<p>" + html.EscapeString(d.Detail) + "</p>\n"
	}
	return fmt.Appendf(nil, page, html.EscapeString(d.Title), detail)
}
