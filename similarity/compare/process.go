package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process is a running service.
type process struct {
	cmd   *exec.Cmd
	url   *url.URL
	ended chan error
	mu    sync.Mutex
	lines []string // the last that it wrote
}

// The maximum times for a service to start listening and to exit.
const (
	startTime = 20 * time.Second
	endTime   = 20 * time.Second
)

// keptLines is how many lines of a service are kept for errors.
const keptLines = 10

// startProcess starts a service with one computing thread, on a core if that is not
// anyCore, and waits until it prints its URL.
func startProcess(ctx context.Context, program string, args []string, core int) (*process, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(program, args...), ended: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "TOKIO_WORKER_THREADS=1")
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = apart()
	err = startOn(p.cmd, core)
	out.Close()
	if err != nil {
		in.Close()
		return nil, err
	}
	urls := make(chan *url.URL, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer in.Close()
		p.read(in, urls)
	}()
	go func() {
		<-read
		p.ended <- p.cmd.Wait()
	}()
	return p, p.await(ctx, urls)
}

var anURL = regexp.MustCompile(`https?://[^\s"]+`)

// read reads what a service writes, up to its end. The first URL is sent to urls.
func (p *process) read(r io.Reader, urls chan<- *url.URL) {
	found := false
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if u, wrong := url.Parse(anURL.FindString(line)); !found && wrong == nil && u.Host != "" {
			found = true
			urls <- u
		}
		if line != "" {
			p.mu.Lock()
			p.lines = append(p.lines[max(0, len(p.lines)-keptLines+1):], strings.TrimSuffix(line, "\n"))
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// await waits for the URL. If there is an error the process has ended.
func (p *process) await(ctx context.Context, urls <-chan *url.URL) error {
	select {
	case p.url = <-urls:
		return nil
	case err := <-p.ended:
		return fmt.Errorf("it exited before it printed its URL: %v%s", err, p.wrote())
	case <-time.After(startTime):
		p.kill()
		return fmt.Errorf("it did not print its URL within %v%s", startTime, p.wrote())
	case <-ctx.Done():
		p.kill()
		return ctx.Err()
	}
}

// stop asks the process to end, and waits until it has. A status other than 0 is an
// error.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.cmd.Process.Kill() // the system has no such signal
	}
	select {
	case err := <-p.ended:
		if err != nil {
			return fmt.Errorf("it failed: %w%s", err, p.wrote())
		}
		return nil
	case <-time.After(endTime):
		p.kill()
		return fmt.Errorf("it did not exit within %v after SIGTERM", endTime)
	}
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.ended
}

// wrote returns the last lines that the process wrote, for an error.
func (p *process) wrote() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lines) == 0 {
		return ""
	}
	return "; it wrote:\n" + strings.Join(p.lines, "\n")
}
