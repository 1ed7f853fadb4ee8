// Tables of class `sortable` sort by the button in each heading (again: downwards; a third time: as
// printed). Those of class `filterable` get a box that keeps the rows holding every word typed.
// Empty cells (also a dash) come last either way.
(function () {
  "use strict";

  const EMPTY = /^[\s\u2010-\u2015\u2212-]*$/;
  const NUMBER = /^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/;
  const text = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function cellText(row, column) {
    if (!row.cells[column]) return "";
    const cell = row.cells[column].cloneNode(true);  // marks beside a number are no part of it
    cell.querySelectorAll(".flag, .differs").forEach((mark) => mark.remove());
    return cell.textContent.trim();
  }

  function number(value) {
    const plain = value.replace(/\u2212/g, "-").replace(/[%\s]/g, "");
    return /\d/.test(plain) && NUMBER.test(plain) ? parseFloat(plain.replace(/,/g, "")) : NaN;
  }

  function sort(table, rows, column, direction) {
    const keys = new Map(rows.map((row) => [row, cellText(row, column)]));
    const filled = rows.filter((row) => !EMPTY.test(keys.get(row)));
    const empty = rows.filter((row) => EMPTY.test(keys.get(row)));
    const numbers = new Map(filled.map((row) => [row, number(keys.get(row))]));
    const words = filled.filter((row) => Number.isNaN(numbers.get(row)));
    const byText = (a, b) => direction * text.compare(keys.get(a), keys.get(b));
    if (2 * words.length > filled.length) {
      filled.sort(byText);
    } else {  // a column of numbers: the odd word in it comes after them
      const figures = filled.filter((row) => !words.includes(row));
      figures.sort((a, b) => direction * (numbers.get(a) - numbers.get(b)));
      filled.splice(0, filled.length, ...figures, ...words.sort(byText));
    }
    table.tBodies[0].append(...filled, ...empty);
  }

  function makeSortable(table) {
    const body = table.tBodies[0];
    const head = table.tHead && table.tHead.rows[table.tHead.rows.length - 1];
    if (!body || !head) return;
    const printed = Array.from(body.rows);
    if (printed.some((row) => Array.from(row.cells).some((cell) => cell.rowSpan > 1))) return;
    const headings = Array.from(head.cells);
    headings.forEach((heading, column) => {
      if (heading.colSpan > 1 || !heading.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort-button";
      button.title = "Sort by this column";
      const label = document.createElement("span");
      label.append(...(heading.querySelector(":scope > p") || heading).childNodes);
      button.append(label);
      heading.replaceChildren(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" };
        const order = next[heading.getAttribute("aria-sort")];
        headings.forEach((other) => other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none"));
        heading.setAttribute("aria-sort", order);
        if (order === "none") body.append(...printed);
        else sort(table, printed, column, order === "ascending" ? 1 : -1);
      });
    });
  }

  function fold(value) {
    return value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function makeFilterable(table, index) {
    const rows = Array.from(table.tBodies[0].rows);
    const contents = rows.map((row) => fold(Array.from(row.cells, (c) => c.textContent.trim()).join(" | ")));
    const box = document.createElement("div");
    box.className = "table-filter";
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("output");
    input.type = "search";
    input.id = `table-filter-${index}`;
    input.autocomplete = "off";
    label.htmlFor = input.id;
    label.textContent = "Filter rows";
    count.htmlFor = input.id;
    count.setAttribute("aria-live", "polite");
    const update = () => {
      const words = fold(input.value).split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !words.every((word) => contents[i].includes(word));
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
    };
    input.addEventListener("input", update);
    box.append(label, input, count);
    (table.closest(".pst-scrollable-table-container") || table).before(box);
    update();
  }

  // A table wider than the text may use the margin beside it. A box that scrolls all the same must
  // be reachable by keyboard and say what it is.
  function makeReachable(table) {
    const box = table.closest(".pst-scrollable-table-container");
    if (!box) return;
    if (table.tBodies[0] && table.tBodies[0].rows.length > 25) box.classList.add("long-table");
    const widen = () => {
      box.classList.remove("wide-table");
      box.classList.toggle("wide-table", box.scrollWidth > box.clientWidth + 1);
    };
    const describe = () => {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (!scrolls) return ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
      const caption = table.caption && table.caption.querySelector(".caption-text");
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", caption ? caption.textContent : "Table");
    };
    let width = window.innerWidth;
    window.addEventListener("resize", () => {
      if (window.innerWidth !== width) widen();
      width = window.innerWidth;
    });
    new ResizeObserver(describe).observe(box);
    widen();
    describe();
  }

  // The list of contents in the margin folds up while a table that uses the margin is in view, as the
  // theme does for things of class `full-width`. The theme's script stops with an error on a page
  // without such a list, so it gets an empty one.
  function shareTheMargin() {
    let contents = document.querySelector("div.bd-sidebar-secondary");
    if (!contents) {
      contents = document.createElement("div");
      contents.className = "bd-sidebar-secondary";
      contents.hidden = true;
      document.body.append(contents);
    }
    const inView = new Set();
    const observer = new IntersectionObserver((entries) => {
      entries.forEach((entry) => {
        if (entry.isIntersecting && entry.target.classList.contains("wide-table")) inView.add(entry.target);
        else inView.delete(entry.target);
      });
      contents.classList.toggle("hide", inView.size > 0);
    }, { rootMargin: "0px 0px -33% 0px" });
    document.querySelectorAll(".wide-table").forEach((box) => {
      if (!box.closest(".full-width")) observer.observe(box);
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("table.sortable").forEach(makeSortable);
    document.querySelectorAll("table.filterable").forEach(makeFilterable);
    document.querySelectorAll(".bd-article table.table").forEach(makeReachable);
    shareTheMargin();
  });
})();
