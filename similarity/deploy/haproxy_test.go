package deploy

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// haproxyPath returns where HAProxy is. It is a must where CI is set.
func haproxyPath(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		const missing = "haproxy is not on PATH; install it, as by apt-get install haproxy"
		if os.Getenv("CI") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return program
}

// TestHAProxyConfiguration: HAProxy takes the file, as it is and with variables.
func TestHAProxyConfiguration(t *testing.T) {
	program := haproxyPath(t)
	for _, env := range [][]string{nil, {"SIMILARITY_1=[::1]:80", "SIMILARITY_2=10.0.0.2:80", "SIMILARITY_3=localhost:80", "BIND=:80", "STATS=:8404"}} {
		cmd := exec.Command(program, "-c", "-f", "haproxy.cfg")
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "WARNING") {
			t.Errorf("with %q: %v\n%s", env, err, out)
		}
	}
}

// A balancer is HAProxy with three instances behind it.
type balancer struct {
	url, stats string
	instances  []*instance
}

// newBalancer starts three instances and HAProxy, and waits for it to see them. HAProxy
// gets the sockets that it listens at from here, so that their ports are free.
func newBalancer(t *testing.T) *balancer {
	t.Helper()
	program := haproxyPath(t)
	b := new(balancer)
	cmd := exec.Command(program, "-db", "-f", "haproxy.cfg")
	cmd.Env = append(os.Environ(), "BIND=fd@3", "STATS=fd@4")
	for _, url := range []*string{&b.url, &b.stats} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		f, err := ln.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		ln.Close()
		defer f.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		*url = "http://" + ln.Addr().String()
	}
	for n := 1; n <= 3; n++ {
		i := newInstance(t, "-shutdown-delay", "1s")
		if err := i.start(); err != nil {
			t.Fatal(err)
		}
		b.instances = append(b.instances, i)
		cmd.Env = append(cmd.Env, fmt.Sprintf("SIMILARITY_%d=%s", n, i.addr))
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("HAProxy: %s", out.String())
		}
	})
	for n := range b.instances {
		b.await(t, n, "UP")
	}
	return b
}

// row returns HAProxy's statistics of an instance, or of all together for n = 3.
func (b *balancer) row(n int) (map[string]string, error) {
	r, err := http.Get(b.stats + "/stats;csv")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	rows, err := csv.NewReader(r.Body).ReadAll()
	if err != nil {
		return nil, err
	}
	name := "BACKEND"
	if n < len(b.instances) {
		name = fmt.Sprintf("similarity-%d", n+1)
	}
	for _, row := range rows {
		if row[0] == "instances" && row[1] == name {
			values := map[string]string{}
			for i, key := range rows[0] {
				values[key] = row[i]
			}
			return values, nil
		}
	}
	return nil, fmt.Errorf("there are no statistics of %s", name)
}

// await waits until HAProxy takes an instance to be UP or DOWN.
func (b *balancer) await(t *testing.T, n int, status string) {
	t.Helper()
	var row map[string]string
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		// A check that has not come yet counts as UP.
		if row, err = b.row(n); err == nil && row["status"] == status && row["check_status"] != "INI" {
			return
		}
	}
	t.Fatalf("instance %d does not become %s: %v %v", n+1, status, row, err)
}

// An exchange is a body and its right answer.
type exchange struct{ body, answer []byte }

func exchanges(t *testing.T) []exchange {
	t.Helper()
	var all []exchange
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		for _, body := range load.Bodies(kind, 200, 1) {
			answer, err := score.AppendAnswer(nil, bytes.Clone(body), score.ASCII)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, exchange{body, answer})
		}
	}
	return all
}

// A loader sends bodies in turn and counts the answers.
type loader struct {
	url      string
	all      []exchange
	sent     atomic.Int64
	mu       sync.Mutex
	failures []string
	failed   int
}

// run makes load by some clients until stop is closed.
func (l *loader) run(clients int, stop <-chan struct{}) {
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			client := &http.Client{Timeout: 30 * time.Second, Transport: new(http.Transport)}
			defer client.CloseIdleConnections()
			for {
				select {
				case <-stop:
					return
				default:
					e := l.all[int(l.sent.Add(1))%len(l.all)]
					if err := l.send(client, e); err != nil {
						l.fail(err)
					}
				}
			}
		})
	}
	group.Wait()
}

// send sends one body and checks the answer.
func (l *loader) send(client *http.Client, e exchange) error {
	r, err := client.Post(l.url+"/similarity", "application/json", bytes.NewReader(e.body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return err
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s", r.Status, got)
	case !sameAnswer(got, e.answer):
		return fmt.Errorf("the answer is %s, want %s", got, e.answer)
	}
	return nil
}

// sameAnswer compares answers as JSON.
func sameAnswer(a, b []byte) bool {
	var got, want struct {
		Similarity     float64
		Interpretation string
	}
	return json.Unmarshal(a, &got) == nil && json.Unmarshal(b, &want) == nil && got == want
}

// fail keeps the first failures, and counts all.
func (l *loader) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed++; len(l.failures) < 10 {
		l.failures = append(l.failures, err.Error())
	}
}

// TestNoRequestFails: while each instance is stopped, started, killed and started again,
// all requests get their right answers.
func TestNoRequestFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	b := newBalancer(t)
	l := &loader{url: b.url, all: exchanges(t)}
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() { l.run(16, stop) })
	end := sync.OnceFunc(func() {
		close(stop)
		group.Wait()
	})
	defer end()

	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		for n, i := range b.instances {
			before := l.sent.Load()
			err := i.stop(signal)
			if signal == syscall.SIGTERM && err != nil {
				t.Errorf("instance %d ends with %v", n+1, err)
			}
			b.await(t, n, "DOWN")
			if err := i.start(); err != nil {
				t.Fatal(err)
			}
			b.await(t, n, "UP")
			if l.sent.Load() == before {
				t.Errorf("no request was sent while instance %d was away", n+1)
			}
		}
	}
	end()

	row, err := b.row(len(b.instances))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d requests, %d failed; HAProxy counts %s retries and %s redispatches", l.sent.Load(), l.failed, row["wretr"], row["wredis"])
	if l.failed > 0 {
		t.Errorf("%d of %d requests failed, such as:\n%s", l.failed, l.sent.Load(), strings.Join(l.failures, "\n"))
	}
}
