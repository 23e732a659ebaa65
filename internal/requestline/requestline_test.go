package requestline

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		method, target   string
		host, path, line string
		tls              bool
	}{
		{"GET", "/users/42?x=1", "localhost", "/users/42", "/users/42?x=1", false},
		{"GET", "//evil.com/x", "localhost", "//evil.com/x", "//evil.com/x", false},
		{"GET", "/a://b", "localhost", "/a://b", "/a://b", false},
		{"GET", "http://example.com", "example.com", "/", "http://example.com", false},
		{"GET", "HTTPS://example.com/a", "example.com", "/a", "HTTPS://example.com/a", true},
		{"CONNECT", "example.com:443", "example.com:443", "", "example.com:443", false},
		{"CONNECT", "https://example.com:443", "example.com:443", "", "example.com:443", true},
		{"OPTIONS", "*", "localhost", "*", "*", false},
	} {
		r, err := Read(c.method, c.target, "Host: localhost\r\n")
		if err != nil {
			t.Errorf("%s %s: %v", c.method, c.target, err)
			continue
		}
		if r.Host != c.host || r.URL.Path != c.path || r.RequestURI != c.line || (r.TLS != nil) != c.tls {
			t.Errorf("%s %s: host %q, path %q, line %q, TLS %v", c.method, c.target, r.Host, r.URL.Path, r.RequestURI, r.TLS != nil)
		}
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := Read("GET", "http:///a", "Host: localhost\r\n"); !errors.Is(err, ErrNoHost) {
		t.Errorf("no host: %v", err)
	}
	_, err := Read("GET", "/%zz", "Host: localhost\r\n")
	if _, ok := errors.AsType[*url.Error](err); !ok || !strings.HasSuffix(Fault(err), "a percent sign itself is written %25") {
		t.Errorf("a wrong escape: %v", err)
	}
	_, err = Read("GET", "/", "Host: localhost\r\nno colon\r\n")
	if _, ok := errors.AsType[*url.Error](err); err == nil || ok {
		t.Errorf("a wrong header: %v", err)
	}
}

func TestIsToken(t *testing.T) {
	for s, want := range map[string]bool{"GET": true, "M-SEARCH": true, "x!~": true, "": false, "A B": false, "A/B": false, "\u00c4": false} {
		if IsToken(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
