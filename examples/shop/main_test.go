package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs the program itself, if a test has started it for that.
func TestMain(m *testing.M) {
	if os.Getenv("SHOP_TEST_RUN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command returns a command that runs the program.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = append(os.Environ(), "SHOP_TEST_RUN=1")
	return c
}

func TestFlags(t *testing.T) {
	for _, row := range []struct {
		args []string
		env  string
		code int
		want string
	}{
		{[]string{"-h"}, "", 0, "Usage: shop [flags]"},
		{[]string{"-h"}, "", 0, "SHOP_STAFF_PASSWORD"},
		{[]string{"-port", "80"}, "", 2, "flag provided but not defined: -port"},
		{[]string{"serve"}, "", 2, `unexpected argument "serve"`},
		{[]string{"-drain", "-1s"}, "", 2, "-drain -1s is negative"},
		{[]string{"-proxy", "0.0.0.0/0"}, "", 2, "write the addresses of the proxies"},
		{[]string{"-db", filepath.Join(t.TempDir(), "no", "shop.db")}, "", 1, "unable to open database file"},
		{[]string{"-db", filepath.Join(t.TempDir(), "shop.db"), "-addr", "localhost:99999", "-metrics", ""}, "", 1, "choose another address with -addr"},
		{[]string{"-db", filepath.Join(t.TempDir(), "shop.db")}, "SHOP_STAFF_PASSWORD=" + strings.Repeat("x", 80), 1, "SHOP_STAFF_PASSWORD: "},
	} {
		c := command(t, row.args...)
		c.Env = append(c.Env, row.env)
		out, err := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != row.code || !strings.Contains(string(out), row.want) {
			t.Errorf("%q: exit code %d, %v, and\n%s\nwant %d and %q", row.args, got, err, out, row.code, row.want)
		}
	}
}

// TestInterrupt: the program serves metrics, and staff can log in with the password that it
// prints. After Ctrl-C a request that has begun is answered, and the program ends with 0.
func TestInterrupt(t *testing.T) {
	c := command(t, "-addr", "localhost:0", "-metrics", "localhost:0", "-db", filepath.Join(t.TempDir(), "shop.db"))
	stderr := new(buffer)
	c.Stderr = stderr
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var metrics, addr, staff string
	if _, err := fmt.Fscanf(stdout, "metrics on %s\nserving on http://%s\nthe password of staff is %s\n", &metrics, &addr, &staff); err != nil {
		t.Fatalf("%v; the program logged\n%s", err, stderr)
	}
	addr = strings.TrimSuffix(addr, "/")
	noRedirect := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := noRedirect.PostForm("http://"+addr+"/login", url.Values{"password": {staff}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != 303 {
		t.Errorf("the login with %q got %d", staff, res.StatusCode)
	}
	if res, err = http.Get(metrics); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if res.Body.Close(); err != nil || !strings.Contains(string(b), `http_requests_total{code="303",method="POST",pattern="POST /login"} 1`) {
		t.Errorf("the metrics are %s, %v", b, err)
	}

	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"count":2}`
	fmt.Fprintf(conn, "PUT /api/cart/1 HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	answers := bufio.NewReader(conn)
	if res, err := http.ReadResponse(answers, nil); err != nil || res.StatusCode != http.StatusContinue { // the handler reads the body
		t.Fatalf("got %v, %v", res, err)
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool { return strings.Contains(stderr.String(), "shutting down") })
	fmt.Fprint(conn, body)
	if res, err = http.ReadResponse(answers, nil); err != nil {
		t.Fatalf("%v; the program logged\n%s", err, stderr)
	}
	if b, err = io.ReadAll(res.Body); err != nil || res.StatusCode != 200 || !strings.Contains(string(b), `"total":1380`) {
		t.Errorf("the request that had begun was answered with %d %s %v", res.StatusCode, b, err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("the program ended with %v; it logged\n%s", err, stderr)
	}
}

// wait waits until a condition holds.
func wait(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited too long")
		}
	}
}
