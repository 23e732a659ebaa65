"use strict";
// Folds the tables, which are open where no script runs, and sorts them: a click
// on a column's head, or Enter or Space on it, sorts by it, and a second time the
// other way round.
(() => {
  for (const details of document.querySelectorAll("details[open]")) details.open = false;

  // What a link or a search leads to must not be folded.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();

  const order = new Intl.Collator("en", { numeric: true });

  // value returns what a cell is sorted by: a number, a text, or null, which is
  // always last.
  function value(cell) {
    const text = cell.dataset.sort ?? cell.textContent.trim();
    if (text === "" || text === "none") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return order.compare(String(a), String(b));
  }

  function sort(table, heads, column) {
    const head = heads[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, value: value(row.cells[column]) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return down ? compare(b.value, a.value) : compare(a.value, b.value);
    });
    body.append(...rows.map((r) => r.row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, heads, column));
      head.append(button);
    });
  }
})();
