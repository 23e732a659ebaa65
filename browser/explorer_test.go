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

// TestExplorerMatch types a request as a person would, and reads which route matches
// it and why the others do not.
func TestExplorerMatch(t *testing.T) {
	ctx := open(t, serveList(t, exploreList)+"_routes/")
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#url"), "/users/7"+kb.Enter))
	until(t, ctx, `document.querySelector("#answer .winner") !== null`)
	for selector, want := range map[string]string{
		"h3":                "Matched by\nAlso matches",
		".winner":           "GET /users/{id:int} ",
		".winner var":       "{id:int}",
		".params":           `id"7"`,
		".others tbody tr":  "GET /users/{name}constrained parameter beats parameter at segment 2",
		".others tbody var": "{name}",
	} {
		if got := text(t, ctx, "#answer "+selector); !strings.HasPrefix(got, want) {
			t.Errorf("%s shows %q, want %q", selector, got, want)
		}
	}
	do(t, ctx, chromedp.Navigate(ask(t, ctx, chromedp.Location())))
	if got := text(t, ctx, "#answer .winner"); !strings.HasPrefix(got, "GET /users/{id:int}") {
		t.Errorf("the same address shows %q", got)
	}
	do(t, ctx, chromedp.Clear(chromedp.CSS("#url")), chromedp.SendKeys(chromedp.CSS("#url"), `/"><img src=x>`+kb.Enter))
	until(t, ctx, `document.querySelector("#answer .fault") !== null`)
	if got := text(t, ctx, "#answer .fault"); !strings.Contains(got, `<img src=x>`) || !strings.Contains(got, "%20") {
		t.Errorf("a URL with a space: the page shows %q", got)
	}
}

// TestExplorerSearchAndSort searches in the tree, goes to the table and sorts it, by
// keys alone where that is asked for.
func TestExplorerSearchAndSort(t *testing.T) {
	list, err := os.ReadFile("../routes/github.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		list = fmt.Appendf(list, "GET /zebra/%02d\n", i)
	}
	base := serveList(t, string(list))
	ctx := open(t, base+"_routes/")
	total := text(t, ctx, "#count")
	if total != "303 routes" {
		t.Errorf("the page counts %q, want the 303 routes of the list", total)
	}
	do(t, ctx, chromedp.Focus(chromedp.CSS("#q")))
	do(t, ctx, chromedp.KeyEvent("delete keys"))
	until(t, ctx, `document.getElementById("count").textContent.startsWith("2 of ")`)
	if got := text(t, ctx, ".route"); strings.Count(got, "DELETE") != 2 || strings.Contains(got, "GET") {
		t.Errorf("delete keys: the tree shows %q", got)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, fmt.Sprintf(`document.getElementById("count").textContent === %q`, total))

	do(t, ctx, chromedp.Click(chromedp.CSS("#view-table")))
	until(t, ctx, `document.querySelectorAll("tbody tr").length === 250`)
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
	if got := text(t, ctx, "#answer .winner"); !strings.HasPrefix(got, "GET /users/{id:int}") {
		t.Errorf("the answer is %q", got)
	}
	if got := text(t, ctx, "tbody td[data-label=Pattern] code"); !strings.Contains(got, "/users/{id:int}") {
		t.Errorf("with the answer the table has %q", got)
	}
}

// TestExplorerTable: on a phone the methods of a route and its pattern are on one
// line, statistics have labels and are below, and what is empty takes no room.
func TestExplorerTable(t *testing.T) {
	base := serveList(t, exploreList)
	resp, err := http.Get(base + "users/7")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	ctx := open(t, base)
	do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(base+"_routes/?view=table"))
	for _, row := range ask(t, ctx, chromedp.Evaluate[[]string](`Array.from(document.querySelectorAll("tbody tr"), (tr) => {
		const at = (label) => tr.querySelector("[data-label=" + label + "]").getBoundingClientRect();
		const faults = [];
		if (at("Pattern").left < at("Methods").right || at("Pattern").top > at("Methods").bottom) faults.push("the pattern is not behind the methods");
		if (at("Requests").top < at("Pattern").bottom - 1) faults.push("the requests are not below the pattern");
		if (!getComputedStyle(tr.querySelector("[data-label=Requests]"), "::before").content.includes("Requests")) faults.push("the requests have no label");
		if (at("p50").height > 0 !== /\d/.test(tr.querySelector("[data-label=p50]").textContent)) faults.push("a latency without a figure takes room");
		if (at("Middleware").height > 0) faults.push("no middleware takes room");
		if (tr.getBoundingClientRect().height > 130) faults.push("it is " + tr.getBoundingClientRect().height + " pixels tall");
		return faults.length ? tr.textContent + ": " + faults.join(", ") : "";
	}).filter(Boolean)`)) {
		t.Error(row)
	}
}

// TestExplorerColors: parameters are colored, {$} is not; the badges of methods are of
// one width, so that the patterns behind them are aligned.
func TestExplorerColors(t *testing.T) {
	base := serveList(t, "GET /docs/{$}\nDELETE /docs/{page}\nOPTIONS /docs\n")
	ctx := open(t, base)
	for _, page := range []string{"", "_routes/", "_routes/?view=table", "_routes/?method=GET&url=/docs/"} {
		do(t, ctx, chromedp.Navigate(base+page))
		colored := strings.Split(text(t, ctx, "var"), "\n")
		for _, v := range colored {
			if v != "{page}" {
				t.Errorf("/%s: %q is colored", page, v)
			}
		}
		if patterns := text(t, ctx, "code"); !strings.Contains(patterns, "/{$}") {
			t.Errorf("/%s shows the patterns %q, want {$} among them", page, patterns)
		}
		if widths := ask(t, ctx, chromedp.Evaluate[[]float64](`Array.from(new Set(Array.from(document.querySelectorAll("#list .methods b"), b => b.getBoundingClientRect().width)))`)); len(widths) != 1 {
			t.Errorf("/%s: badges have the widths %v, want one", page, widths)
		}
	}
}

// TestHeadings: headings are in order, and texts have the contrast that WCAG asks for,
// in both themes.
func TestHeadings(t *testing.T) {
	base := serveList(t, exploreList)
	ctx := open(t, base)
	for _, page := range []string{"", "_routes/?method=GET&url=/users/7", "_routes/?view=table"} {
		for _, theme := range []string{"light", "dark"} {
			emulate(t, ctx, "prefers-color-scheme", theme)
			do(t, ctx, chromedp.Navigate(base+page))
			levels := ask(t, ctx, chromedp.Evaluate[[]int](`Array.from(document.querySelectorAll("h1, h2, h3, h4"), h => +h.tagName[1])`))
			for i, level := range levels {
				if before := append([]int{0}, levels...)[i]; level > before+1 {
					t.Errorf("/%s: heading %d is of level %d, behind one of level %d", page, i+1, level, before)
				}
			}
			if len(levels) == 0 || levels[0] != 1 {
				t.Errorf("/%s: the headings have the levels %v", page, levels)
			}
			for _, fault := range ask(t, ctx, chromedp.Evaluate[[]string](faintTexts)) {
				t.Errorf("/%s, %s: %s", page, theme, fault)
			}
		}
	}
}

// faintTexts lists the texts whose contrast to what is behind them is below 4.5.
const faintTexts = `(() => {
	const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const over = (colors) => {
		pen.clearRect(0, 0, 1, 1);
		for (const c of colors) { pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); }
		return pen.getImageData(0, 0, 1, 1).data;
	};
	const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const faults = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility() || !Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
		const grounds = [];
		for (let at = e; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
		const [a, b] = [light(over(grounds)), light(over([...grounds, getComputedStyle(e).color]))];
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < 4.5) faults.add(e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 30) + ": " + contrast.toFixed(2));
	}
	return Array.from(faults);
})()`

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
	until(t, ctx, `/^\d+ of 10,000 routes$/.test(document.getElementById("count").textContent)`)
	if got := text(t, ctx, ".route"); !strings.Contains(got, "57") {
		t.Errorf("the tree shows %q", got)
	}
}
