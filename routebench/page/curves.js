"use strict";
// Draws curves over the number of routes, with both axes logarithmic. All curves are
// grey but those of this repository and those that were picked, and each has its
// name at its end.

// spread moves labels that stand too close to each other apart, and returns
// their new places in the same order.
function spread(places, gap, low, high) {
  const order = places.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  const step = Math.min(gap, (high - low) / Math.max(1, order.length - 1));
  order.forEach((p, k) => (p.y = Math.max(p.y, k ? order[k - 1].y + step : low)));
  for (let k = order.length - 1, limit = high; k >= 0; k--) limit = (order[k].y = Math.min(order[k].y, limit)) - step;
  const out = [];
  for (const p of order) out[p.i] = p.y;
  return out;
}

// colour returns the colour of a router's curve: those of this repository and
// those that were picked have one, the others are grey.
function colour(series, picks) {
  if (series.class === "own") return "var(--own)";
  const place = picks.indexOf(series.router);
  return place < 0 ? null : `var(--c${(place % 6) + 1})`;
}

// inUnit returns a figure of an axis in the unit that suits it.
function inUnit(units, v) {
  const unit = units.findLast((u) => v * u.factor >= 0.999) ?? units[0];
  return `${number(v * unit.factor)} ${unit.unit}`;
}

// drawLines returns a chart of curves. baseline is the router that the others are
// compared with, and picks are the routers that are highlighted.
function drawLines(chart, width, picks, baseline) {
  const c = curveLayout(chart, width);
  const style = (series) => {
    const own = colour(series, picks);
    const base = series.router === baseline;
    return { strong: own !== null, line: own ?? (base ? "var(--dim)" : "var(--curve)"), text: own ?? (base ? "var(--ink)" : "var(--dim)") };
  };
  const plainFirst = [...chart.series].sort((a, b) => style(a).strong - style(b).strong);
  return Plot.plot({
    className: "plot", width, height: c.height,
    marginLeft: c.left, marginRight: c.right, marginTop: c.top, marginBottom: c.bottom,
    ariaLabel: chart.label,
    x: { type: "log", domain: c.x.domain(), axis: null },
    y: { type: "log", domain: c.y.domain(), axis: null },
    marks: [gridMarks(chart, c), plainFirst.map((s) => curveMarks(s, style(s))), leaders(c), endMarks(c, style), pointMark(chart)],
  });
}

// curveLayout returns where a chart's parts are.
function curveLayout(chart, width) {
  const narrow = width < narrowBelow;
  const labelSize = narrow ? 10.5 : 12;
  const widest = Math.ceil(Math.max(...chart.series.map((s) => textWidth(s.router, labelSize, 650))));
  const labelWidth = Math.min(widest, width * 0.36);
  const c = {
    width, labelSize, labelWidth, top: 14, bottom: 42, left: 50, right: labelWidth + 26,
    height: Math.max(narrow ? 320 : width > 700 ? 440 : 360, chart.series.length * (labelSize + 2) + 60),
  };
  const points = chart.series.flatMap((s) => s.points);
  const [low, high] = d3.extent(points, (p) => p.v);
  c.counts = Array.from(new Set(points.map((p) => p.x))).sort((a, b) => a - b);
  const [first, last] = d3.extent(c.counts);
  c.x = d3.scaleLog(first < last ? [first, last] : [first / 2, first * 2], [c.left, width - c.right]);
  c.y = d3.scaleLog([low * 0.85, high * 1.15], [c.height - c.bottom, c.top]);
  const ends = chart.series.map((series) => ({ series, point: series.points[series.points.length - 1] }));
  const places = spread(ends.map((e) => c.y(e.point.v)), labelSize + 2, c.top, c.height - c.bottom);
  c.ends = ends.map((e, i) => ({ ...e, at: places[i], y: c.y.invert(places[i]), whole: e.point.x === last }));
  return c;
}

function gridMarks(chart, c) {
  const levels = decades(c.y.domain(), Math.floor(c.height / 50));
  const text = { fontSize: 11, fill: "var(--dim)" };
  const below = { ...text, frameAnchor: "bottom", lineAnchor: "top" };
  return [
    Plot.ruleY(levels, { stroke: "var(--edge)" }),
    Plot.text(levels, { ...text, y: (d) => d, frameAnchor: "left", textAnchor: "end", dx: -8, text: (d) => inUnit(chart.units, d) }),
    Plot.ruleX(c.counts, { stroke: "var(--edge)", strokeOpacity: 0.6 }),
    Plot.text(apart(c), { ...below, x: (d) => d, dy: 7, text: number }),
    Plot.text(["routes"], { ...below, dy: 24 }),
  ];
}

// apart returns the numbers of routes that can be written without touching the
// next one.
function apart({ counts, x }) {
  let free = Infinity;
  return counts.toReversed().filter((n) => {
    const half = textWidth(number(n), 11) / 2;
    if (x(n) + half > free) return false;
    free = x(n) - half - 8;
    return true;
  });
}

function curveMarks(series, { strong, line }) {
  const points = series.points;
  const intervals = points.filter((p) => strong && p.lo !== undefined && p.hi !== undefined);
  return [
    Plot.line(points, {
      x: "x", y: "v", stroke: line, className: "curve", strokeLinejoin: "round",
      strokeWidth: strong ? 2.25 : 1.25, strokeOpacity: strong ? 1 : 0.85, strokeDasharray: series.class === "other" ? "5 3" : null,
    }),
    Plot.ruleX(intervals, { x: "x", y1: "lo", y2: "hi", stroke: line, strokeWidth: 1.25 }),
    Plot.dot(points, { x: "x", y: "v", r: strong ? 2.75 : 1.75, fill: line }),
  ];
}

// leaders is a mark of thin lines from the ends of the curves to their names.
function leaders({ ends, y, width, right }) {
  return (index, scales, values, dimensions, context) => {
    const g = d3.select(context.document.createElementNS("http://www.w3.org/2000/svg", "g"));
    g.attr("fill", "none").attr("stroke", "var(--curve)").attr("stroke-opacity", 0.7).attr("aria-hidden", "true");
    const from = width - right + 4;
    for (const e of ends) if (e.whole) g.append("path").attr("d", `M${from},${y(e.point.v)}L${from + 14},${e.at}`);
    return g.node();
  };
}

// endMarks are the names of the curves.
function endMarks(c, style) {
  return c.ends.map((e) => {
    const { strong, text } = style(e.series);
    const weight = strong ? 650 : 400;
    return Plot.text([fit(e.series.router, c.labelWidth, c.labelSize, weight)], {
      y: () => e.y, frameAnchor: "right", textAnchor: "start", dx: 22, fontSize: c.labelSize, fontWeight: weight, fill: text, text: (d) => d,
    });
  });
}

function pointMark(chart) {
  const points = chart.series.flatMap((s) => s.points.map((p) => ({ ...p, title: `${s.router}\n${number(p.x)} routes: ${p.text}` })));
  return Plot.tip(points, Plot.pointer({
    x: "x", y: "v", title: "title", fill: "var(--raised)", stroke: "var(--dim)", fontSize: 12, lineHeight: 1.35,
  }));
}
