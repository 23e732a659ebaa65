package page_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	routepage "github.com/muxwell/muxwell/routebench/page"
	"github.com/muxwell/muxwell/routebench/result"
)

// save writes the page of a run to a file and returns its URL.
func save(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := routepage.Write(&b, run); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// browser is the browser of all tests.
var browser struct {
	start sync.Once
	ctx   context.Context
	err   error
	stop  func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// started returns the context of the browser, which the first call starts.
func started(chromium string) (context.Context, error) {
	browser.start.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		browser.ctx, browser.stop = ctx, func() { cancel(); stop() }
		browser.err = chromedp.Do(ctx)
	})
	return browser.ctx, browser.err
}

// browse returns a tab of the given size. The test fails if a page that it shows
// writes to the console, breaks its Content-Security-Policy, opens a dialog, or
// asks for anything but itself.
func browse(t *testing.T, width, height int64) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("chromium is not installed")
		}
		t.Skip("no chromium to show the page in; install Debian's package chromium, as .ci/run does")
	}
	ctx, err := started(chromium)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return err
	})); err != nil {
		t.Fatal(err)
	}
	var c complaints
	if err := chromedp.Listen(ctx, c.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.report(t) })
	do(t, ctx, chromedp.EmulateViewport(width, height))
	return ctx
}

// open shows the page of a run.
func open(t *testing.T, run *result.Run, width, height int64) context.Context {
	t.Helper()
	url := save(t, run)
	ctx := browse(t, width, height)
	do(t, ctx, chromedp.Navigate(url))
	return ctx
}

// complaints are what a page that is in order does not do.
type complaints struct {
	mu   sync.Mutex
	said []string
}

func (c *complaints) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		said = fmt.Sprintf("the page wrote to the console: %s %v", e.Type, e.Args)
	case *runtime.EventExceptionThrown:
		said = fmt.Sprintf("%v %s", e.ExceptionDetails, e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded:
		said = fmt.Sprintf("the browser says %s: %s", e.Entry.Level, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		said = "a dialog opened: " + e.Message
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; url != e.DocumentURL && !strings.HasPrefix(url, "data:") {
			said = "the page asked for " + url
		}
	}
	if said != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.said = append(c.said, said)
	}
}

// report fails the test if there were any.
func (c *complaints) report(t *testing.T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, said := range c.said {
		t.Error(said)
	}
}

// stepTimeout ends a test whose page never does what it waits for.
const stepTimeout = 20 * time.Second

// do runs steps in a browser.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// ask returns the value of an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	return get(t, ctx, chromedp.Evaluate[T](expression))
}

// await waits until an expression is true in the page.
func await(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if left(err) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			t.Fatalf("waiting for %s: %v", expression, err)
		}
		return
	}
}

// left reports whether an error says that the page has been left for another one
// meanwhile, in which an expression can be asked again.
func left(err error) bool {
	var e *cdproto.Error
	return errors.As(err, &e) && e.Code == -32000 && strings.Contains(e.Message, "context")
}

// get runs a step that has a result.
func get[T any](t *testing.T, ctx context.Context, step chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, step)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// prefer sets the theme that the reader prefers: light or dark.
func prefer(theme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
		})
		return err
	})
}

// withoutScripts turns JavaScript off.
func withoutScripts() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
}
