package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
)

// servePets serves the API of a document, whose answers say what was sent, with its
// explorer, and returns the URL.
func servePets(t *testing.T, options ...explorer.Option) string {
	t.Helper()
	doc, err := os.ReadFile("../explorer/testdata/pets.json")
	if err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Answer", "yes")
		switch path := r.PathValue("path"); {
		case path == "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: <b>1</b>\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		case path == "large":
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, strings.Repeat("large ", 100_000))
			return
		case path == "binary":
			w.Header().Set("Content-Type", "image/png")
			w.Write([]byte{1, 2, 3})
			return
		case path == "none":
			w.Header().Del("Content-Type")
			w.WriteHeader(http.StatusNoContent)
			return
		case path == "moved":
			http.Redirect(w, r, "/v1/files/none", http.StatusSeeOther)
			return
		case r.PathValue("id") == "404":
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error": "<img src=x onerror=alert(1)>"}`)
			return
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusCreated)
		}
		cookie := ""
		if c, err := r.Cookie("session"); err == nil {
			cookie = c.Value
		}
		json.NewEncoder(w).Encode(map[string]string{
			"url": r.URL.RequestURI(), "trace": r.Header.Get("X-Trace"), "auth": r.Header.Get("Authorization"), "type": r.Header.Get("Content-Type"), "body": string(body), "cookie": cookie,
		})
	}
	for _, pattern := range []string{"GET,POST /v1/pets", "GET,DELETE /v1/pets/{id}", "GET /v1/files/{path...}", "POST /v1/forms", "GET /health"} {
		m.HandleFunc(pattern, echo)
	}
	login := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "reader", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			next.ServeHTTP(w, r)
		})
	}
	m.With(login).Handle("GET /_routes/", explorer.Handler(m, append(options, explorer.Spec(json.RawMessage(doc)))...))
	srv := httptest.NewServer(m)
	t.Cleanup(srv.Close)
	return srv.URL
}

// answered waits until an answer is shown, and returns its status and its body.
func answered(t *testing.T, ctx context.Context) (status, body string) {
	t.Helper()
	until(t, ctx, `document.getElementById("send").textContent !== "Cancel" && document.querySelector("#result .answer-status, #result .fault") !== null`)
	return text(t, ctx, "#result .answer-status, #result .fault"), text(t, ctx, "#result > pre")
}

// TestTryGet goes from a route to the page of its operation, and sends a request with
// parameters in path, query and headers.
func TestTryGet(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/")
	do(t, ctx, chromedp.Click(chromedp.CSS(`a.op[href*="method=GET&path=%2Fpets"]`)), chromedp.WaitVisible(chromedp.CSS("#send")))
	do(t, ctx,
		chromedp.SendKeys(chromedp.CSS(`[data-name="limit"]`), "7"),
		chromedp.SendKeys(chromedp.CSS(`[data-name="kind"]`), "cat,d&g"),
		chromedp.SendKeys(chromedp.CSS(`[data-name="X-Trace"]`), "it's"))
	want := fmt.Sprintf(`curl '%s/v1/pets?limit=7&kind=cat&kind=d%%26g' \ -H 'X-Trace: it'\''s'`, base)
	if got := text(t, ctx, "#curl"); got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#send")))
	status, body := answered(t, ctx)
	if !strings.HasPrefix(status, "200 OK in ") || !strings.Contains(body, `"url": "/v1/pets?limit=7&kind=cat&kind=d%26g"`) || !strings.Contains(body, `"trace": "it's"`) || !strings.Contains(body, `"cookie": "reader"`) {
		t.Errorf("the answer is %s, %s", status, body)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#result summary")))
	if headers := text(t, ctx, "#result details pre"); !strings.Contains(headers, "x-answer: yes") {
		t.Errorf("the headers are %s", headers)
	}
}

// TestTryPath: slashes of a value are those of the path only if the route has a
// catch-all.
func TestTryPath(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/operation?method=GET&path=/files/{path}")
	for path, want := range map[string]string{"/files/{path}": "/v1/files/a%20b/c", "/pets/{id}": "/v1/pets/a%20b%2Fc"} {
		do(t, ctx, chromedp.Navigate(base+"/_routes/operation?method=GET&path="+path),
			chromedp.Clear(chromedp.CSS(`[data-in="path"]`)), chromedp.SendKeys(chromedp.CSS(`[data-in="path"]`), "a b/c"+kb.Enter))
		if _, body := answered(t, ctx); !strings.Contains(body, `"url": "`+want+`"`) {
			t.Errorf("%s: the answer is %s, want the URL %s", path, body, want)
		}
	}
}

// TestTryPost sends a body, first as the example has it, by the keyboard alone.
func TestTryPost(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/operation?method=POST&path=/pets")
	do(t, ctx, chromedp.Focus(chromedp.CSS("#p0, #c0")), chromedp.KeyEvent("secret"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("Bearer x"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	if id := ask(t, ctx, chromedp.Evaluate[string](`document.activeElement.id`)); id != "text" {
		t.Fatalf("#%s has the focus, want the body", id)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2))) // Ctrl
	status, body := answered(t, ctx)
	if !strings.HasPrefix(status, "201 Created in ") || !strings.Contains(body, `Tom & 'Jerry'`) || !strings.Contains(body, `"type": "application/json"`) || !strings.Contains(body, `"auth": "Bearer x"`) {
		t.Errorf("the answer is %s, %s", status, body)
	}
	ask(t, ctx, chromedp.Evaluate[bool](`(document.getElementById("media").focus(), true)`))
	do(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
	if got := ask(t, ctx, chromedp.Evaluate[string](`document.getElementById("text").value`)); got != "name: Rex" {
		t.Errorf("the body of the other media type is %q", got)
	}
	if got := text(t, ctx, "#curl"); !strings.Contains(got, "-H 'Content-Type: application/yaml' \\ --data-raw 'name: Rex'") {
		t.Errorf("the command is %s", got)
	}
	do(t, ctx, chromedp.Focus(chromedp.CSS("#send")), chromedp.KeyEvent(kb.Enter))
	until(t, ctx, `document.querySelector("#result > pre") !== null && document.querySelector("#result > pre").textContent.includes("application/yaml")`)
}

// TestTryErrors: answers that are errors are shown, as text.
func TestTryErrors(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/operation?method=GET&path=/pets/{id}")
	do(t, ctx, chromedp.Clear(chromedp.CSS(`[data-in="path"]`)), chromedp.Click(chromedp.CSS("#send")))
	if ask(t, ctx, chromedp.Evaluate[bool](`document.getElementById("result").hasChildNodes()`)) {
		t.Error("a request without the value of its path was sent")
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS(`[data-in="path"]`), "404"), chromedp.Click(chromedp.CSS("#send")))
	status, body := answered(t, ctx)
	if !strings.HasPrefix(status, "404 Not Found in ") || !strings.Contains(body, `"error": "<img src=x onerror=alert(1)>"`) {
		t.Errorf("the answer is %s, %s", status, body)
	}
	do(t, ctx, chromedp.Navigate(base+"/_routes/operation?method=GET&path=/pets"), chromedp.SendKeys(chromedp.CSS(`[data-name="X-Trace"]`), "\u4e2d"), chromedp.Click(chromedp.CSS("#send")))
	if status, _ := answered(t, ctx); !strings.HasPrefix(status, "Not sent, or no answer: ") {
		t.Errorf("a header that cannot be sent: %s", status)
	}
}

// TestTryAnswers: streams are shown as they come, until they are canceled. Of large and
// of binary answers the size is bounded.
func TestTryAnswers(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/operation?method=GET&path=/files/{path}")
	for path, want := range map[string]string{"stream": "Canceled after", "large": "The rest is not shown.", "binary": "3 bytes of image/png", "none": "No body", "moved": "No body"} {
		ask(t, ctx, chromedp.Evaluate[bool](`(document.getElementById("p0").focus(), document.getElementById("p0").select(), true)`))
		do(t, ctx, chromedp.KeyEvent(path+kb.Enter))
		if path == "stream" {
			until(t, ctx, `document.querySelector("#result > pre") !== null && document.querySelector("#result > pre").textContent.startsWith("data: <b>1</b>")`)
			do(t, ctx, chromedp.Click(chromedp.CSS("#send")))
		}
		status, body := answered(t, ctx)
		if got := text(t, ctx, "#result > p:last-child"); !strings.HasPrefix(got, want) || len(body) > 300_000 {
			t.Errorf("%s: the page says %q and shows %d bytes, want %q: %.300s", path, got, len(body), want, body)
		}
		if path == "moved" && !strings.Contains(status, "redirected to "+base+"/v1/files/none") {
			t.Errorf("a redirect: the status is %q", status)
		}
	}
}

// TestCurlAgrees: the script writes the same command as the server.
func TestCurlAgrees(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/")
	links := ask(t, ctx, chromedp.Evaluate[[]string](`Array.from(document.querySelectorAll("a.op"), (a) => a.href)`))
	if len(links) < 5 {
		t.Fatalf("%d links", len(links))
	}
	for _, link := range links {
		do(t, ctx, chromedp.Navigate(link))
		until(t, ctx, `document.getElementById("try").checkVisibility()`)
		resp, err := http.Get(link)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		_, served, _ := strings.Cut(string(page), `<pre id="curl" tabindex="0">`)
		served, _, _ = strings.Cut(served, "</pre>")
		if got := ask(t, ctx, chromedp.Evaluate[string](`document.getElementById("curl").textContent`)); got != html.UnescapeString(served) {
			t.Errorf("%s: the script has %s, the server %s", link, got, served)
		}
	}
}

// TestOperationWithoutTry: without JavaScript, and if the explorer is read-only, the
// page has all but the form. Without a document there is no link.
func TestOperationWithoutTry(t *testing.T) {
	readOnly := servePets(t, explorer.ReadOnly())
	ctx := open(t, readOnly+"/_routes/operation?method=POST&path=/pets")
	for _, base := range []string{readOnly, servePets(t)} {
		if base != readOnly {
			call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		}
		do(t, ctx, chromedp.Navigate(base+"/_routes/"), chromedp.Click(chromedp.CSS(`a.op[href*="method=POST&path=%2Fpets"]`)), chromedp.WaitVisible(chromedp.CSS("#curl")))
		if got := text(t, ctx, "#curl"); !strings.HasPrefix(got, "curl -X POST '"+base+"/v1/pets' \\ -H 'Content-Type: application/json' \\ --data-raw '{") {
			t.Errorf("the command is %s", got)
		}
		if ask(t, ctx, chromedp.Evaluate[bool](`Array.from(document.querySelectorAll("form, textarea, #copy")).some((e) => e.checkVisibility())`)) {
			t.Error("the page has a form")
		}
		do(t, ctx, chromedp.Click(chromedp.CSS(".crumbs a")), chromedp.WaitVisible(chromedp.CSS("#q")))
	}
	call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	do(t, ctx, chromedp.Navigate(serveList(t, exploreList)+"_routes/"))
	if n := ask(t, ctx, chromedp.Evaluate[int](`document.querySelectorAll("a.op").length`)); n != 0 {
		t.Errorf("without a document there are %d links to operations", n)
	}
}

// TestOperationLooks: on a phone nothing of the page is wider than the screen, fields
// have names, headings are in order, and texts have the contrast that WCAG asks for.
// With MUXWELL_SCREENSHOTS it writes pictures into that directory.
func TestOperationLooks(t *testing.T) {
	base := servePets(t)
	ctx := open(t, base+"/_routes/")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			for name, target := range map[string]string{"routes": "", "get": "operation?method=GET&path=/pets", "post": "operation?method=POST&path=/pets", "none": "operation?method=PATCH&path=/nowhere"} {
				emulate(t, ctx, "prefers-color-scheme", theme)
				do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(base+"/_routes/"+target))
				if name == "get" {
					do(t, ctx, chromedp.Click(chromedp.CSS("#send")))
					answered(t, ctx)
				}
				faults := ask(t, ctx, chromedp.Evaluate[[]string](faintTexts))
				faults = append(faults, ask(t, ctx, chromedp.Evaluate[[]string](`Array.from(document.querySelectorAll("main *")).filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className + " is too wide")`))...)
				faults = append(faults, ask(t, ctx, chromedp.Evaluate[[]string](`Array.from(document.querySelectorAll("input:not([type=hidden]), select, textarea")).filter((e) => !e.labels.length && !e.ariaLabel).map((e) => e.id + " has no name")`))...)
				levels := ask(t, ctx, chromedp.Evaluate[[]int](`Array.from(document.querySelectorAll("h1, h2, h3, h4"), h => +h.tagName[1])`))
				for i, level := range levels {
					if before := slices.Concat([]int{0}, levels)[i]; level > before+1 {
						faults = append(faults, fmt.Sprintf("a heading of level %d is behind one of level %d", level, before))
					}
				}
				for _, fault := range faults {
					t.Errorf("%s, %s, %d pixels: %s", name, theme, width, fault)
				}
				if dir := os.Getenv("MUXWELL_SCREENSHOTS"); dir != "" {
					picture := ask(t, ctx, chromedp.FullScreenshot(100))
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, theme, width)), picture, 0o600); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}
