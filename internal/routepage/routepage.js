"use strict";
// The pages work without this. It changes lists and answers in place while one
// types. A page is a function of its URL: the script asks for the page of another
// URL and puts its parts, the elements with data-part, in place of those shown.
const routePage = (() => {
  let loads = 0; // how many there were

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
    const number = ++loads;
    const list = document.getElementById("list");
    list.setAttribute("aria-busy", "true");
    try {
      const page = await fetchPage(url);
      if (number === loads) put(page);
    } catch {
      if (number === loads) location.assign(url); // the browser says what is wrong
    } finally {
      if (number === loads) list.removeAttribute("aria-busy");
    }
  }

  function submit(form) {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value !== "" || name === "url") fields.set(name, value);
    }
    const url = "./?" + fields;
    history.replaceState(null, "", url);
    return load(url);
  }

  for (const form of document.forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(form);
    });
  }

  const q = document.getElementById("q");
  let typing;
  q.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => submit(q.form), 150);
  });
  q.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && q.value !== "") {
      event.preventDefault();
      clearTimeout(typing);
      q.value = "";
      submit(q.form);
    }
  });
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest && event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      q.focus();
    }
  });

  // Links to other views of the page are followed in place.
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("[data-part] a[href^='./?']");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    const pager = link.closest(".pager");
    load(link.href).then(() => {
      if (pager) document.getElementById("list").scrollIntoView();
    });
  });
  addEventListener("popstate", () => location.reload());

  return { fetchPage, put, loads: () => loads };
})();
