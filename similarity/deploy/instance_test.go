package deploy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An instance is one process of the service, always at the same address.
type instance struct {
	program string
	addr    string
	args    []string
	cmd     *exec.Cmd
	exited  chan error
}

// newInstance returns an instance that is not started yet.
func newInstance(t *testing.T, args ...string) *instance {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	i := &instance{program: filepath.Join(dir, "similarity"), addr: freeAddr(t), args: args}
	t.Cleanup(func() { i.stop(os.Kill) })
	return i
}

// freeAddr returns an address that nobody listens at. Connections come from 127.0.0.1;
// at another address none of them takes the port while an instance is away. Where there
// is no other one, as on macOS, that may happen.
func freeAddr(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		ln, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// start starts the instance and returns when it says that it listens.
func (i *instance) start() error {
	i.cmd = exec.Command(i.program, slices.Concat(i.args, []string{"-addr", i.addr, "-admin", "off", "-log-level", "error"})...)
	i.cmd.Stderr = os.Stderr
	stdout, err := i.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := i.cmd.Start(); err != nil {
		return err
	}
	i.exited = make(chan error, 1)
	lines := bufio.NewReader(stdout)
	first, err := lines.ReadString('\n')
	go func() {
		io.Copy(io.Discard, lines)
		i.exited <- i.cmd.Wait()
	}()
	if err != nil || !strings.Contains(first, i.addr) {
		return fmt.Errorf("the service at %s says %q: %v", i.addr, first, err)
	}
	return nil
}

// stop sends a signal and returns what the process ended with. A process that was not
// started, or is gone, is left alone.
func (i *instance) stop(signal os.Signal) error {
	if i.exited == nil {
		return nil
	}
	i.cmd.Process.Signal(signal)
	select {
	case err := <-i.exited:
		i.exited = nil
		return err
	case <-time.After(30 * time.Second):
		i.cmd.Process.Kill()
		return fmt.Errorf("the service at %s still runs 30 s after %v", i.addr, signal)
	}
}

// TestManifestArguments: the service takes the flags that the Deployment has, answers
// its probes, and ends well on SIGTERM.
func TestManifestArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the programs anew")
	}
	c := container(t, readManifests(t))
	var args []string
	for _, a := range c.Args {
		if !strings.HasPrefix(a, "-shutdown-delay=") { // which is a wait
			args = append(args, a)
		}
	}
	i := newInstance(t, args...)
	if err := i.start(); err != nil {
		t.Fatal(err)
	}
	for name, probe := range probes(c) {
		r, err := http.Get("http://" + i.addr + probe.HTTPGet.Path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("the %s probe gets %s", name, r.Status)
		}
	}
	if err := i.stop(os.Interrupt); err != nil {
		t.Errorf("it ends with %v", err)
	}
}
