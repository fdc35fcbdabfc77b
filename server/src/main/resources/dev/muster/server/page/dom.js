// SPDX-License-Identifier: Apache-2.0
// Creates all elements of the page: text is inserted as text, never as markup.
import {address, choice, choose} from "./address.js";

/** An element; attributes that are false or undefined are left out, "on…" are listeners. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/** New content for an element that is redrawn with each sample: a link in it that has the focus keeps it. */
export function redraw(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  element.replaceChildren();
  append(element, children);
  if (focused !== null) {
    [...element.querySelectorAll("a")].find(one => one.getAttribute("href") === focused)?.focus({preventScroll: true});
  }
}

function region(caption, row, body) {
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    h("table", {}, h("caption", {}, caption), h("thead", {}, row), body));
}

function bodyRow(columns, row) {
  return h("tr", {class: row.className}, row.cells.map((cell, i) => i === 0
    ? h("th", {scope: "row", class: classOf(columns[i])}, cell)
    : h("td", {class: classOf(columns[i])}, cell)));
}

/** A table; cells are text or nodes. Columns: {name, number?, wide?, low?}; low ones are left out on narrow screens. */
export function table(caption, columns, rows) {
  return region(caption, h("tr", {}, columns.map(column => h("th", {scope: "col", class: classOf(column)}, column.name))),
    h("tbody", {}, rows.map(row => bodyRow(columns, row))));
}

/**
 * A table that is redrawn with new items and sorted by its headings, as the address says. Columns have text(item) for
 * the cell and, if they sort, a key and value(item); className(item) is that of a row.
 */
export function sortedTable(caption, columns, {usual = "", className = () => undefined, most = 1000} = {}) {
  let items = [];
  const body = h("tbody", {});
  const heads = columns.map(column => h("th", {scope: "col", class: classOf(column)}, column.key
    ? h("button", {type: "button", class: "sort", onclick: () => sortBy(column.key)}, column.name) : column.name));
  const row = h("tr", {}, heads);
  const note = h("p", {class: "note", hidden: true});

  function sortBy(key) {
    const now = choice("sort", usual);
    choose({sort: now === `-${key}` ? key : `-${key}`});
    draw();
  }

  function draw() {
    const sort = choice("sort", usual);
    const column = columns.find(one => one.key && one.key === sort.replace(/^-/, ""));
    const sign = sort.startsWith("-") ? -1 : 1;
    const sorted = column ? [...items].sort((a, b) => sign * compare(column.value(a), column.value(b), sign)) : items;
    columns.forEach((one, i) => {
      const state = one === column ? (sign < 0 ? "descending" : "ascending") : null;
      state ? heads[i].setAttribute("aria-sort", state) : heads[i].removeAttribute("aria-sort");
    });
    const shown = sorted.slice(0, most).map(item => ({className: className(item), cells: columns.map(one => one.text(item))}));
    // Columns of which nothing is known are left out.
    const known = columns.map((_, i) => i === 0 || shown.some(one => one.cells[i] !== "" && one.cells[i] !== undefined));
    heads.forEach((head, i) => { head.hidden = !known[i]; });
    redraw(body, shown.map(one => bodyRow(columns.filter((_, i) => known[i]), {...one, cells: one.cells.filter((_, i) => known[i])})));
    note.hidden = items.length <= most;
    note.textContent = `the first ${most} of ${items.length} are shown`;
  }

  return {
    node: h("div", {}, region(caption, row, body), note),
    update(found) {
      items = found;
      draw();
    },
  };
}

/** Unknown values come last in both directions. */
function compare(a, b, sign) {
  const known = value => value !== undefined && value !== null && !Number.isNaN(value);
  if (!known(a) || !known(b)) {
    return sign * (known(b) - known(a));
  }
  return typeof a === "string" ? a.localeCompare(String(b), "en", {numeric: true}) : a - b;
}

function classOf(column) {
  return [column.number && "number", column.wide && "wide", column.low && "low"].filter(Boolean).join(" ") || undefined;
}

/** Links to the same view with another value of a choice. */
export function choices(label, name, usual, values) {
  return h("nav", {class: "choices", "aria-label": label}, values.map(([value, text]) =>
    h("a", {href: address({[name]: value === usual ? "" : value}),
      "aria-current": choice(name, usual) === value ? "true" : undefined}, text)));
}

/** What is shown in place of something that could not be had. */
export function problem(text) {
  return h("p", {class: "problem", role: "alert"}, text);
}
