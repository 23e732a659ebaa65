package explorer

import (
	"bytes"
	"encoding/json"
)

// listJSON is a view as JSON.
type listJSON struct {
	Title  string      `json:"title"`
	Routes []routeJSON `json:"routes"`
	Other  *statsJSON  `json:"other,omitempty"` // of requests that no route matched
}

// routeJSON is a route as JSON. Without methods it matches any, without a host all.
type routeJSON struct {
	Pattern    string            `json:"pattern"`
	Methods    []string          `json:"methods"`
	Host       string            `json:"host"`
	Path       string            `json:"path"`
	Prefix     string            `json:"prefix"`
	Params     []string          `json:"params"`
	Name       string            `json:"name"`
	Matchers   []string          `json:"matchers"`
	Meta       map[string]string `json:"meta"`
	Middleware []string          `json:"middleware"`
	Source     string            `json:"source"`
	Stats      *statsJSON        `json:"stats,omitempty"`
}

// statsJSON are statistics as JSON. Latencies are in nanoseconds, and 0 if no
// request was timed.
type statsJSON struct {
	Requests uint64 `json:"requests"`
	Timed    uint64 `json:"timed"`
	P50      int64  `json:"p50_ns"`
	P99      int64  `json:"p99_ns"`
}

// routesJSON returns a view as JSON.
func routesJSON(v *view) []byte {
	list := listJSON{Title: v.Title, Routes: []routeJSON{}, Other: newStatsJSON(v.Other)}
	for i := range v.Routes {
		r := &v.Routes[i]
		j := routeJSON{
			Pattern: r.Pattern, Methods: orEmpty(r.Methods), Host: r.Host, Path: r.Path, Prefix: r.Prefix,
			Params: orEmpty(r.Params), Name: r.Name, Matchers: orEmpty(r.Matchers), Meta: map[string]string{},
			Middleware: orEmpty(r.Middleware), Source: r.Source, Stats: newStatsJSON(r.Stats),
		}
		for _, m := range r.Meta {
			j.Meta[m.Key] = m.Value
		}
		list.Routes = append(list.Routes, j)
	}
	return encodeJSON(list)
}

func newStatsJSON(s *Stats) *statsJSON {
	if s == nil {
		return nil
	}
	return &statsJSON{s.Requests, s.Timed, s.P50.Nanoseconds(), s.P99.Nanoseconds()}
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// encodeJSON returns v as indented JSON in which <, > and & are escaped. It panics
// if v cannot be encoded.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}
