"use strict";
// Draws bar charts. Such a chart is a table with bars in it: names at the left,
// bars, and the figures in columns at the right, so that no label ever covers
// another. Where it is narrow the names stand above the bars.

const fills = { own: "var(--own)", net: "var(--net)", other: "url(#hatch)" };
const size = 12.5; // of names and figures
const narrowBelow = 460;

// layout returns where a bar chart's parts are.
function layout(chart, rows, width) {
  const narrow = width < narrowBelow;
  const columns = chart.columns.map((head, i) => {
    const cells = rows.map((r) => textWidth(r.cells?.[i] ?? "", size, 600));
    return Math.ceil(Math.max(textWidth(head, 10.5), ...cells)) + (narrow ? 10 : 14);
  });
  const columnsWidth = columns.reduce((a, b) => a + b, 0);
  const mark = (r) => (r.part ? " ◐" : "");
  const widest = Math.ceil(Math.max(...rows.map((r) => textWidth(r.router + mark(r), size, 650))));
  const nameWidth = narrow ? width - columnsWidth - 4 : Math.min(widest, width * 0.34);
  const rights = []; // where each column ends
  let right = width - columnsWidth - 1;
  for (const w of columns) rights.push((right += w));
  return {
    narrow, rights,
    name: (r, weight) => fit(r.router, nameWidth - textWidth(mark(r), size, weight), size, weight) + mark(r),
    left: narrow ? 0 : nameWidth + 12,
    right: narrow ? 2 : columnsWidth + 6,
    top: 22,
    bottom: narrow ? 20 : 6,
    row: narrow ? 38 : 23,
    drop: narrow ? 17 : 0, // of the bar, below its name
    lift: narrow ? -8 : 0, // of the name, above the bar
    gap: columns[0] - textWidth(chart.columns[0], 10.5),
  };
}

// scaleX returns the scale of the bars: from zero, or from a round number below
// the least on an axis of logarithms.
function scaleX(chart, panel, log) {
  let top = chart.max;
  for (const panel of chart.panels) for (const r of panel.rows) top = Math.max(top, r.hi ?? 0);
  const factor = chart.scale.factor;
  if (!log) return { type: "linear", domain: [0, top * factor || 1] };
  // What measuring itself takes is shown too, unless it is far below.
  const floor = panel.floor > chart.min / 40 ? panel.floor : Infinity;
  const least = Math.min(chart.min, floor) * factor * 0.75;
  const decade = 10 ** Math.floor(Math.log10(least));
  const from = decade * (least >= 5 * decade ? 5 : least >= 2 * decade ? 2 : 1);
  return { type: "log", domain: [from, top * factor] };
}

// drawBars returns a panel of a bar chart.
function drawBars(chart, panel, width, log) {
  const rows = panel.rows;
  const at = layout(chart, rows, width);
  const x = scaleX(chart, panel, log);
  const c = {
    chart, panel, rows, at, x, width,
    f: chart.scale.factor,
    from: x.domain[0],
    room: width - at.left - at.right,
    measured: rows.filter((r) => r.cells),
  };
  return Plot.plot({
    className: "plot", width, height: at.top + rows.length * at.row + at.bottom,
    marginLeft: at.left, marginRight: at.right, marginTop: at.top, marginBottom: at.bottom,
    ariaLabel: chart.label,
    x: { ...x, axis: null },
    y: { type: "band", domain: rows.map((r) => r.router), axis: null, padding: 0 },
    marks: [axisMarks(c), barMarks(c), floorMark(c), intervalMarks(c), nameMarks(c), cellMarks(c), tipMark(c)],
  });
}

// verticals are lines over all rows; where names are above the bars, lines next to
// the bars only.
function verticals({ rows, at }, places, options) {
  if (!at.narrow) return Plot.ruleX(places, options);
  return Plot.tickX(d3.cross(places, rows), { x: (d) => d[0], y: (d) => d[1].router, insetTop: at.drop + 1, insetBottom: 5, ...options });
}

function axisMarks(c) {
  const { at, x, room } = c;
  const places = ticks(x, room);
  // The last number must neither be cut nor touch the columns' heads.
  const fits = (place) => {
    const free = room - along(x, place) * room;
    const wide = textWidth(number(place), 10.5);
    return at.narrow ? free > wide : free + at.gap > wide / 2 + 6;
  };
  const where = at.narrow
    ? { frameAnchor: "bottom", lineAnchor: "top", dy: 5, textAnchor: "start" }
    : { frameAnchor: "top", lineAnchor: "bottom", dy: -7, textAnchor: "middle" };
  return [
    verticals(c, places, { stroke: "var(--edge)" }),
    Plot.text(places.filter(fits), { x: (d) => d, fontSize: 10.5, fill: "var(--dim)", text: number, ...where }),
  ];
}

function barMarks({ at, measured, f, from }) {
  return ["net", "other", "own"].map((kind) =>
    Plot.barX(measured.filter((r) => r.class === kind), {
      y: "router", x1: from, x2: (r) => Math.max(r.v * f, from), fill: fills[kind], className: "bar", rx2: 1.5,
      insetTop: at.drop + (at.narrow ? 3 : 4), insetBottom: at.narrow ? 7 : 4, fillOpacity: (r) => (r.part ? 0.55 : 1),
    }),
  );
}

// floorMark shows what measuring itself takes.
function floorMark(c) {
  const floor = c.panel.floor * c.f;
  if (!(floor >= c.from)) return null;
  return verticals(c, [floor], { className: "floor-line", stroke: "var(--dim)", strokeDasharray: "2 2", strokeWidth: 1.25 });
}

function intervalMarks({ at, measured, f, from }) {
  const rows = measured.filter((r) => r.lo !== undefined && r.hi !== undefined);
  const line = { y: "router", stroke: "var(--whisker)", strokeWidth: 1, dy: at.drop / 2 - (at.narrow ? 2 : 0) };
  const cap = at.narrow ? { insetTop: 14, insetBottom: 14 } : { insetTop: 8, insetBottom: 8 };
  const lo = (r) => Math.max(from, r.lo * f);
  const hi = (r) => r.hi * f;
  return [
    Plot.ruleY(rows, { ...line, x1: lo, x2: hi, className: "interval" }),
    Plot.tickX(rows, { ...line, ...cap, x: lo }),
    Plot.tickX(rows, { ...line, ...cap, x: hi }),
  ];
}

// halves splits rows into those of this repository, which stand out, and others.
function halves(rows) {
  return [rows.filter((r) => r.class === "own"), rows.filter((r) => r.class !== "own")];
}

function nameMarks({ rows, at, width }) {
  const name = (list, fill, weight) =>
    Plot.text(list, {
      y: "router", frameAnchor: "left", textAnchor: "start", dx: at.narrow ? 0 : -at.left, dy: at.lift,
      fill, fontSize: size, fontWeight: weight, text: (r) => at.name(r, weight),
    });
  const [own, others] = halves(rows);
  return [
    name(own, "var(--accent)", 650),
    name(others, "var(--ink)", 400),
    Plot.text(rows.filter((r) => !r.cells), {
      y: "router", frameAnchor: "left", textAnchor: "start", dx: at.narrow ? 0 : 4, dy: at.narrow ? 10 : 0,
      fill: "var(--dim)", fontSize: 11.5, fontStyle: "italic", className: "left-out",
      text: (r) => fit("left out: " + r.out, width - at.left - 8, 11.5),
    }),
  ];
}

function cellMarks({ chart, at, measured, width }) {
  const [own, others] = halves(measured);
  return chart.columns.flatMap((head, i) => {
    const right = { frameAnchor: "right", textAnchor: "end", dx: at.rights[i] - (width - at.right) };
    const fill = i === 0 ? "var(--ink)" : "var(--dim)";
    const cell = (list, weight) => Plot.text(list, { ...right, y: "router", dy: at.lift, fontSize: size, fill, fontWeight: weight, text: (r) => r.cells[i] });
    return [
      Plot.text([head], { ...right, frameAnchor: "top-right", lineAnchor: "bottom", dy: -7, fill: "var(--dim)", fontSize: 10.5 }),
      cell(own, i === 0 ? 650 : 400),
      cell(others, 400),
    ];
  });
}

function tipMark({ rows, f, from }) {
  return Plot.tip(rows, Plot.pointerY({
    y: "router", x: (r) => (r.cells ? Math.max(from, r.v * f) : from), title: "tip",
    fill: "var(--raised)", stroke: "var(--dim)", fontSize: 12, lineHeight: 1.35, lineWidth: 26, maxRadius: 400,
  }));
}
