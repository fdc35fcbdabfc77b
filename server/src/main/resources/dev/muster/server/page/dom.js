// SPDX-License-Identifier: Apache-2.0
// Creates all elements of the page: text is inserted as text, never as markup.

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

/** A table; cells are text or nodes. Columns: {name, number?, wide?}. */
export function table(caption, columns, rows) {
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    h("table", {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map(column =>
        h("th", {scope: "col", class: classOf(column)}, column.name)))),
      h("tbody", {}, rows.map(row => h("tr", {class: row.className}, row.cells.map((cell, i) =>
        i === 0
          ? h("th", {scope: "row", class: classOf(columns[i])}, cell)
          : h("td", {class: classOf(columns[i])}, cell)))))));
}

function classOf(column) {
  return [column.number ? "number" : "", column.wide ? "wide" : ""].join(" ").trim() || undefined;
}

/** What is shown in place of something that could not be had. */
export function problem(text) {
  return h("p", {class: "problem", role: "alert"}, text);
}
