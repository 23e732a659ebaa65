package measure

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Answers are read as http.ReadResponse reads them: the same status, the same end,
// and an error where it has one.
func TestReadReply(t *testing.T) {
	const next = "HTTP/1.1 299 Next\r\n\r\n"
	for _, tt := range []struct {
		name, answer string
		head         bool
		last         bool
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, false},
		{"length in other case", "HTTP/1.1 200 OK\r\ncontent-length:3\r\n\r\nabc", false, false},
		{"length 0", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, false},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", false, false},
		{"bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", false, false},
		{"head", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", true, false},
		{"head, chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true, false},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", false, false},
		{"not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", false, false},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", false, false},
		{"chunks with extensions, trailers and hex", "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: Chunked\r\n\r\n1a;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n1\r\na\r\n0\r\nA: b\r\n\r\n", false, false},
		{"closes", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", false, true},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, true},
		{"HTTP/1.0 kept alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc", false, false},
	} {
		r := bufio.NewReader(strings.NewReader(tt.answer + next))
		got, err := readReply(r, tt.head)
		rest, _ := io.ReadAll(r)
		if err != nil || got.last != tt.last || string(rest) != next {
			t.Errorf("%s: %+v, error %v, behind it %q; want last %v and %q", tt.name, got, err, rest, tt.last, next)
		}
		want, wantRest := twin(t, tt.answer+next, tt.head)
		if want.status != got.status || want.last != got.last || wantRest != string(rest) {
			t.Errorf("%s: %+v, behind it %q; http.ReadResponse has %+v and %q", tt.name, got, rest, want, wantRest)
		}
	}
}

// twin reads an answer with net/http.
func twin(t *testing.T, answer string, head bool) (reply, string) {
	t.Helper()
	r := bufio.NewReader(strings.NewReader(answer))
	q := &http.Request{Method: http.MethodGet}
	if head {
		q.Method = http.MethodHead
	}
	resp, err := http.ReadResponse(r, q)
	if err != nil {
		t.Fatalf("http.ReadResponse: %v", err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatalf("http.ReadResponse: the body: %v", err)
	}
	rest, _ := io.ReadAll(r)
	return reply{status: resp.StatusCode, last: resp.Close}, string(rest)
}

func TestReadReplyToTheEnd(t *testing.T) {
	r := bufio.NewReader(strings.NewReader("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc"))
	got, err := readReply(r, false)
	if want := (reply{status: 200, last: true}); err != nil || got != want || r.Buffered() != 0 {
		t.Errorf("%+v, error %v, %d bytes left; want %+v and none", got, err, r.Buffered(), want)
	}
}

func TestReadReplyError(t *testing.T) {
	for _, tt := range []struct{ answer, want string }{
		{"", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nContent-", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", "a chunk that is longer than 3 bytes"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", `a chunk of size "x"`},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", `the Transfer-Encoding "gzip"`},
		{"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", `the Content-Length "x"`},
		{"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", `the Content-Length "-1"`},
		{"HTTP/2 200\r\n\r\n", `begins with "HTTP/2 200"`},
		{"HTTP/1.1 20 OK\r\n\r\n", `begins with "HTTP/1.1 20 OK"`},
		{"hello\r\n\r\n", `begins with "hello"`},
		{"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", 5000) + "\r\n\r\n", "longer than 4096 bytes"},
	} {
		_, err := readReply(bufio.NewReader(strings.NewReader(tt.answer)), false)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: error %v, want %q", tt.answer, err, tt.want)
		}
	}
}
