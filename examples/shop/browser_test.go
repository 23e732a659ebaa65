package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowser buys something as a customer would, and looks at the routes as staff would,
// in Chromium. The pages must not break their Content-Security-Policy, and must fit into a
// narrow window. SHOP_SCREENSHOTS names a directory for pictures of them.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	server := httptest.NewServer(newTestShop(t))
	defer server.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	b := &browser{T: t, ctx: ctx}
	call(b, log.Enable, cdp.Empty{}) // this starts the browser
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}

	b.do(chromedp.Navigate(server.URL + "/"))
	b.show("products")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=q]"), "gyokuro"+kb.Enter))
	b.until(`document.querySelectorAll(".products li").length === 1`)
	b.do(chromedp.Click(chromedp.CSS(".products button")))
	b.until(`document.querySelector("tfoot .number")?.textContent === "$24.00"`)
	b.do(chromedp.SendKeys(chromedp.CSS("[name=count]"), kb.End+kb.Backspace+"4"+kb.Enter))
	b.until(`document.querySelector("tfoot .number")?.textContent === "$96.00"`)
	b.do(chromedp.SendKeys(chromedp.CSS("[name=name]"), "Ada"), chromedp.SendKeys(chromedp.CSS("[name=email]"), "ada@example.com"+kb.Enter))
	b.until(`document.querySelector(".error")?.textContent === "Gyokuro: only 3 left"`)
	b.show("cart")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=count]"), kb.End+kb.Backspace+"3"+kb.Enter))
	b.until(`document.querySelector("tfoot .number")?.textContent === "$72.00"`)
	b.do(chromedp.SendKeys(chromedp.CSS("[name=name]"), "Ada"), chromedp.SendKeys(chromedp.CSS("[name=email]"), "ada@example.com"+kb.Enter))
	b.until(`document.querySelector(".order h2")?.textContent === "Order 1"`)
	b.show("orders")

	b.do(chromedp.Navigate(server.URL + "/routes/"))
	b.until(`document.querySelector("h1").textContent === "Staff only"`)
	b.show("login")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=password]"), password+kb.Enter))
	b.until(`document.querySelector("h1").textContent === "All orders"`)
	b.do(chromedp.Click(chromedp.CSS(`nav a[href="/routes/"]`)))
	b.until(`document.getElementById("live-text")?.textContent === "Live"`)
	b.show("routes")
	b.do(chromedp.Navigate(server.URL + "/routes/operation?method=GET&path=/products/{id}"))
	b.until(`document.querySelector("h2")?.textContent.includes("/api/products/{id}")`)
	b.show("operation")
	b.do(chromedp.Navigate(server.URL + "/nothing"))
	b.show("error")
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.complaints {
		if !strings.Contains(text, "status of 403") && !strings.Contains(text, "status of 404") && !strings.Contains(text, "status of 409") {
			t.Errorf("the browser says: %s", text)
		}
	}
}

// A browser shows one page.
type browser struct {
	*testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

// hear keeps what the browser complains about.
func (b *browser) hear(event any) {
	if e, ok := event.(*log.EventEntryAdded); ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.complaints = append(b.complaints, e.Entry.URL+": "+e.Entry.Text)
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// ask returns the value of an expression in the page.
func ask[T any](b *browser, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression))
}

// until waits until an expression is true, also on a page to which a form leads.
func (b *browser) until(expression string) {
	b.Helper()
	wait(b.T, func() bool {
		holds, _ := ask[bool](b, expression) // there may be no page at the moment
		return holds
	})
}

// call sends a command to the browser.
func call[P any](b *browser, method cdp.Command[P, cdp.Empty], params P) {
	b.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, method, params)
		return err
	})); err != nil {
		b.Fatal(err)
	}
}

// show shows the page in two widths, light and dark.
func (b *browser) show(name string) {
	b.Helper()
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 800))
		if got, err := ask[int64](b, `document.documentElement.scrollWidth`); got > width || err != nil {
			b.Errorf("the page %s is %d pixels wide, want %d at most; %v", name, got, width, err)
		}
		dir := os.Getenv("SHOP_SCREENSHOTS")
		if dir == "" {
			continue
		}
		for _, scheme := range []string{"light", "dark"} {
			call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), png, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
}
