package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serve runs "muxwell serve" for a list until the test ends, and returns the
// URL of its page.
func serve(t *testing.T, list string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "muxwell")
	build := exec.Command("go", "build", "-o", program, "./cmd/muxwell")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	server := exec.Command(program, "serve", "-addr", "localhost:0", list)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGINT)
		if err := server.Wait(); err != nil {
			t.Errorf("muxwell serve: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	if url == "" {
		t.Fatalf("muxwell serve printed %q (%v), want a URL", line, err)
	}
	return url
}

// open returns a browser that shows a page. The test fails if the page writes
// to the console, breaks its Content-Security-Policy or opens a dialog.
func open(t *testing.T, url string) context.Context {
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
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	// The first call starts the browser, which lives as long as its context.
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return err
	})); err != nil {
		t.Fatal(err)
	}
	var c complaints
	if err := chromedp.Listen(ctx, c.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.report(t, url) })
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
		said = fmt.Sprint(e.ExceptionDetails)
	case *log.EventEntryAdded:
		// The browser wants a favicon of every answer, and "Try it" may get a 404.
		if !strings.HasSuffix(e.Entry.URL, "/favicon.ico") && !strings.HasSuffix(e.Entry.URL, "/v1/pets/404") {
			said = fmt.Sprintf("the browser says %s: %s", e.Entry.Level, e.Entry.Text)
		}
	case *page.EventJavascriptDialogOpening:
		said = "a dialog opened: " + e.Message
	}
	if said != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.said = append(c.said, said)
	}
}

// report fails the test if there were any.
func (c *complaints) report(t *testing.T, url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, said := range c.said {
		t.Errorf("%s: %s", url, said)
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

// ask runs a step that has a result.
func ask[T any](t *testing.T, ctx context.Context, step chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, step)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shown returns the count that the page of the list shows, and the rows.
func shown(t *testing.T, ctx context.Context) (count string, rows []string) {
	t.Helper()
	return ask(t, ctx, chromedp.Text("#count")), ask(t, ctx, chromedp.Evaluate[[]string](
		`Array.from(document.querySelectorAll("#routes > li")).filter(li => li.offsetParent).map(li => li.textContent.replace(/\s+/g, " "))`))
}

// untilCount waits until the page shows a count.
func untilCount(t *testing.T, ctx context.Context, count string) {
	t.Helper()
	until(t, ctx, fmt.Sprintf(`document.getElementById("count").textContent === %q`, count))
}

// TestSearch types into the page as a person would.
func TestSearch(t *testing.T) {
	ctx := open(t, serve(t, "../routes/github.txt"))
	if count, rows := shown(t, ctx); count != "203 routes" || len(rows) != 203 {
		t.Fatalf("the page shows %q and %d rows, want 203 routes", count, len(rows))
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "delete keys"))
	untilCount(t, ctx, "2 of 203 routes")
	count, rows := shown(t, ctx)
	if count != fmt.Sprintf("%d of 203 routes", len(rows)) || len(rows) != 2 {
		t.Errorf("delete keys: the page shows %q and %q, want two routes", count, rows)
	}
	for _, row := range rows {
		if !strings.Contains(row, "DELETE") || !strings.Contains(row, "/keys") {
			t.Errorf("delete keys: row %q has not both words", row)
		}
	}
	do(t, ctx, chromedp.KeyEvent(" nothing"))
	untilCount(t, ctx, "0 of 203 routes")
	if _, rows := shown(t, ctx); len(rows) != 0 || text(t, ctx, ".none") != "No route matches the search." {
		t.Errorf("nothing: %d rows and the notice %q", len(rows), text(t, ctx, ".none"))
	}
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	untilCount(t, ctx, "203 routes")
	if _, rows := shown(t, ctx); len(rows) != 203 {
		t.Errorf("after Escape the page shows %d rows, want all", len(rows))
	}
	ask(t, ctx, chromedp.Evaluate[bool](`(document.activeElement.blur(), true)`))
	do(t, ctx, chromedp.KeyEvent("/"))
	if id := ask(t, ctx, chromedp.Evaluate[string](`document.activeElement.id`)); id != "q" {
		t.Errorf("after / #%s has the focus, want the search", id)
	}
}

// TestTenThousandRoutes: the page of a large list is no taller than one screen times
// fifty, leads to all routes and finds each, with JavaScript and without.
func TestTenThousandRoutes(t *testing.T) {
	var list strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&list, "GET /service%d/{tenant}/items/%d\n", i%50, i)
	}
	base := serveList(t, list.String())
	ctx := open(t, base)
	for _, width := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 800))
		if height := ask(t, ctx, chromedp.Evaluate[int](`document.documentElement.scrollHeight`)); height > 40_000 {
			t.Errorf("at %d pixels the page is %d pixels tall, want 40,000 at most", width, height)
		}
		if n := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("*").length`)); n > 5_000 {
			t.Errorf("the page has %d elements, want 5,000 at most", n)
		}
	}
	if got := text(t, ctx, ".extent"); got != "Routes 1 to 250 of 10,000. Search to narrow the list." {
		t.Errorf("the page says %q", got)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#next")))
	until(t, ctx, `document.querySelector(".line").textContent === "251"`)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "items/9999"))
	untilCount(t, ctx, "1 of 10,000 routes")
	if _, rows := shown(t, ctx); len(rows) != 1 || !strings.Contains(rows[0], "/service49/{tenant}/items/9999") {
		t.Errorf("items/9999: rows %q", rows)
	}

	call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	do(t, ctx, chromedp.Navigate(base), chromedp.Click(chromedp.CSS("#next")), chromedp.WaitVisible(chromedp.CSS("#prev")))
	if line := text(t, ctx, "#routes > li:first-child .line"); line != "251" {
		t.Errorf("without JavaScript the second page begins with line %s, want 251", line)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "items/9999"+kb.Enter), chromedp.WaitVisible(chromedp.CSS(`#q[value="items/9999"]`)))
	if count, rows := shown(t, ctx); count != "1 of 10,000 routes" || len(rows) != 1 {
		t.Errorf("without JavaScript a search shows %q and %d rows", count, len(rows))
	}
}

// TestPagesLeadToEachOther goes from the list to the explorer and back: both have one
// title, one heading and one count.
func TestPagesLeadToEachOther(t *testing.T) {
	base := serve(t, "../routes/github.txt")
	ctx := open(t, base)
	const sameOnBoth = `[document.title, document.querySelector("h1").textContent, document.getElementById("count").textContent, document.querySelector(".files").textContent].join(" | ")`
	list := ask(t, ctx, chromedp.Evaluate[string](sameOnBoth))
	if !strings.Contains(list, "github.txt · muxwell | ../routes/github.txt | 203 routes | ") {
		t.Errorf("the list has %q", list)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS(`header a[href="/_routes/"]`)), chromedp.WaitVisible(chromedp.CSS("#url")))
	if explored := ask(t, ctx, chromedp.Evaluate[string](sameOnBoth)); explored != list {
		t.Errorf("the explorer has %q, and the list %q", explored, list)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS(`header a[href="/"]`)), chromedp.WaitVisible(chromedp.CSS("#routes")))
	if current := text(t, ctx, "[aria-current=page]"); current != "List" {
		t.Errorf("the current page is %q, want the list", current)
	}
}

// TestExampleLink follows a link of the page and reads what the route answers.
func TestExampleLink(t *testing.T) {
	ctx := open(t, serve(t, "../routes/github.txt"))
	link := ask(t, ctx, chromedp.Evaluate[string](`document.querySelector("a[href^=\"/legacy/issues/search/\"]").href`))
	do(t, ctx, chromedp.Navigate(link))
	do(t, ctx, chromedp.WaitReady(chromedp.CSS("pre")))
	body := ask(t, ctx, chromedp.Text(chromedp.CSS("body")))
	for _, want := range []string{`"GET /legacy/issues/search/{owner}/{repository}/{state}/{keyword}"`, `"keyword": "keyword"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the route answers %q, want %s in it", body, want)
		}
	}
}

// TestHostilePatterns shows patterns that are code elsewhere: they are text.
func TestHostilePatterns(t *testing.T) {
	patterns := []string{
		`GET /<script>alert(1)</script>`,
		`GET /"onmouseover="alert(1)`,
		`GET /{<img src=x onerror=alert(1)>}`,
		`GET javascript:alert(1)/x`,
		`<b>.example.com/</title>`,
	}
	list := filepath.Join(t.TempDir(), "<i>hostile.txt")
	if err := os.WriteFile(list, []byte(strings.Join(patterns, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := open(t, serve(t, list))
	_, rows := shown(t, ctx)
	if len(rows) != len(patterns) {
		t.Fatalf("the page shows %d rows, want %d: %q", len(rows), len(patterns), rows)
	}
	for i, row := range rows {
		text := patterns[i][strings.IndexByte(patterns[i], ' ')+1:]
		if strings.HasPrefix(patterns[i], "<b>") {
			text = patterns[i]
		}
		if !strings.Contains(row, text) {
			t.Errorf("row %d is %q, want %q in it", i, row, text)
		}
	}
	elements := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("img, i, #routes script, [onmouseover], [onerror], a[href^=javascript]").length`))
	if elements != 0 {
		t.Errorf("%d elements of the page were made from patterns", elements)
	}
}
