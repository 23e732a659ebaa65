package loadgen

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// variable makes a child of the test binary, which doubles numbers.
const variable = "LOADGEN_TEST_CHILD"

func TestMain(m *testing.M) {
	Child(variable, func(n int) int { return 2 * n })
	os.Exit(m.Run())
}

func start(t *testing.T, ctx context.Context) *Process[int, int] {
	t.Helper()
	p, err := Start[int, int](ctx, variable, (*exec.Cmd).Start)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestChildEnds: a child carries out orders, leaves interrupts to its parent, and ends
// well.
func TestChildEnds(t *testing.T) {
	p := start(t, t.Context())
	for n := range 3 {
		if got, err := p.Do(n); err != nil || got != 2*n {
			t.Errorf("order %d: %d, error %v", n, got, err)
		}
		if runtime.GOOS != "windows" {
			p.command.Process.Signal(os.Interrupt) // which it ignores
		}
	}
	p.Stop()
	if state := p.command.ProcessState; state == nil || !state.Success() {
		t.Errorf("the child ended with %v, want success", state)
	}
}

func TestChildFails(t *testing.T) {
	p := start(t, t.Context())
	io.WriteString(p.in, "no JSON\n")
	if _, err := p.Do(1); err == nil || !strings.Contains(err.Error(), "cannot read an order") {
		t.Errorf("error %v, want what the child said", err)
	}
}

// TestKilled: a child that is gone is an error.
func TestKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := start(t, ctx)
	cancel()
	p.command.Wait()
	if _, err := p.Do(1); !errors.Is(err, ErrNoChild) {
		t.Errorf("error %v, want %v", err, ErrNoChild)
	}
}

// What would start itself over and over must not.
func TestNoChildOfAChild(t *testing.T) {
	t.Setenv(variable, "1")
	if _, err := Start[int, int](t.Context(), variable, (*exec.Cmd).Start); !errors.Is(err, ErrNoChild) {
		t.Errorf("error %v, want %v", err, ErrNoChild)
	}
}

func TestReadHeader(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Header
		err  string
	}{
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", Header{200, 5, false, false}, ""},
		{"HTTP/1.1 404\r\ncontent-length:0\r\nX: y\r\nCONNECTION: Close\r\n\r\n", Header{404, 0, false, true}, ""},
		{"HTTP/1.1 200 OK\nContent-Length: 12\nConnection: keep-alive\n\n", Header{200, 12, false, false}, ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Header{200, -1, true, false}, ""},
		{"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", Header{200, 5, false, true}, ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", Header{}, `Transfer-Encoding "gzip"`},
		{"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", Header{}, `Content-Length "-1"`},
		{"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", Header{}, `Content-Length "x"`},
		{"HTTP/2.0 200 OK\r\n\r\n", Header{}, "no status of HTTP/1"},
		{"HTTP/1.1 2xx OK\r\n\r\n", Header{}, "no status of HTTP/1"},
		{"HTTP/1.1 20 OK\r\n\r\n", Header{}, "no status of HTTP/1"},
		{"HTTP/1.1 200 OK\r\nContent-Le", Header{}, "unexpected EOF"},
		{"", Header{}, "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 5000), Header{}, "longer than 4096"},
	} {
		got, err := ReadHeader(bufio.NewReader(strings.NewReader(c.in)))
		if c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%.50q: %+v, %v; want %+v, %q", c.in, got, err, c.want, c.err)
		}
	}
}
