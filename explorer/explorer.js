"use strict";
// The page works without this. What it adds: lists and answers change in place
// while one types, and counts move.
(() => {
  const search = document.getElementById("search");
  const ask = document.getElementById("ask");
  const q = document.getElementById("q");
  let loading = 0; // the number of the last load

  async function fetchPage(url, signal) {
    const answer = await fetch(url, { signal, headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.body.dataset.version) throw new Error("another page"); // as one to log in
    return page;
  }

  // put puts the parts of another page in place of those shown. An element of the
  // same id keeps the focus.
  function put(page, names) {
    const focused = document.activeElement && document.activeElement.id;
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (!other || (names && !names.includes(part.dataset.part))) continue;
      if (part.innerHTML !== other.innerHTML) part.replaceChildren(...other.childNodes);
    }
    document.body.dataset.version = page.body.dataset.version;
    const again = focused && document.getElementById(focused);
    if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  }

  // load shows what a URL of the page has. Of several loads the last one counts.
  async function load(url) {
    const number = ++loading;
    document.getElementById("list").setAttribute("aria-busy", "true");
    try {
      const page = await fetchPage(url);
      if (number !== loading) return;
      put(page);
    } catch {
      if (number === loading) location.assign(url); // the browser says what is wrong
    } finally {
      if (number === loading) document.getElementById("list").removeAttribute("aria-busy");
    }
  }

  function urlOf(form) {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value !== "" || name === "url") fields.set(name, value);
    }
    return "./?" + fields;
  }

  function submit(form) {
    const url = urlOf(form);
    history.replaceState(null, "", url);
    load(url);
  }

  for (const form of [search, ask]) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(form);
    });
  }

  let typing;
  q.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => submit(search), 150);
  });
  q.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && q.value !== "") {
      event.preventDefault();
      q.value = "";
      submit(search);
    }
  });

  // Links to other views of the page are followed in place.
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("[data-part] a[href^='./?']");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    load(link.href);
  });
  addEventListener("popstate", () => location.reload());

  // Counts are read every two seconds, unless somebody paused that, the page is not
  // seen, or its reader wants less motion.
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
      cell.closest(".stats")?.classList.remove("idle");
      cell.classList.remove("changed");
      requestAnimationFrame(() => cell.classList.add("changed"));
    }
  }

  async function poll() {
    if (paused || document.hidden) return;
    const before = loading;
    try {
      const page = await fetchPage(listURL(), AbortSignal.timeout(10000));
      if (paused || before !== loading) return;
      if (page.body.dataset.version === document.body.dataset.version) {
        putCounts(page);
      } else {
        put(page, ["count", "list"]);
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
