"use strict";

/** Makes elements. What comes from states is only ever set as text. */
const Elements = {
  /** An element with a class and children: texts or other elements. */
  make(name, className, ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  },

  button(text, className, action) {
    const button = Elements.make("button", className, text);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  },

  /** A table with a header row; cells are texts or elements. */
  table(caption, headers, rows, className) {
    const table = Elements.make("table", className);
    if (caption) table.append(Elements.make("caption", "", caption));
    const head = Elements.make("tr");
    for (const header of headers) {
      const cell = Elements.make("th", "", header);
      cell.scope = "col";
      head.append(cell);
    }
    table.append(Elements.make("thead", "", head));
    const body = Elements.make("tbody");
    for (const row of rows) {
      const line = Elements.make("tr", row.className);
      const first = Elements.make("th", "", row.cells[0]);
      first.scope = "row";
      line.append(first);
      for (const cell of row.cells.slice(1)) line.append(Elements.make("td", "", cell));
      body.append(line);
    }
    table.append(body);
    return table;
  },

  /** A value, with what differs from another one in an element of its own: `del` or `ins`. */
  value(text, other, mark) {
    if (text === null || text === undefined) return Elements.make("span", "unknown", "not known");
    const code = Elements.make("code");
    if (other === null || other === undefined || text === other) {
      code.append(Elements.visible(text));
      return code;
    }
    const [start, end] = Elements.difference(text, other);
    const middle = text.slice(start, text.length - end);
    code.append(Elements.visible(text.slice(0, start)));
    if (middle) code.append(Elements.make(mark, "", Elements.visible(middle)));
    code.append(Elements.visible(text.slice(text.length - end)));
    return code;
  },

  /** How much two texts have in common at their beginning and at their end, in whole words. */
  difference(text, other) {
    const most = Math.min(text.length, other.length);
    let start = 0;
    while (start < most && text[start] === other[start]) start++;
    let end = 0;
    while (end < most - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
    const isInWord = (one) => /[\p{L}\p{N}_.]/u.test(one ?? "");
    while (start > 0 && isInWord(text[start - 1])) start--;
    while (end > 0 && isInWord(text[text.length - end])) end--;
    return [start, end];
  },

  /** Characters that turn the direction of what follows, as their numbers: nothing looks like what it is not. */
  visible(text) {
    return text.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu,
      (one) => `\\u{${one.codePointAt(0).toString(16).toUpperCase()}}`);
  },

  redacted() { return Elements.make("span", "unknown", "‹redacted›"); },

  duration(nanoseconds) {
    if (!(nanoseconds >= 0)) return "";
    if (nanoseconds < 1e3) return `${Math.round(nanoseconds)} ns`;
    if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
    if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toFixed(2)} ms`;
    if (nanoseconds < 6e10) return `${(nanoseconds / 1e9).toFixed(2)} s`;
    return `${Math.floor(nanoseconds / 6e10)} min ${Math.round((nanoseconds % 6e10) / 1e9)} s`;
  },

  /** A sign beside the word, so that no outcome is told by its colour alone. */
  outcomeSign(outcome) {
    return { committed: "✓", unchanged: "=", aborted: "⊘", failed: "✕", purged: "⌫", gone: "∅", cancelled: "⊗" }[outcome] ?? "?";
  },
};
