package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// An echo is the handler of a route of a list. It answers with the route, and with
// what it took of the request:
//
//	{
//	  "pattern": "GET /users/{id}",
//	  "options": [
//	    "query=page={page:int}"
//	  ],
//	  "method": "GET",
//	  "params": {
//	    "id": "42",
//	    "page": "2"
//	  }
//	}
//
// The parameters are in the order of the pattern, with those of the query behind
// them. Without options there is no such member.
type echo struct {
	entry routelist.Entry
	route *muxwell.Route // set once it is registered
}

type echoAnswer struct {
	Pattern string     `json:"pattern"`
	Options []string   `json:"options,omitempty"`
	Method  string     `json:"method"`
	Params  paramsJSON `json:"params"`
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var params paramsJSON
	for _, name := range e.route.ParamNames() {
		params = append(params, [2]string{name, r.PathValue(name)})
	}
	writeJSON(w, http.StatusOK, echoAnswer{e.entry.Pattern, optionTexts(e.entry), winner(e.route, r.Method), params})
}

// optionTexts returns the options of an entry as its line has them.
func optionTexts(e routelist.Entry) []string {
	var texts []string
	for _, o := range e.Options {
		texts = append(texts, o.Text)
	}
	return texts
}

// winner returns the method of the route that took a request: of a list the
// one that matched, which for HEAD may be GET, and the request's own if the
// route takes any.
func winner(rt *muxwell.Route, method string) string {
	if methods := rt.Methods(); len(methods) > 0 && !slices.Contains(methods, method) {
		return http.MethodGet
	}
	return method
}

// A paramsJSON is a list of names and values that becomes a JSON object with
// its members in that order.
type paramsJSON [][2]string

// MarshalJSON implements [json.Marshaler].
func (p paramsJSON) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, kv := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, s := range kv {
			text, err := json.Marshal(s)
			if err != nil {
				return nil, err
			}
			b.Write(text)
			if j == 0 {
				b.WriteByte(':')
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeJSON writes a response of indented JSON in which <, > and & are escaped.
// It panics if v cannot be encoded.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body := encodeJSON(v)
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}

const jsonType = "application/json"

func encodeJSON(v any) []byte {
	body, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return append(body, '\n')
}
