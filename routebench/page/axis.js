"use strict";
// What axes and labels of all charts need: how wide texts are, and which numbers an
// axis has room for.

const font = getComputedStyle(document.body).fontFamily;
const pen = document.createElement("canvas").getContext("2d");

// textWidth returns how wide a text is at some size, in pixels.
function textWidth(text, size, weight = 400) {
  pen.font = `${weight} ${size}px ${font}`;
  return pen.measureText(text).width;
}

// fit returns a text that is at most so wide, with an ellipsis if it is cut.
function fit(text, width, size, weight = 400) {
  if (textWidth(text, size, weight) <= width) return text;
  const letters = Array.from(text);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(letters.slice(0, middle).join("") + "…", size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join("").trimEnd() + "…";
}

// number returns a number of an axis.
function number(v) {
  return (+v.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
}

// ticks returns the places of an axis whose numbers fit next to each other.
function ticks(x, room) {
  for (let many = Math.max(2, Math.floor(room / 40)); ; many--) {
    const places = x.type === "linear" ? d3.ticks(...x.domain, many) : decades(x.domain, many);
    const widest = Math.max(...places.map((d) => textWidth(number(d), 10.5)));
    const closest = Math.min(...d3.pairs(places, (a, b) => along(x, b) - along(x, a))) * room;
    if (many <= 2 || closest >= widest + 14) return places;
  }
}

// decades returns at most about so many places of an axis of logarithms.
function decades([from, to], many) {
  const places = [];
  for (let e = Math.floor(Math.log10(from)); 10 ** e <= to; e++) {
    const all = Math.log10(to / from) < many / 3 ? [1, 2, 5] : [1];
    for (const m of all) if (m * 10 ** e >= from && m * 10 ** e <= to) places.push(m * 10 ** e);
  }
  const step = Math.ceil(places.length / many);
  return places.filter((_, i) => i % step === 0);
}

// along returns where a place is on an axis, from 0 to 1.
function along(x, place) {
  const [from, to] = x.domain;
  return x.type === "log" ? Math.log(place / from) / Math.log(to / from) : place / to;
}
