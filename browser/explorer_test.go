package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// exploreList is a list for the explorer, with patterns that are code elsewhere.
const exploreList = `GET /users/{id:int} name=user meta=owner:accounts
GET /users/{name}
POST /users
GET /files/{path...}
GET /<script>alert(1)</script>/{<img src=x onerror=alert(1)>}
GET /"onmouseover="alert(1)/{x} header=X-Note:<svg/onload=alert(1)>
GET javascript:alert(1)/x name=<b>bold</b>
`

// serveList runs "muxwell serve" for a list, and returns the URL of what it serves.
func serveList(t *testing.T, list string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "routes.txt")
	if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	return serve(t, file)
}

// until waits until an expression is true in the page.
func until(t *testing.T, ctx context.Context, expression string) {
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

// text returns the text of all elements that a selector finds, each on a line.
func text(t *testing.T, ctx context.Context, selector string) string {
	t.Helper()
	return ask(t, ctx, chromedp.Evaluate[string](fmt.Sprintf(
		`Array.from(document.querySelectorAll(%q), e => e.textContent.replace(/\s+/g, " ").trim()).join("\n")`, selector)))
}

// call sends a command to the browser.
func call[P any](t *testing.T, ctx context.Context, method cdp.Command[P, cdp.Empty], params P) {
	t.Helper()
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, method, params)
		return err
	}))
}

// emulate sets a preference that style sheets and scripts ask for.
func emulate(t *testing.T, ctx context.Context, feature, value string) {
	t.Helper()
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
}

// TestExplorerMatch types a request as a person would, and reads which route takes
// it and why the others do not.
func TestExplorerMatch(t *testing.T) {
	ctx := open(t, serveList(t, exploreList)+"_routes/")
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#url"), "/users/7"+kb.Enter))
	until(t, ctx, `document.querySelector("#answer .winner") !== null`)
	for selector, want := range map[string]string{
		".winner":          "Taken by GET /users/{id:int} ",
		".params":          `id"7"`,
		".others tbody tr": "GET /users/{name}matchesconstrained parameter beats parameter at segment 2",
	} {
		if got := text(t, ctx, "#answer "+selector); !strings.HasPrefix(got, want) {
			t.Errorf("%s shows %q, want %q", selector, got, want)
		}
	}
	do(t, ctx, chromedp.Navigate(ask(t, ctx, chromedp.Location())))
	if got := text(t, ctx, "#answer .winner"); !strings.HasPrefix(got, "Taken by GET /users/{id:int}") {
		t.Errorf("the same address shows %q", got)
	}
	do(t, ctx, chromedp.Clear(chromedp.CSS("#url")), chromedp.SendKeys(chromedp.CSS("#url"), `/"><img src=x>`+kb.Enter))
	until(t, ctx, `document.querySelector("#answer .fault") !== null`)
	if got := text(t, ctx, "#answer .fault"); !strings.Contains(got, `<img src=x>`) || !strings.Contains(got, "%20") {
		t.Errorf("a URL with a blank: the page shows %q", got)
	}
}

// TestExplorerSearchAndSort searches in the tree, goes to the table and sorts it, by
// keys alone where that is asked for.
func TestExplorerSearchAndSort(t *testing.T) {
	base := serve(t, "../routes/github.txt")
	ctx := open(t, base+"_routes/")
	total := text(t, ctx, "#count")
	do(t, ctx, chromedp.Focus(chromedp.CSS("#q")))
	do(t, ctx, chromedp.KeyEvent("delete keys"))
	until(t, ctx, `document.getElementById("count").textContent.startsWith("2 of ")`)
	if got := text(t, ctx, ".route"); strings.Count(got, "DELETE") != 2 || strings.Contains(got, "GET") {
		t.Errorf("delete keys: the tree shows %q", got)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, fmt.Sprintf(`document.getElementById("count").textContent === %q`, total))

	do(t, ctx, chromedp.Click(chromedp.CSS("#view-table")))
	until(t, ctx, `document.querySelectorAll("tbody tr").length === 200`)
	do(t, ctx, chromedp.Focus(chromedp.CSS("#sort-path")), chromedp.KeyEvent(kb.Enter))
	until(t, ctx, `document.querySelector("#sort-path").parentElement.ariaSort === "ascending"`)
	if id := ask(t, ctx, chromedp.Evaluate[string](`document.activeElement.id`)); id != "sort-path" {
		t.Errorf("after sorting #%s has the focus, want #sort-path", id)
	}
	patterns := strings.Split(text(t, ctx, "tbody td[data-label=Pattern] code"), "\n")
	for i := 1; i < len(patterns); i++ {
		if patterns[i-1] > patterns[i] {
			t.Errorf("row %d is %q, behind %q", i+1, patterns[i], patterns[i-1])
		}
	}
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	until(t, ctx, `document.querySelector("#sort-path").parentElement.ariaSort === "descending"`)
	if first := text(t, ctx, "tbody tr:first-child td[data-label=Pattern] code"); first < patterns[0] {
		t.Errorf("the other way round the first row is %q", first)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#next")))
	until(t, ctx, `document.getElementById("prev") !== null`)
}

// TestExplorerLive sees counts move without a reload, and stops and starts them.
func TestExplorerLive(t *testing.T) {
	base := serveList(t, exploreList)
	ctx := open(t, base+"_routes/?view=table&q=owner")
	const count = `document.querySelector("td[data-live$='.requests']").textContent`
	get := func() {
		resp, err := http.Get(base + "users/7")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	get()
	until(t, ctx, count+` === "1"`)
	if got := text(t, ctx, "td[data-label=p50]"); got == "–" {
		t.Error("no latency is shown of a request in quiet times")
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#pause")))
	until(t, ctx, `document.getElementById("live-text").textContent === "Paused"`)
	get()
	do(t, ctx, chromedp.Click(chromedp.CSS("#pause")))
	until(t, ctx, count+` === "2"`)

	emulate(t, ctx, "prefers-reduced-motion", "reduce")
	do(t, ctx, chromedp.Navigate(base+"_routes/"))
	until(t, ctx, `document.getElementById("live-text").textContent === "Paused"`)
}

// TestExplorerHostile shows patterns, names and headers that are code elsewhere:
// they are text, in both views and in answers.
func TestExplorerHostile(t *testing.T) {
	base := serveList(t, exploreList)
	ctx := open(t, base+"_routes/")
	for _, view := range []string{"tree", "table"} {
		do(t, ctx, chromedp.Navigate(base+"_routes/?method=GET&view="+view+`&url=/%253Cscript%253Ealert(1)%253C/script%253E/"><svg/onload=alert(1)>`))
		until(t, ctx, `document.querySelector("#answer .card") !== null`)
		shown := text(t, ctx, "#list") + text(t, ctx, "#answer")
		for _, want := range []string{
			"/<script>alert(1)</script>/{<img src=x onerror=alert(1)>}", `/"onmouseover="alert(1)/{x}`, `Headers("X-Note", "<svg/onload=alert(1)>")`,
			"javascript:alert(1)/x", "<b>bold</b>",
		} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the page does not show %s: %s", view, want, shown)
			}
		}
		made := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("main script, img, svg, b:not([data-method]):not(.methods b), [onmouseover], [onload], [onerror], a[href^=javascript]").length`))
		if made != 0 {
			t.Errorf("%s: %d elements were made of patterns", view, made)
		}
	}
}

// TestExplorerWithoutScript uses the forms and links as they are.
func TestExplorerWithoutScript(t *testing.T) {
	base := serveList(t, exploreList)
	ctx := open(t, base)
	call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	do(t, ctx, chromedp.Navigate(base+"_routes/?view=table"), chromedp.SendKeys(chromedp.CSS("#q"), "owner"+kb.Enter))
	do(t, ctx, chromedp.WaitVisible(chromedp.CSS(`#q[value="owner"]`)))
	if got := text(t, ctx, "tbody td[data-label=Pattern] code"); got != "/users/{id:int}" {
		t.Errorf("owner: the table has %q", got)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#url"), "/users/7"), chromedp.Click(chromedp.CSS("#ask button")))
	do(t, ctx, chromedp.WaitVisible(chromedp.CSS("#answer .winner")))
	if got := text(t, ctx, "#answer .winner"); !strings.HasPrefix(got, "Taken by GET /users/{id:int}") {
		t.Errorf("the answer is %q", got)
	}
	if got := text(t, ctx, "tbody td[data-label=Pattern] code"); !strings.Contains(got, "/users/{id:int}") {
		t.Errorf("with the answer the table has %q", got)
	}
}

// TestExplorerFits: on a phone nothing is wider than the screen, and every field and
// button has a name.
func TestExplorerFits(t *testing.T) {
	base := serveList(t, exploreList+"GET /"+strings.Repeat("long", 60)+"/{x}\n")
	ctx := open(t, base+"_routes/")
	do(t, ctx, chromedp.EmulateViewport(360, 740))
	for _, query := range []string{"?", "?view=table", "?method=GET&url=/users/7"} {
		do(t, ctx, chromedp.Navigate(base+"_routes/"+query))
		if over := ask(t, ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - innerWidth`)); over > 0 {
			t.Errorf("%s: the page is %d pixels wider than the screen", query, over)
		}
		const nameless = `Array.from(document.querySelectorAll("input:not([type=hidden]), button, a")).filter(e => !e.labels?.length && !e.textContent.trim()).length`
		if n := ask(t, ctx, chromedp.Evaluate[int](nameless)); n != 0 {
			t.Errorf("%s: %d fields, buttons or links have no name", query, n)
		}
	}
}

// TestExplorerLarge searches 10,000 routes.
func TestExplorerLarge(t *testing.T) {
	var list strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&list, "GET /service%d/{tenant}/items/%d\n", i%50, i)
	}
	ctx := open(t, serveList(t, list.String())+"_routes/")
	if n := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("*").length`)); n > 10_000 {
		t.Errorf("the page has %d elements", n)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "service7/ items/57"))
	until(t, ctx, `/^\d+ of 1000\d routes$/.test(document.getElementById("count").textContent)`)
	if got := text(t, ctx, ".route"); !strings.Contains(got, "57") {
		t.Errorf("the tree shows %q", got)
	}
}
