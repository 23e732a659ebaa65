package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// execute runs a command that ends by itself.
func execute(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		stdout string // a part of what is printed
		stderr string
	}{
		{"help", 0, "-max-inflight number", ""},
		{"-help", 0, "-max-body size", ""},
		{"serve -h", 0, "(default 4MiB)", ""},
		{"batch -help", 0, "pairs", ""},
		{"version", 0, runtime.Version(), ""},
		{"help batch", 2, "", "similarity batch -help shows"},
		{"version x", 2, "", "version takes no operands"},
		{"server", 2, "", `unknown command "server"; the commands are serve, batch, pairs, version and help`},
		{"serve pairs.csv", 2, "", "similarity batch FILE"},
		{"-nothing", 2, "", "flag provided but not defined: -nothing; -help shows all flags"},
		{"-addr 8080", 2, "", `-addr "8080" is not HOST:PORT`},
		{"-addr localhost:no-such-port", 1, "", "choose another address with -addr"},
		{"-addr localhost:0 -admin 6060", 2, "", `-admin "6060" is not HOST:PORT`},
		{"-admin :6060", 2, "", "is not a loopback address"},
		{"-admin 0.0.0.0:6060", 2, "", "is not a loopback address"},
		{"-admin example.com:6060", 2, "", "is not a loopback address"},
		{"-addr localhost:0 -admin localhost:no-such-port", 1, "", "choose another address with -admin"},
		{"-max-body 0", 2, "", "must be from 1 to 64000000 bytes"},
		{"-max-body 1GiB", 2, "", "such as 500000, 512KiB or 4MiB"},
		{"-max-body 62MiB", 2, "", "from 1 to 64000000"},
		{"-max-body -4MiB", 2, "", "from 1 to 64000000"},
		{"-max-inflight 0", 2, "", "-max-inflight 0: must be from 1"},
		{"-max-inflight many", 2, "", `invalid value "many" for flag -max-inflight`},
		{"-log-level loud", 2, "", "must be debug, info, warn or error"},
		{"-read-timeout 0s", 2, "", "-read-timeout 0s: must be from 1ms to 24h"},
		{"-read-timeout 5", 2, "", `invalid value "5" for flag -read-timeout`},
		{"-read-timeout 1m", 2, "", "-write-timeout 40s: must be longer than -read-timeout, which is 1m0s"},
		{"-shutdown-delay -1s", 2, "", "-shutdown-delay -1s: must be from 0s to 24h"},
	} {
		status, stdout, stderr := execute(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("similarity %s: status %d, %q, %q; want %d, %q, %q", c.args, status, stdout, stderr, c.status, c.stdout, c.stderr)
		}
		if c.stderr != "" && (stdout != "" && c.status == 2 || strings.Count(strings.TrimSpace(stderr), "\n") > 0 && c.status == 2) {
			t.Errorf("similarity %s: more than an error: %q, %q", c.args, stdout, stderr)
		}
	}
}

// TestBatch: the command reaches package batch.
func TestBatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pairs.csv")
	if err := os.WriteFile(file, []byte("text1,text2\na b,a c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := execute(t, "batch", "-out", "-", file)
	if status != 0 || !strings.Contains(stdout, "0.352") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if status, _, stderr := execute(t, "batch", file+".missing"); status != 1 || stderr == "" {
		t.Errorf("a missing file: status %d, %q", status, stderr)
	}
}

func TestByteSizes(t *testing.T) {
	for s, want := range map[string]byteSize{"1": 1, "500000": 500_000, "1KiB": 1 << 10, "4MiB": 4 << 20, "62500KiB": 64_000_000} {
		var b byteSize
		if err := b.Set(s); err != nil || b != want {
			t.Errorf("%s: %d, %v; want %d", s, int(b), err, int(want))
		}
		if got := b.String(); got != s {
			t.Errorf("%s is written %s", s, got)
		}
	}
}

// TestEnvironment: variables set flags, which take precedence over them.
func TestEnvironment(t *testing.T) {
	t.Setenv("SIMILARITY_MAX_BODY", "1KiB")
	t.Setenv("SIMILARITY_MAX_INFLIGHT", "7")
	t.Setenv("SIMILARITY_LOG_LEVEL", "WARN")
	t.Setenv("SIMILARITY_ADMIN", "off")
	t.Setenv("SIMILARITY_ADDR", "")
	o, err := parse([]string{"-max-inflight", "8"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if o.maxBody != 1024 || o.maxInFlight != 8 || o.logLevel.String() != "warn" || o.admin != off || o.addr != "localhost:8080" {
		t.Errorf("the options are %+v", o)
	}
	t.Setenv("SIMILARITY_MAX_BODY", "much")
	if status, _, stderr := execute(t); status != 2 || !strings.Contains(stderr, "SIMILARITY_MAX_BODY") || !strings.Contains(stderr, "4MiB") {
		t.Errorf("status %d, %q", status, stderr)
	}
}

// A record is what a program wrote. Requests that are cut off may write on when their
// server has ended.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

// A running is a server that a test started in its process.
type running struct {
	*testing.T
	url, admin string
	stop       context.CancelFunc
	status     chan int
	stderr     *record
}

// start runs the server with flags until the test ends, or calls stop.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	s := &running{T: t, stop: stop, status: make(chan int, 1), stderr: new(record)}
	go func() {
		s.status <- run(ctx, append([]string{"-addr", "localhost:0"}, args...), strings.NewReader(""), w, s.stderr)
		w.Close()
	}()
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		url := regexp.MustCompile(`http://\S+`).FindString(lines.Text())
		switch {
		case strings.HasPrefix(lines.Text(), "Listening on "):
			s.url = url
		case strings.HasPrefix(lines.Text(), "Profiles on "):
			s.admin = url
		case strings.HasPrefix(lines.Text(), "Press "):
			go io.Copy(io.Discard, out)
			return s
		}
	}
	t.Fatalf("the server ended with status %d: %s", <-s.status, s.stderr)
	return nil
}

// end waits for the server's end and checks its exit status.
func (s *running) end(want int) {
	s.Helper()
	select {
	case got := <-s.status:
		if got != want {
			s.Errorf("exit status %d, want %d: %s", got, want, s.stderr)
		}
	case <-time.After(20 * time.Second):
		s.Fatal("the server does not end")
	}
}

func (s *running) get(url string) (status int, body string) {
	s.Helper()
	return s.read(http.Get(url))
}

func (s *running) post(path, body string) (status int, answer string) {
	s.Helper()
	return s.read(http.Post(s.url+path, "application/json", strings.NewReader(body)))
}

func (s *running) read(r *http.Response, err error) (status int, body string) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		s.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestServe(t *testing.T) {
	s := start(t)
	if status, body := s.post("similarity", texts); status != 200 || body != answer {
		t.Errorf("%d %s", status, body)
	}
	if status, body := s.get(s.admin); status != 200 || !strings.Contains(body, "goroutine") {
		t.Errorf("%s: %d", s.admin, status)
	}
	if status, _ := s.get(s.url + "debug/pprof/"); status != 404 {
		t.Errorf("profiles are served to everyone: %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	s.end(0)
	first, _, _ := strings.Cut(s.stderr.String(), "\n")
	var line map[string]any
	if err := json.Unmarshal([]byte(first), &line); err != nil || line["msg"] != "listening" || line["url"] != s.url {
		t.Errorf("the first line of the log is %s", first)
	}
}

func TestNoAdmin(t *testing.T) {
	if s := start(t, "-admin", ""); s.admin != "" {
		t.Errorf("profiles are on %s", s.admin)
	}
}

// TestAddrTaken: an address that is in use is an error that says what to do.
func TestAddrTaken(t *testing.T) {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if status, _, stderr := execute(t, "-addr", ln.Addr().String()); status != 1 || !strings.Contains(stderr, "choose another address with -addr") {
		t.Errorf("status %d, %q", status, stderr)
	}
}
