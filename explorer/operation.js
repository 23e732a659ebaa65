"use strict";
// "Try it": the form of an operation as a request to the server that the page is from.
// Nothing is sent before the button is pressed, and what comes back is shown as text.
(() => {
  const maxShown = 256 * 1024; // characters of an answer
  const form = document.getElementById("try");
  const result = document.getElementById("result");
  const send = document.getElementById("send");
  const media = document.getElementById("media");
  const body = document.getElementById("text");
  const curl = document.getElementById("curl");
  const sendText = send.textContent;
  let running = null; // the AbortController of a request

  // request returns what the form says, as the arguments of fetch.
  function request() {
    const values = {};
    const query = [];
    const headers = [];
    for (const field of form.querySelectorAll("[data-in]")) {
      const { in: where, name } = field.dataset;
      const value = field.value;
      if (where === "path") {
        const parts = "rest" in field.dataset ? value.split("/") : [value];
        values[`{${name}}`] = value === "" ? `:${encodeURIComponent(name)}` : parts.map(encodeURIComponent).join("/");
      } else if (value === "") {
        continue;
      } else if (where === "query") {
        for (const one of "list" in field.dataset ? value.split(",") : [value]) {
          query.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
        }
      } else if (where === "header") {
        headers.push([name, value]);
      }
    }
    const path = form.dataset.target.replace(/\{[^{}]*\}/g, (name) => (Object.hasOwn(values, name) ? values[name] : encodeURIComponent(name)));
    const options = { method: form.dataset.send, headers };
    if (body && body.value !== "") {
      headers.push(["Content-Type", media.value]);
      options.body = body.value;
    }
    return { url: location.origin + path + (query.length ? `?${query.join("&")}` : ""), options };
  }

  const quote = (s) => `'${s.replaceAll("'", `'\\''`)}'`;

  function showCurl() {
    const { url, options } = request();
    const method = { GET: "", HEAD: "-I " }[options.method] ?? `-X ${options.method} `;
    const lines = [`curl ${method}${quote(url)}`, ...options.headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)];
    if (options.body !== undefined) lines.push(`--data-raw ${quote(options.body)}`);
    curl.textContent = lines.join(" \\\n  ");
  }

  function element(tag, text, className) {
    const e = document.createElement(tag);
    e.textContent = text;
    if (className) e.className = className;
    return e;
  }

  // read returns the beginning of an answer, and shows it as it comes.
  async function read(answer, show) {
    const type = answer.headers.get("Content-Type") || "";
    const isText = type === "" || /^text\/|json|xml|yaml|javascript|urlencoded/.test(type);
    if (!answer.body) return { text: "", size: 0 };
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (!isText) continue;
      text += decoder.decode(value, { stream: true });
      show(text.slice(0, maxShown));
      if (text.length > maxShown) {
        await reader.cancel();
        return { text: text.slice(0, maxShown), note: "The rest is not shown." };
      }
    }
    if (!isText) return { text: "", size, note: `${size} bytes of ${type}` };
    if (/json/.test(type)) {
      try {
        text = JSON.stringify(JSON.parse(text), null, 2);
      } catch {} // it is shown as it is
    }
    return { text, size };
  }

  async function run() {
    running = new AbortController();
    send.textContent = "Cancel";
    result.replaceChildren(element("p", "Waiting for the answer…", "dim"));
    const began = performance.now();
    const took = () => `${Math.round(performance.now() - began)} ms`;
    try {
      const { url, options } = request();
      const answer = await fetch(url, { ...options, signal: running.signal, credentials: "same-origin", cache: "no-store" });
      const status = element("p", "", "answer-status");
      status.append(element("b", `${answer.status} ${answer.statusText}`.trim(), answer.ok ? "" : "failed"), ` in ${took()}`);
      if (answer.redirected) status.append(`, redirected to ${answer.url}`);
      const headers = element("details", "");
      headers.append(element("summary", "Headers"), element("pre", Array.from(answer.headers, ([name, value]) => `${name}: ${value}`).join("\n")));
      const text = element("pre", "");
      text.tabIndex = 0;
      text.hidden = true;
      result.replaceChildren(status, headers, text);
      const show = (shown) => {
        text.textContent = shown;
        text.hidden = shown === "";
      };
      const { text: whole, note, size } = await read(answer, show);
      show(whole);
      if (note) result.append(element("p", note, "dim"));
      else if (size === 0) result.append(element("p", "No body", "dim"));
    } catch (e) {
      result.append(element("p", e.name === "AbortError" ? `Canceled after ${took()}` : `Not sent, or no answer: ${e.message}`, "fault"));
    } finally {
      running = null;
      send.textContent = sendText;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) running.abort();
    else run();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("input", showCurl);
  if (media) {
    let example = body.value;
    media.addEventListener("change", () => {
      if (body.value === example) body.value = media.selectedOptions[0].dataset.example; // what was typed stays
      example = media.selectedOptions[0].dataset.example;
      showCurl();
    });
  }
  const copy = document.getElementById("copy");
  if (navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(curl.textContent);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    });
  }
  document.getElementById("try-section").hidden = false;
  showCurl();
})();
