package soak

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A call is a request with its right answer.
type call struct {
	method, path string
	host         string // if it is not the server's
	header       map[string]string
	body         string

	status int
	answer string            // the body
	within bool              // answer is a part of the body
	fields map[string]string // headers of the answer
	runs   int               // of handlers of routes
	noID   bool              // the answer is from outside of RequestID
}

// request returns the request of a call, with a new ID.
func (s *suite) request(ctx context.Context, name string, c *client, x call, body io.Reader) (*http.Request, string, error) {
	r, err := http.NewRequestWithContext(ctx, x.method, c.base+x.path, body)
	if err != nil {
		return nil, "", err
	}
	if x.host != "" {
		r.Host = x.host
	}
	for k, v := range x.header {
		r.Header.Set(k, v)
	}
	id := s.ledger.open(name)
	r.Header.Set(idHeader, id)
	return r, id, nil
}

// exchange sends a request with a client and records a wrong answer. It returns the
// request's ID.
func (s *suite) exchange(name string, c *client, x call) string {
	var body io.Reader
	if x.body != "" {
		body = strings.NewReader(x.body)
	}
	return s.exchangeBody(name, c, x, body)
}

// exchangeBody is exchange with a body of any kind.
func (s *suite) exchangeBody(name string, c *client, x call, body io.Reader) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, id, err := s.request(ctx, name, c, x, body)
	if err != nil {
		s.faults.addf(name, "%v", err)
		return id
	}
	resp, err := c.http.Do(r)
	if err != nil {
		s.faults.addf(name, "%s %s: no answer: %v", x.method, x.path, err)
		s.ledger.givenUp(id)
		return id
	}
	if resp.ProtoMajor != c.proto {
		s.faults.addf(name, "%s %s: answer by %s, want HTTP/%d", x.method, x.path, resp.Proto, c.proto)
	}
	s.judge(name, id, resp, x)
	return id
}

// judge reads an answer and records it if it is wrong.
func (s *suite) judge(name, id string, resp *http.Response, x call) {
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // it has been read, or err says why not
	s.ledger.answered(id, x.runs)
	s.tally.answer(name, resp.StatusCode)
	if err != nil {
		s.faults.addf(name, "%s %s: the answer breaks off after %d bytes: %v", x.method, x.path, len(body), err)
		return
	}
	for _, fault := range x.differences(resp, string(body)) {
		s.faults.addf(name, "%s %s (host %q): %s", x.method, x.path, x.host, fault)
	}
	if got := resp.Header.Get(idHeader); got != id && !x.noID {
		s.faults.addf(name, "%s %s: the answer is that of request %q, want %q", x.method, x.path, got, id)
	}
}

// differences returns the differences between an answer and the right one.
func (x call) differences(resp *http.Response, body string) []string {
	var list []string
	if resp.StatusCode != x.status {
		list = append(list, fmt.Sprintf("status %d, want %d; body %.200q", resp.StatusCode, x.status, body))
	}
	if x.within && !strings.Contains(body, x.answer) || !x.within && body != x.answer {
		list = append(list, fmt.Sprintf("body %.200q, want %.200q", body, x.answer))
	}
	for k, want := range x.fields {
		if got := resp.Header.Get(k); got != want {
			list = append(list, fmt.Sprintf("header %s is %q, want %q", k, got, want))
		}
	}
	return list
}

// get returns the answer to a GET request, for the caller to judge.
func (s *suite) get(name string, c *client, path string) (status int, body, id string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, id, err := s.request(ctx, name, c, call{method: "GET", path: path}, nil)
	if err != nil {
		return 0, "", id, err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, "", id, err
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // it has been read, or err says why not
	if got := resp.Header.Get(idHeader); err == nil && got != id {
		err = fmt.Errorf("the answer is that of request %q, want %q", got, id)
	}
	return resp.StatusCode, string(text), id, err
}
