// Counts are read every two seconds, unless somebody paused that, the page is not
// seen, or its reader wants less motion.
(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const said = document.getElementById("live-text");
  const pause = document.getElementById("pause");
  let paused = matchMedia("(prefers-reduced-motion: reduce)").matches;

  function showPause() {
    pause.textContent = paused ? "Resume" : "Pause";
    pause.setAttribute("aria-label", paused ? "Resume live counts" : "Pause live counts");
    said.textContent = paused ? "Paused" : "Live";
  }

  // listURL is that of the list alone, without a request to explain.
  function listURL() {
    const fields = new URLSearchParams(location.search);
    fields.delete("method");
    fields.delete("url");
    return "./?" + fields;
  }

  function putCounts(page) {
    for (const cell of document.querySelectorAll("[data-live]")) {
      const other = page.querySelector(`[data-live="${cell.dataset.live}"]`);
      if (!other || other.textContent === cell.textContent) continue;
      cell.textContent = other.textContent;
      cell.className = other.className;
      requestAnimationFrame(() => cell.classList.add("changed"));
    }
  }

  async function poll() {
    if (paused || document.hidden) return;
    const before = routePage.loads();
    try {
      const page = await routePage.fetchPage(listURL(), AbortSignal.timeout(10000));
      if (paused || before !== routePage.loads()) return;
      if (page.body.dataset.version === document.body.dataset.version) {
        putCounts(page);
      } else {
        routePage.put(page, ["count", "list"]);
      }
      said.textContent = "Live";
    } catch {
      if (!paused) said.textContent = "Not connected";
    }
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    showPause();
    poll();
  });
  live.hidden = false;
  showPause();
  (async function again() {
    await poll();
    setTimeout(again, 2000);
  })();
})();
