package service

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

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

// A tab is a tab of the browser that shows the page of a handler.
type tab struct {
	*testing.T
	ctx context.Context

	mu    sync.Mutex
	said  []string
	known string // what the browser may say: a part of it
}

// open shows the page that h serves in a tab of the given size. The test fails if the
// page writes to the console, breaks its Content-Security-Policy or opens a dialog.
func open(t *testing.T, h http.Handler, width, height int64) *tab {
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
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	p := &tab{T: t, ctx: ctx}
	// The first call opens the tab, which lives as long as its context.
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return err
	})); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.report)
	p.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(server.URL+"/"))
	return p
}

// hear notes what a page that is in order does not do.
func (p *tab) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		said = fmt.Sprintf("the page wrote to the console: %s %v", e.Type, e.Args)
	case *runtime.EventExceptionThrown:
		said = fmt.Sprint(e.ExceptionDetails)
	case *log.EventEntryAdded:
		said = fmt.Sprintf("the browser says %s: %s", e.Entry.Level, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		said = "a dialog opened: " + e.Message
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if said != "" && (p.known == "" || !strings.Contains(said, p.known)) {
		p.said = append(p.said, said)
	}
}

func (p *tab) report() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, said := range p.said {
		p.Error(said)
	}
}

// mayFail lets the browser say that a request failed.
func (p *tab) mayFail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = "Failed to load resource"
}

// patience ends a test whose page never does what it waits for.
const patience = 10 * time.Second

// do takes steps in the tab.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// ask returns what an expression is in the page.
func ask[T any](p *tab, expression string) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true in the page.
func (p *tab) until(expression string) {
	p.Helper()
	for end := time.Now().Add(patience); !ask[bool](p, expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("never true: %s; the page shows %q", expression, p.shown("main"))
		}
	}
}

// shown returns the text that an element shows.
func (p *tab) shown(selector string) string {
	p.Helper()
	return ask[string](p, fmt.Sprintf("document.querySelector(%q).innerText.trim()", selector))
}

// untilShown waits until an element shows a text.
func (p *tab) untilShown(selector, want string) {
	p.Helper()
	p.until(fmt.Sprintf("document.querySelector(%q).innerText.replace(/\\s+/g, ' ').trim() === %q", selector, want))
}

// write types into an element.
func (p *tab) write(selector, text string) {
	p.Helper()
	p.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// prefer sets the theme that the reader prefers: light or dark.
func (p *tab) prefer(theme string) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
		})
		return err
	}))
}
