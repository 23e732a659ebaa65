package deploy

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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run starts a command of the test's context, and waits for its end after the test.
func run(t *testing.T, cmd *exec.Cmd) error {
	cmd.Stderr = t.Output()
	if cmd.Stdout == nil {
		cmd.Stdout = cmd.Stderr
	}
	t.Cleanup(func() { cmd.Wait() })
	return cmd.Start()
}

// An instance is a process of the service, always at the same address.
type instance struct {
	program, addr string
	args          []string
	cmd           *exec.Cmd
}

// newInstances returns instances that are not started yet.
func newInstances(t *testing.T, n int, args ...string) []*instance {
	t.Helper()
	program := filepath.Join(t.TempDir(), "similarity")
	shell(t, os.Environ(), "go build -o "+program+" .")
	all := make([]*instance, n)
	for i := range all {
		all[i] = &instance{program: program, addr: freeAddr(t), args: args}
	}
	return all
}

// freeAddr returns an address that nobody listens on. Clients connect from 127.0.0.1: on
// another address none of them gets the port while an instance is down. Some systems, such
// as macOS, have no other address.
func freeAddr(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		ln, err = net.Listen("tcp", "127.0.0.1:0")
	}
	must(t, err)
	defer ln.Close()
	return ln.Addr().String()
}

// start starts the instance, and returns when it listens. It is killed after the test.
func (i *instance) start(t *testing.T) {
	t.Helper()
	i.cmd = exec.CommandContext(t.Context(), i.program, slices.Concat(i.args, []string{"-addr", i.addr, "-admin", "off", "-log-level", "error"})...)
	stdout, err := i.cmd.StdoutPipe()
	must(t, err)
	must(t, run(t, i.cmd))
	if first, err := bufio.NewReader(stdout).ReadString('\n'); !strings.Contains(first, i.addr) {
		t.Fatalf("the service at %s prints %q: %v", i.addr, first, err)
	}
}

// stop sends a signal. The instance must end, after SIGTERM with status 0.
func (i *instance) stop(t *testing.T, signal os.Signal) {
	t.Helper()
	i.cmd.Process.Signal(signal)
	if err := i.cmd.Wait(); err != nil && signal == syscall.SIGTERM {
		t.Errorf("the service at %s ends with %v", i.addr, err)
	}
}

// TestManifestArguments checks that the service accepts the flags of the Deployment, answers
// its probes, and ends after SIGTERM.
func TestManifestArguments(t *testing.T) {
	c := readManifests(t).deployment.Spec.Template.Spec.Containers[0]
	i := newInstances(t, 1, slices.Concat(c.Args, []string{"-shutdown-delay=0"})...)[0]
	i.start(t)
	for name, probe := range probes(&c) {
		r, err := http.Get("http://" + i.addr + probe.HTTPGet.Path)
		must(t, err)
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("the %s probe gets %s", name, r.Status)
		}
	}
	i.stop(t, syscall.SIGTERM)
}

// haproxy returns a command of HAProxy. It is skipped without HAProxy, except where CI is set.
func haproxy(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		const missing = "haproxy is not on PATH; install it, as by apt-get install haproxy"
		if os.Getenv("CI") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	cmd := exec.CommandContext(t.Context(), program, append(args, "-f", "haproxy.cfg")...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// TestHAProxyConfiguration checks that HAProxy accepts the file, as it is and with variables.
func TestHAProxyConfiguration(t *testing.T) {
	for _, env := range [][]string{nil, {"SIMILARITY_1=[::1]:80", "SIMILARITY_2=10.0.0.2:80", "SIMILARITY_3=localhost:80", "BIND=:80", "STATS=:8404"}} {
		if out, err := haproxy(t, env, "-c").CombinedOutput(); err != nil || bytes.Contains(out, []byte("WARNING")) {
			t.Errorf("with %q: %v\n%s", env, err, out)
		}
	}
}

// Metrics of HAProxy, which tell that the first check succeeded, and that one failed.
const (
	up   = `server_check_status{proxy="instances",server="similarity-%d",state="L7OK"} 1`
	down = `server_status{proxy="instances",server="similarity-%d",state="DOWN"} 1`
)

// await waits until the metrics of HAProxy contain a text, and returns them.
func await(t *testing.T, addr, format string, args ...any) string {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	for range 1000 {
		if r, err := http.Get("http://" + addr + "/metrics"); err == nil {
			metrics, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if strings.Contains(string(metrics), text) {
				return string(metrics)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("HAProxy does not report %s", text)
	return ""
}

// client keeps the connections of 16 clients.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: 30 * time.Second}

// send sends a body and checks the answer.
func send(addr string, body []byte) error {
	want, err := score.AppendAnswer(nil, bytes.Clone(body), score.ASCII)
	if err != nil {
		return err
	}
	r, err := client.Post("http://"+addr+"/similarity", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if err == nil && (r.StatusCode != http.StatusOK || !bytes.Equal(bytes.TrimSpace(got), want)) {
		err = fmt.Errorf("%s: %s, want %s", r.Status, got, want)
	}
	return err
}

// TestNoRequestFails checks that all requests get the right answers while each instance is
// terminated, restarted, killed and restarted.
func TestNoRequestFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	bind, stats := freeAddr(t), freeAddr(t)
	env := []string{"BIND=" + bind, "STATS=" + stats}
	instances := newInstances(t, 3, "-shutdown-delay", "1s")
	for n, i := range instances {
		i.start(t)
		env = append(env, fmt.Sprintf("SIMILARITY_%d=%s", n+1, i.addr))
	}
	must(t, run(t, haproxy(t, env, "-db")))
	for n := range instances {
		await(t, stats, up, n+1)
	}

	var group sync.WaitGroup
	var sent atomic.Int64
	stop := make(chan struct{})
	bodies := append(load.Bodies(load.Plain, 200, 1), load.Bodies(load.Messy, 200, 1)...)
	for range 16 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if err := send(bind, bodies[int(sent.Add(1))%len(bodies)]); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	end := sync.OnceFunc(func() {
		close(stop)
		group.Wait()
	})
	defer end()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		for n, i := range instances {
			before := sent.Load()
			i.stop(t, signal)
			await(t, stats, down, n+1)
			i.start(t)
			await(t, stats, up, n+1)
			if sent.Load() == before {
				t.Errorf("no request was sent while instance %d was down", n+1)
			}
		}
	}
	end()
	repeated := regexp.MustCompile(`(?m)^haproxy_backend_re(try|dispatch)_.*`).FindAllString(await(t, stats, "retry"), -1)
	t.Logf("%d requests; HAProxy: %s", sent.Load(), repeated)
}
