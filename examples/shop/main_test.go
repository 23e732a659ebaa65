package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
		{[]string{"-db", filepath.Join(t.TempDir(), "shop.db"), "-addr", "256.0.0.1:1", "-metrics", ""}, "", 1, "choose another address with -addr"},
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

// start starts the program with a new database and returns its URL, and a function that
// presses Ctrl-C and returns what it printed and how it ended.
func start(t *testing.T) (url string, stop func() (string, error), stderr *buffer) {
	t.Helper()
	c := command(t, "-addr", "localhost:0", "-metrics", "localhost:0", "-db", filepath.Join(t.TempDir(), "shop.db"))
	stderr = new(buffer)
	c.Stderr = stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	lines := bufio.NewReader(io.TeeReader(out, &printed))
	for !strings.Contains(printed.String(), "password") {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatalf("%v; the program printed\n%s\n%s", err, &printed, stderr)
		}
	}
	url = regexp.MustCompile(`serving on (http://\S+)/`).FindStringSubmatch(printed.String())[1]
	return url, func() (string, error) {
		if err := c.Process.Signal(syscall.SIGINT); err != nil {
			return "", err
		}
		return printed.String(), c.Wait()
	}, stderr
}

// TestInterrupt: after Ctrl-C a request that has begun is answered, and the program ends
// with 0. Before, it serves metrics, and staff can log in with the password that it prints.
func TestInterrupt(t *testing.T) {
	url, stop, stderr := start(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
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
	var printed string
	ended := make(chan error, 1)
	go func() {
		var err error
		printed, err = stop()
		ended <- err
	}()
	wait(t, func() bool { return strings.Contains(stderr.String(), "shutting down") })
	fmt.Fprint(conn, body)
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatalf("%v; the program logged\n%s", err, stderr)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(b), `"total":1380`) {
		t.Errorf("the request that had begun was answered with %d %s %v", res.StatusCode, b, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the program ended with %v; it logged\n%s", err, stderr)
	}
	if !regexp.MustCompile(`the password of staff is [A-Z2-7]{26}\n`).MatchString(printed) {
		t.Errorf("the program printed\n%s", printed)
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
