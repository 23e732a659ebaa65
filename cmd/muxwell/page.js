"use strict";
(() => {
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const none = document.getElementById("none");
  const total = count.textContent;
  const rows = Array.from(document.querySelectorAll("#routes > li"), (li) => ({
    li,
    text: (li.querySelector(".methods").textContent + li.querySelector("code").textContent).toLowerCase(),
  }));

  // A row is shown if it has every word of the filter.
  function apply() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((word) => row.text.includes(word));
      row.li.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    count.textContent = words.length ? `${shown} of ${total}` : total;
    none.hidden = shown > 0;
  }

  document.getElementById("search").hidden = false;
  filter.addEventListener("input", apply);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      filter.value = "";
      apply();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== filter && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      filter.focus();
    }
  });
  addEventListener("pageshow", apply); // a browser that comes back restores the filter
})();
