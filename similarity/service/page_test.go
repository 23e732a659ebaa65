package service

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPageCompares types two texts, as a person would, and reads what the page shows.
func TestPageCompares(t *testing.T) {
	p := open(t, quietService(), 1200, 900)
	p.untilShown("#result", "Type or paste two texts.")
	p.write("#text1", "The cat, the hat")
	p.untilShown("#size1", "16 characters")
	p.write("#text2", "the CAT")
	p.untilShown("#answer", "0.811 Highly Similar")
	if got := ask[string](p, "meter.getAttribute('aria-valuenow') + ' ' + meter.firstElementChild.style.width"); got != "0.811 81.1%" {
		t.Errorf("the meter is at %s", got)
	}
	p.untilShown("#shared-count", "2 shared words, of 3 and 2 different ones")
	p.untilShown("#shared tbody", "the 2 1 cat 1 1")
	if got := ask[string](p, "document.querySelector('#chart svg').getAttribute('aria-label')"); !strings.HasSuffix(got, "the: 2 and 1; cat: 1 and 1; hat: 1 and 0") {
		t.Errorf("the chart says %q", got)
	}
	bars := ask[[]float64](p, "Array.from(document.querySelectorAll('#chart rect'), (r) => r.width.baseVal.value)")
	if len(bars) != 6 || bars[0] != 2*bars[1] || bars[1] != bars[2] || bars[2] != bars[3] || bars[4] != bars[3] || bars[5] != 0 || bars[0] < 100 {
		t.Errorf("the bars are %v long", bars)
	}
	p.do(chromedp.Evaluate[chromedp.Void]("text1.value = text2.value = ''; text1.dispatchEvent(new Event('input'))"))
	p.untilShown("#result", "Type or paste two texts.")
	p.until("document.getElementById('words').hidden")
}

// TestPageKeyboard goes through the page without a pointer.
func TestPageKeyboard(t *testing.T) {
	p := open(t, quietService(), 1200, 900)
	p.until("document.activeElement.id === 'text1'")
	p.do(chromedp.KeyEvent("caf\u00e9"))
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.activeElement.id === 'text2'")
	p.do(chromedp.KeyEvent("caf"))
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.untilShown("#answer", "1.000 Highly Similar")
	if got := ask[string](p, "text2.value"); got != "caf" {
		t.Errorf("Ctrl+Enter made %q of the text", got)
	}
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.ArrowRight)) // to the choice of words, and on to Unicode
	p.until("document.activeElement.value === 'unicode'")
	p.untilShown("#answer", "0.000 Dissimilar")
	p.untilShown("#shared-count", "0 shared words, of 1 and 1 different ones")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.activeElement.id === 'example'")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.untilShown("#answer", "0.763 Quite Similar")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.activeElement.textContent === 'Compare'")
}

// TestPageButton: the button compares at once.
func TestPageButton(t *testing.T) {
	p := open(t, quietService(), 1200, 900)
	p.do(chromedp.Evaluate[chromedp.Void]("text1.value = 'a b'; text2.value = 'a c'"))
	p.do(chromedp.Click(chromedp.CSS("button.main")))
	p.untilShown("#answer", "0.352 Slightly Similar")
}

// TestPageHostile: texts that are code elsewhere are texts.
func TestPageHostile(t *testing.T) {
	p := open(t, newWide(), 1200, 900)
	text := `<img/src=x/onerror=alert(1)> <script>alert(2)</script> "'&amp;` + " \u202ertl\u202c __proto__ constructor " + strings.Repeat("w", 200)
	p.write("#text1", text)
	p.write("#text2", text)
	p.untilShown("#answer", "1.000 Highly Similar")
	if got := p.shown("#shared"); !strings.Contains(got, "imgsrcxonerroralert1") || !strings.Contains(got, "__proto__") {
		t.Errorf("the words are %q", got)
	}
	if n := ask[int](p, "document.querySelectorAll('main img, main script, [onerror]').length"); n != 0 {
		t.Errorf("%d elements were made from texts", n)
	}
	if wide := ask[bool](p, "document.documentElement.scrollWidth > innerWidth"); wide {
		t.Error("a long word makes the page wider than the window")
	}
}

// newWide returns a service with room for longer texts.
func newWide() *Service {
	return New(Config{MaxBody: 1 << 20, MaxInFlight: 4, Logger: slog.New(slog.DiscardHandler)})
}

// TestPageErrors: what goes wrong is told as text, and passes.
func TestPageErrors(t *testing.T) {
	s := quietService()
	p := open(t, s, 1200, 900)
	p.mayFail()
	for s.slots.take() {
	}
	p.write("#text1", "a")
	p.untilShown("#error", "Service Unavailable: too many requests are in flight; try again in a second")
	p.until("answer.hidden && words.hidden && result.hidden")
	s.slots.free()
	p.do(chromedp.Click(chromedp.CSS("button.main")))
	p.untilShown("#answer", "0.000 Dissimilar")
	p.until("error.hidden && !result.hidden")
	p.do(chromedp.Evaluate[chromedp.Void]("text1.value = 'long '.repeat(1000); text1.dispatchEvent(new Event('input'))"))
	p.untilShown("#error", "The texts are too long: 5,023 bytes as JSON. The server accepts 1,000 bytes.")
}

// TestPageLong: texts beyond the limit are refused with a reason, which the server could not
// send.
func TestPageLong(t *testing.T) {
	p := open(t, newWide(), 1200, 900)
	p.do(chromedp.Evaluate[chromedp.Void]("text1.value = ('long '.repeat(15) + '\\n').repeat(20000); text1.dispatchEvent(new Event('input'))"))
	p.untilShown("#error", "The texts are too long: 1,540,023 bytes as JSON. The server accepts 1,048,576 bytes.")
}

// TestPageNoWords: texts without words are equal, and the page says why.
func TestPageNoWords(t *testing.T) {
	p := open(t, quietService(), 1200, 900)
	p.write("#text1", "東京都です")
	p.write("#text2", "京都です")
	p.untilShown("#answer", "1.000 Highly Similar")
	p.untilShown("#no-words", "Neither text has a word of ASCII letters. Choose another kind of words.")
	p.do(chromedp.Click(chromedp.CSS("input[value=bigrams]")))
	p.untilShown("#answer", "0.787 Quite Similar")
	p.until("document.getElementById('no-words').hidden")
	p.do(chromedp.Evaluate[chromedp.Void]("text1.value = text2.value = '!'; text1.dispatchEvent(new Event('input'))"))
	p.untilShown("#no-words", "Neither text has a word, so they are equal.")
}

// TestPageGone: a server that cannot be reached, and one that answers with something
// else.
func TestPageGone(t *testing.T) {
	s := quietService()
	var broken atomic.Int32
	p := open(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == "POST" && broken.Load() == 1:
			panic(http.ErrAbortHandler)
		case r.Method == "POST" && broken.Load() == 2:
			http.Error(w, "<html>bad gateway", http.StatusBadGateway)
		default:
			s.ServeHTTP(w, r)
		}
	}), 1200, 900)
	p.mayFail()
	broken.Store(1)
	p.write("#text1", "a")
	p.untilShown("#error", "The server cannot be reached.")
	broken.Store(2)
	p.write("#text1", "b")
	p.untilShown("#error", "The server answered with 502, and nothing that can be read.")
	broken.Store(0)
	p.write("#text2", "ab")
	p.untilShown("#answer", "1.000 Highly Similar")
}

// TestPageLatest: an answer that comes late does not replace that to a later text.
func TestPageLatest(t *testing.T) {
	s := quietService()
	var asked atomic.Int32
	late := make(chan struct{})
	p := open(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && asked.Add(1) == 1 {
			io.Copy(io.Discard, r.Body) // then the server notices
			<-r.Context().Done()        // that the page takes its request back
			close(late)
			return
		}
		s.ServeHTTP(w, r)
	}), 1200, 900)
	p.write("#text1", "a")
	p.until("result.getAttribute('aria-busy') === 'true'")
	p.write("#text2", "a")
	select {
	case <-late:
	case <-time.After(patience):
		t.Fatal("the page does not take its request back")
	}
	p.untilShown("#answer", "1.000 Highly Similar")
	p.until("!result.hasAttribute('aria-busy')")
}

// TestPageSizes: nothing is cut off or too wide, whatever the window, and the chart
// fits what room there is. Text can be told from its ground in both themes.
func TestPageSizes(t *testing.T) {
	for _, width := range []int64{320, 360, 768, 1600} {
		p := open(t, quietService(), width, 800)
		p.do(chromedp.Click(chromedp.CSS("#example")))
		p.untilShown("#answer", "0.763 Quite Similar")
		p.do(chromedp.Click(chromedp.CSS("input[value=unicode]")))
		p.do(chromedp.Evaluate[chromedp.Void]("text1.value += ' WWWWWWWWWWWWWWWWWWWW'.repeat(9); text1.dispatchEvent(new Event('input'))"))
		p.until("/^w{3,}\u2026$/.test(document.querySelector('.word').textContent)")
		if ask[bool](p, "document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%d px: the page is wider than the window", width)
		}
		if ask[bool](p, "chart.firstChild.getBoundingClientRect().right > chart.getBoundingClientRect().right + 1") {
			t.Errorf("%d px: the chart is wider than its place", width)
		}
		if n := ask[int](p, "Array.from(document.querySelectorAll('#chart text')).filter((e) => { const b = e.getBBox(); return b.width === 0 || b.x < -1 || b.x + b.width > chart.clientWidth + 1; }).length"); n != 0 {
			t.Errorf("%d px: %d texts of the chart are cut off", width, n)
		}
		if n := ask[int](p, "Array.from(document.querySelectorAll('button, textarea')).filter((e) => e.getBoundingClientRect().height < 39).length"); n != 0 {
			t.Errorf("%d px: %d things to touch are low", width, n)
		}
		stacked := ask[bool](p, "text2.getBoundingClientRect().top > text1.getBoundingClientRect().bottom")
		if stacked != (width < 700) {
			t.Errorf("%d px: the texts stand below each other: %v", width, stacked)
		}
	}
}

// contrast is the ratio of WCAG 2 between the colours of an element and its ground.
const contrast = `((selector) => {
	const luminance = (c) => {
		const [r, g, b] = c.match(/[\d.]+/g).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const e = document.querySelector(selector);
	let ground = e;
	while (ground && getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") { ground = ground.parentElement; }
	const a = luminance(getComputedStyle(e).color), b = luminance(getComputedStyle(ground).backgroundColor);
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})`

func TestPageContrast(t *testing.T) {
	p := open(t, quietService(), 1000, 800)
	p.do(chromedp.Click(chromedp.CSS("#example")))
	p.untilShown("#answer", "0.763 Quite Similar")
	grounds := map[string]bool{}
	for _, theme := range []string{"light", "dark"} {
		p.prefer(theme)
		grounds[ask[string](p, "getComputedStyle(document.body).backgroundColor")] = true
		for _, selector := range []string{"h1", "header p", ".size", "legend", "#interpretation", "button.main", "#example", "#shared th", "#shared-count", "footer p", "footer a", "textarea"} {
			if ratio := ask[float64](p, fmt.Sprintf("%s(%q)", contrast, selector)); ratio < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f, want 4.5", theme, selector, ratio)
			}
		}
	}
	if len(grounds) != 2 {
		t.Errorf("both themes have the ground %v", grounds)
	}
}

// TestPageNames: everything that can be changed has a name for screen readers, and
// there is no id twice.
func TestPageNames(t *testing.T) {
	p := open(t, quietService(), 1000, 800)
	if n := ask[int](p, "Array.from(document.querySelectorAll('input, textarea')).filter((e) => e.labels.length === 0).length"); n != 0 {
		t.Errorf("%d fields have no label", n)
	}
	if n := ask[int](p, "(() => { const ids = Array.from(document.querySelectorAll('[id]'), (e) => e.id); return ids.length - new Set(ids).size; })()"); n != 0 {
		t.Errorf("%d ids occur twice", n)
	}
}
