package page_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/muxwell/muxwell/routebench/result"
)

// go test ./page -run TestPicture -pictures ../results
var pictures = flag.String("pictures", "", "write the pictures of the repository's README to this `folder`")

const pictureWidth = 660 // pixels of the style sheet, of which the files have two for each

// isolate leaves one scenario at GOMAXPROCS=2 on the page, without what one can only
// use in a browser: the picture shows nothing that looks as if it could be clicked.
const isolate = `(() => {
	document.querySelector('#cpus input[value="2"]').click();
	const card = document.getElementById("s-githuball");
	for (const e of card.querySelectorAll(".log, details, .notes")) e.remove();
	card.style = "width: auto; border: 0; padding: 0; margin: 0";
	document.body.replaceChildren(card);
	document.body.style = "padding: 12px";
	return true;
})()`

// TestPicture makes the pictures of the README, from results/classic.json: they show
// all routers, are legible, and have no controls.
func TestPicture(t *testing.T) {
	ctx := browse(t, pictureWidth, 900)
	file, err := os.Open("../results/classic.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	run, err := result.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	url := save(t, run)
	for _, theme := range []string{"light", "dark"} {
		do(t, ctx, prefer(theme), chromedp.Navigate(url))
		ask[bool](t, ctx, isolate)
		await(t, ctx, `Array.from(document.querySelectorAll(".chart")).every(c => Math.abs(c.firstChild.getBoundingClientRect().width - c.clientWidth) <= 1)`)
		if controls := ask[string](t, ctx, `Array.from(document.querySelectorAll("input, button, select, label, summary, nav"), e => e.outerHTML).join()`); controls != "" {
			t.Errorf("%s: the picture has the controls %s", theme, controls)
		}
		if bars := ask[int](t, ctx, `document.querySelectorAll("g.bar > *").length`); bars != len(run.Routers) {
			t.Errorf("%s: the picture has %d bars, want one for each of %d routers", theme, bars, len(run.Routers))
		}
		for _, fault := range ask[[]string](t, ctx, textFaults) {
			t.Errorf("%s: %s", theme, fault)
		}
		size := ask[[]float64](t, ctx, `[document.documentElement.scrollWidth, Math.ceil(document.getElementById("s-githuball").getBoundingClientRect().bottom) + 8]`)
		if size[0] != pictureWidth || size[1] < 300 || size[1] > 400 {
			t.Errorf("%s: the picture has %v pixels", theme, size)
		}
		if *pictures == "" {
			continue
		}
		png := get(t, ctx, chromedp.Action[[]byte](func(ctx context.Context, target *chromedp.Target) ([]byte, error) {
			shot, err := cdp.Call(ctx, target, page.CaptureScreenshot, page.CaptureScreenshotParams{
				Clip: &page.Viewport{X: 0, Y: 0, Width: size[0], Height: size[1], Scale: 2},
			})
			return shot.Data, err
		}))
		if err := os.WriteFile(filepath.Join(*pictures, fmt.Sprintf("github-all-%s.png", theme)), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
