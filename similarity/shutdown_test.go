package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	texts  = `{"text1":"a b","text2":"a c"}`
	answer = `{"similarity":0.352,"interpretation":"Slightly Similar"}`
)

// A slow is a request that was sent but for the second half of its body.
type slow struct {
	net.Conn
	rest string
}

// sendHalf sends a request and the first half of its body. The server has read the
// header when it returns: the request asks for the go-ahead, 100 Continue.
func (s *running) sendHalf() *slow {
	s.Helper()
	c, err := net.Dial("tcp", s.host())
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c, "POST /similarity HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(texts))
	line := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	if _, err := io.ReadFull(c, line); err != nil || !strings.Contains(string(line), " 100 ") {
		s.Fatalf("%q, %v", line, err)
	}
	half := len(texts) / 2
	io.WriteString(c, texts[:half])
	return &slow{c, texts[half:]}
}

func (s *running) host() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
}

// finish sends the rest and returns the answer.
func (c *slow) finish() (status int, body string, err error) {
	io.WriteString(c, c.rest)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	return r.StatusCode, string(b), err
}

// refused waits until the server takes no more connections.
func (s *running) refused() {
	s.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", s.host())
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			c.Close()
		}
		if time.Now().After(end) {
			s.Fatal("the server still takes connections")
		}
	}
}

// TestShutdown: requests in flight are answered after the end began, and it takes no
// new ones.
func TestShutdown(t *testing.T) {
	s := start(t)
	var requests []*slow
	for range 20 {
		requests = append(requests, s.sendHalf())
	}
	s.stop()
	s.refused()
	for i, r := range requests {
		if status, body, err := r.finish(); status != 200 || body != answer || err != nil {
			t.Errorf("request %d: %d %s %v", i, status, body, err)
		}
	}
	s.end(0)
}

// TestShutdownDelay: for a while the server says that it is about to stop, and answers.
func TestShutdownDelay(t *testing.T) {
	s := start(t, "-shutdown-delay", "2s")
	request := s.sendHalf()
	s.stop()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if status, body := s.get(s.url + "readyz"); status == 503 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("GET /readyz: %d %s", status, body)
		}
	}
	if status, _ := s.get(s.url + "healthz"); status != 200 {
		t.Errorf("GET /healthz: %d", status)
	}
	late := s.sendHalf()
	for _, r := range []*slow{request, late} {
		if status, body, err := r.finish(); status != 200 || body != answer || err != nil {
			t.Errorf("%d %s %v", status, body, err)
		}
	}
	s.refused()
	s.end(0)
}

// TestShutdownTimeout: a request that does not end is cut off, and the server says so.
func TestShutdownTimeout(t *testing.T) {
	s := start(t, "-shutdown-timeout", "50ms")
	request := s.sendHalf()
	s.stop()
	s.end(1)
	if status, body, err := request.finish(); err == nil {
		t.Errorf("%d %s", status, body)
	}
	if want := "requests that were not answered within 50ms were cut off"; !strings.Contains(s.stderr.String(), want) {
		t.Errorf("%s, want %q", s.stderr, want)
	}
}

// TestShutdownUnderLoad: clients that keep asking lose no request while the server
// stops. They stop themselves when an answer asks them to close the connection.
func TestShutdownUnderLoad(t *testing.T) {
	s := start(t, "-shutdown-delay", "1s", "-log-level", "warn")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			client := &http.Client{Transport: new(http.Transport)}
			defer client.CloseIdleConnections()
			for {
				r, err := client.Post(s.url+"similarity", "application/json", strings.NewReader(texts))
				if err != nil {
					t.Error(err)
					return
				}
				b, err := io.ReadAll(r.Body)
				r.Body.Close()
				if r.StatusCode != 200 || string(b) != answer || err != nil {
					t.Errorf("%d %s %v", r.StatusCode, b, err)
				}
				if r.Close {
					return
				}
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	s.stop()
	wg.Wait()
	s.end(0)
}

// TestReadTimeout: a body that does not come is answered with 408, and one that breaks
// off is no error in the log.
func TestReadTimeout(t *testing.T) {
	s := start(t, "-read-timeout", "500ms", "-read-header-timeout", "500ms")
	request := s.sendHalf()
	request.rest = ""
	if status, body, err := request.finish(); status != 408 || err != nil {
		t.Errorf("%d %s %v", status, body, err)
	}
	s.sendHalf().Close()
	s.stop()
	s.end(0)
	log := s.stderr.String()
	if !strings.Contains(log, `"status":408`) || !strings.Contains(log, `"status":499`) || strings.Contains(log, `"status":400`) || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log is %s", log)
	}
}

// TestTooLarge: the answer to a body beyond the limit arrives, however it is sent, and
// the connection is closed.
func TestTooLarge(t *testing.T) {
	s := start(t, "-max-body", "10KiB")
	for name, body := range map[string]io.Reader{
		"with its length":       strings.NewReader(strings.Repeat(" ", 2<<20)),
		"in chunks":             io.MultiReader(strings.NewReader(strings.Repeat(" ", 2<<20))),
		"little, in chunks":     io.MultiReader(strings.NewReader(strings.Repeat(" ", 10<<10+1))),
		"little, with a length": strings.NewReader(strings.Repeat(" ", 10<<10+1)),
	} {
		r, err := http.NewRequest("POST", s.url+"similarity", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		client := &http.Client{Transport: new(http.Transport)}
		answer, err := client.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		client.CloseIdleConnections()
		if answer.StatusCode != 413 || err != nil || !answer.Close || !strings.Contains(string(b), "10240 bytes") {
			t.Errorf("%s: %d %s %v, closed %v", name, answer.StatusCode, b, err, answer.Close)
		}
	}
}
