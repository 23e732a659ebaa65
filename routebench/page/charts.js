"use strict";
// Puts the charts of the element "data" into the page. Colours are those of the
// style's variables, so that charts follow a change of theme by themselves; they are
// drawn anew when their width changes, and when a switch is used.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  // A view is a chart on the page: it knows how to draw itself at a width.
  const views = new Map(); // by element
  let cpu = null; // the GOMAXPROCS that is shown; null for the first

  // show draws charts. All widths are asked for before the first chart is put into
  // the page: behind a change each question is a layout of the whole page.
  function show(elements) {
    const widths = elements.map((e) => Math.floor(e.clientWidth));
    elements.forEach((element, i) => {
      const view = views.get(element);
      if (widths[i] < 40) return; // hidden
      const svg = view.draw(widths[i]);
      svg.setAttribute("role", "img");
      element.replaceChildren(svg);
      view.width = widths[i];
    });
  }

  const resized = new ResizeObserver((entries) => {
    requestAnimationFrame(() => {
      show(entries.map((e) => e.target).filter((e) => Math.floor(e.clientWidth) !== views.get(e).width));
    });
  });

  function add(id, draw) {
    const element = document.getElementById(id);
    views.set(element, { draw });
    return element;
  }

  for (const chart of data.bars) {
    let log = chart.log;
    const panel = () => chart.panels.find((p) => p.cpu === cpu) ?? chart.panels[0];
    const element = add(chart.id, (width) => drawBars(chart, panel(), width, log));
    const box = document.querySelector(`input[data-log="${chart.id}"]`);
    if (!box) continue;
    box.parentElement.hidden = false;
    box.addEventListener("change", () => {
      log = box.checked;
      show([element]);
    });
  }

  for (const bar of document.querySelectorAll(".picks")) {
    const charts = data.lines.filter((c) => c.id.startsWith(bar.dataset.family + "-chart-"));
    const picks = [];
    const elements = charts.map((chart) => add(chart.id, (width) => drawLines(chart, width, picks, data.baseline)));
    const routers = new Map(charts.flatMap((c) => c.series.map((s) => [s.router, s])));
    const buttons = Array.from(routers.values(), (series) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = series.router;
      button.addEventListener("click", () => {
        const place = picks.indexOf(series.router);
        if (place < 0) picks.push(series.router);
        else picks.splice(place, 1);
        paint();
        show(elements);
      });
      return { button, series };
    });
    const paint = () => {
      for (const { button, series } of buttons) {
        const place = picks.indexOf(series.router);
        const own = series.class === "own";
        button.setAttribute("aria-pressed", String(own || place >= 0));
        button.disabled = own;
        button.className = own ? "pick-own" : place < 0 ? "" : `pick-${(place % 6) + 1}`;
      }
    };
    paint();
    bar.append(...buttons.map((b) => b.button));
    bar.hidden = false;
  }

  const cpus = document.getElementById("cpus");
  if (cpus) {
    const choose = () => {
      cpu = Number(cpus.querySelector("input:checked").value);
      for (const table of document.querySelectorAll("[data-cpu]")) table.hidden = Number(table.dataset.cpu) !== cpu;
    };
    cpus.hidden = false;
    cpus.addEventListener("change", () => {
      choose();
      show(data.bars.filter((chart) => chart.panels.length > 1).map((chart) => document.getElementById(chart.id)));
    });
    choose();
  }

  const all = Array.from(views.keys());
  show(all);
  for (const element of all) resized.observe(element);
})();
