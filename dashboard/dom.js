// Makes elements. Text is only ever set as text, never as markup, so nothing that a phone sent can become a tag.

const svgNames = new Set(["svg", "g", "path", "rect", "circle", "line", "text", "pattern", "defs", "title", "polyline",
  "linearGradient", "stop", "clipPath"]);

/** An element: h("p", { class: "note", onclick: f }, "text", node, [nodes], null). */
export function h(tag, attributes, ...children) {
  const node = svgNames.has(tag) && tag !== "title"
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "selected" || name === "hidden") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(node, child);
    else if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

export function replace(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

const icons = {
  today: "M12 3v2M5.6 5.6 7 7M3 12h2M19 12h2M17 7l1.4-1.4M4 17h16M7 21h10M8 17a4 4 0 1 1 8 0",
  types: "M4 20V10M10 20V4M16 20v-8M21 20H3",
  sleep: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5ZM15 4h5l-5 5h5",
  workouts: "M15.5 4.5a1.5 1.5 0 1 0 .1 0M5 12l3-4 5 1-3 5 4 3-2 4M13 9l3 3h3M9.5 15 7 18H4",
  write: "M12 20h8M5 16 16 5l3 3L8 19l-4 1ZM14 7l3 3",
  senders: "M7 3h10v18H7ZM11 18h2M3 8v6M21 8v6",
  left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7",
  star: "M12 4l2.5 5.2 5.7.7-4.2 3.9 1.1 5.6L12 16.6l-5.1 2.8L8 13.8 3.8 9.9l5.7-.7Z",
  warning: "M12 4 2.5 20h19ZM12 10v5M12 17.5v.1",
  out: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
};

export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    h("path", { d: icons[name] }));
}

/**
 * A table with a caption; the first column is the row's heading. `rows` are arrays of text or nodes. With `stacks` a narrow screen
 * shows each row as a block; the roles are written out, since a table that is laid out otherwise loses them in some browsers.
 */
export function table(caption, heads, rows, stacks = false) {
  const role = (name) => stacks ? name : null;
  const box = h("div", { class: "scroll" },
    h("table", { class: stacks ? "stacks" : null, role: role("table") },
      h("caption", { class: "unseen" }, caption),
      h("thead", { role: role("rowgroup") }, h("tr", { role: role("row") }, heads.map((head) => h("th", { scope: "col", role: role("columnheader") }, head)))),
      h("tbody", { role: role("rowgroup") }, rows.map((row) => h("tr", { role: role("row") },
        row.map((cell, i) => h(i ? "td" : "th", { scope: i ? null : "row", role: role(i ? "cell" : "rowheader"), "data-label": stacks && i ? heads[i] : null }, cell)))))));
  // Keys scroll what has the focus, so what scrolls is a stop, and only then.
  new ResizeObserver(() => {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", caption]]) {
      if (scrolls) box.setAttribute(name, value); else box.removeAttribute(name);
    }
  }).observe(box);
  return box;
}

/** A table that is only made when someone opens it: the text alternative of a chart. */
export function tableView(make) {
  const body = h("div");
  return h("details", { class: "as-table", ontoggle: (event) => {
    if (event.target.open) replace(body, make());
  } }, h("summary", null, "Show as table"), body);
}

/** Radio buttons that look like one switch. */
export function choice(label, name, options, value, onchange) {
  return h("fieldset", { class: "choice" }, h("legend", { class: "unseen" }, label),
    options.map(([key, text]) => h("label", null,
      h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
      h("span", null, text))));
}

export function empty(title, ...children) {
  return h("section", { class: "card empty" }, h("h2", null, title), children);
}
