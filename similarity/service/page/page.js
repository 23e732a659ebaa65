"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const form = $("form");
  const texts = [$("text1"), $("text2")];
  const patience = 250; // milliseconds without a key before the texts are compared
  const longest = 60; // characters of a word that are shown

  let timer = 0;
  let current = null; // the AbortController of the request that is under way
  let frequent = [];

  // Texts become part of the page as text only, through textContent.
  function element(name, attributes, text) {
    const svg = ["svg", "g", "rect", "line", "text", "title"].includes(name);
    const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      e.setAttribute(key, value);
    }
    if (text !== undefined) {
      e.textContent = text;
    }
    return e;
  }

  function count(n, thing) {
    return `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;
  }

  // characters counts a surrogate pair once.
  function characters(text) {
    let n = 0;
    for (const _ of text) {
      n++;
    }
    return n;
  }

  function cut(word, length) {
    const all = Array.from(word.slice(0, 2 * length + 2));
    return all.length > length ? all.slice(0, length - 1).join("") + "\u2026" : word;
  }

  function showSizes() {
    texts.forEach((text, i) => {
      $(`size${i + 1}`).textContent = count(characters(text.value), "character");
    });
  }

  function showError(message) {
    $("error").textContent = message;
    $("error").hidden = message === "";
    $("result").hidden = message !== "";
    if (message !== "") {
      showAnswer(null);
    }
  }

  // showAnswer shows an answer of the server, or the hint if there is none.
  function showAnswer(answer) {
    const none = answer === null;
    $("hint").hidden = !none;
    for (const id of ["answer", "meter", "words"]) {
      $(id).hidden = none;
    }
    $("no-words").hidden = none || !answer.hint;
    frequent = none ? [] : answer.frequent;
    if (none) {
      return;
    }
    $("similarity").textContent = answer.similarity.toFixed(3);
    $("interpretation").textContent = answer.interpretation;
    $("no-words").textContent = noWords(answer);
    $("meter").setAttribute("aria-valuenow", answer.similarity);
    $("meter").firstElementChild.style.width = `${100 * answer.similarity}%`;
    showShared(answer);
    showChart();
  }

  // noWords returns what to say about texts without words.
  function noWords(answer) {
    const unicode = answer.hint && answer.hint.includes("words=unicode");
    return unicode ? "Neither text has a word of ASCII letters. Choose another kind of words." : "Neither text has a word, so they are equal.";
  }

  function showShared(answer) {
    let summary = `${count(answer.sharedWords, "shared word")}, of ${answer.words1.toLocaleString("en")} and ${answer.words2.toLocaleString("en")} different ones`;
    if (answer.shared.length < answer.sharedWords) {
      summary += `; the ${answer.shared.length} most frequent`;
    }
    $("shared-count").textContent = summary;
    $("shared").hidden = answer.shared.length === 0;
    $("shared").tBodies[0].replaceChildren(...answer.shared.map((w) => {
      const row = element("tr", {});
      const word = element("th", { scope: "row" });
      word.append(element("bdi", { title: cut(w.word, 1000) }, cut(w.word, longest)));
      row.append(word, element("td", {}, w.count1.toLocaleString("en")), element("td", {}, w.count2.toLocaleString("en")));
      return row;
    }));
  }

  // showChart draws two bars for each of the most frequent words, as wide as there is
  // room for.
  function showChart() {
    const chart = $("chart");
    const width = chart.clientWidth;
    if (frequent.length === 0 || width === 0) {
      chart.replaceChildren();
      return;
    }
    const rowHeight = 36;
    const left = Math.min(120, Math.round(width * 0.35));
    const room = width - left - 44; // the counts stand behind the bars
    const most = Math.max(...frequent.map((w) => Math.max(w.count1, w.count2)));
    const height = rowHeight * frequent.length;
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img" });
    const label = frequent.map((w) => `${cut(w.word, longest)}: ${w.count1} and ${w.count2}`).join("; ");
    svg.setAttribute("aria-label", `How often the most frequent words stand in the first and the second text. ${label}`);
    svg.append(element("line", { x1: left, y1: 0, x2: left, y2: height }));
    frequent.forEach((w, i) => {
      const y = i * rowHeight;
      const row = element("g", {});
      row.append(element("title", {}, `${cut(w.word, longest)}: ${w.count1} and ${w.count2}`));
      row.append(element("text", { class: "word", x: left - 8, y: y + 22, "text-anchor": "end" }, cut(w.word, longest)));
      [w.count1, w.count2].forEach((n, j) => {
        const length = n === 0 ? 0 : Math.max(1, (room * n) / most);
        row.append(element("rect", { class: `bar${j + 1}`, x: left, y: y + 5 + 13 * j, width: length, height: 12, rx: 1 }));
        row.append(element("text", { class: "count", x: left + length + 5, y: y + 15 + 13 * j }, n.toLocaleString("en")));
      });
      svg.append(row);
    });
    chart.replaceChildren(svg);
    for (const label of svg.querySelectorAll(".word")) {
      shorten(label, left - 8);
    }
  }

  // shorten cuts a text of the chart until it is no wider than there is room for.
  function shorten(text, room) {
    const word = text.textContent;
    for (let n = Array.from(word).length - 1; n > 0 && text.getComputedTextLength() > room; n--) {
      text.textContent = cut(word, n);
    }
  }

  // ask returns the server's answer, or throws an Error that is for people.
  async function ask(body, words, signal) {
    const size = new Blob([body]).size;
    if (size > form.dataset.maxBody) {
      // The server would close the connection before the browser reads why.
      throw new Error(`The texts are too long: ${count(size, "byte")} as JSON. The server accepts ${count(Number(form.dataset.maxBody), "byte")}.`);
    }
    let response;
    try {
      response = await fetch(`similarity/words?words=${words}`, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
    } catch (error) {
      if (error.name === "AbortError") {
        throw error;
      }
      throw new Error("The server cannot be reached.");
    }
    let answer;
    try {
      answer = await response.json();
    } catch (error) {
      if (error.name === "AbortError") {
        throw error;
      }
      throw new Error(`The server answered with ${response.status}, and nothing that can be read.`);
    }
    if (!response.ok) {
      throw new Error(`${answer.title}: ${answer.detail}`);
    }
    return answer;
  }

  async function compare() {
    clearTimeout(timer);
    current?.abort();
    current = null;
    if (texts.every((text) => text.value === "")) {
      showError("");
      showAnswer(null);
      $("result").removeAttribute("aria-busy");
      return;
    }
    const controller = new AbortController();
    current = controller;
    $("result").setAttribute("aria-busy", "true");
    try {
      const body = JSON.stringify({ text1: texts[0].value, text2: texts[1].value });
      const answer = await ask(body, form.elements.words.value, controller.signal);
      if (controller.signal.aborted) {
        return; // the next one shows its answer
      }
      showError("");
      showAnswer(answer);
    } catch (error) {
      if (controller.signal.aborted) {
        return;
      }
      showError(error.message);
    }
    $("result").removeAttribute("aria-busy");
  }

  function compareSoon() {
    showSizes();
    clearTimeout(timer);
    timer = setTimeout(compare, patience);
  }

  for (const text of texts) {
    text.addEventListener("input", compareSoon);
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        compare();
      }
    });
  }
  for (const choice of form.elements.words) {
    choice.addEventListener("change", compare);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    compare();
  });
  $("example").addEventListener("click", () => {
    texts[0].value = "The quick brown fox jumps over the lazy dog. The dog sleeps on.";
    texts[1].value = "The quick brown cat sleeps on the lazy dog, and the fox looks on.";
    showSizes();
    compare();
  });
  new ResizeObserver(showChart).observe($("chart"));
  addEventListener("pageshow", () => { // a browser that comes back restores the texts
    showSizes();
    compare();
  });
})();
