"use strict";

/** The states at a moment: before the chosen operation and after it, side by side. */
class StatePanel {
  constructor(model, select) {
    this.model = model;
    this.select = select;
    this.element = document.getElementById("panel-state");
  }

  render(index) {
    if (this.model.substances.size === 0) {
      this.element.replaceChildren(Elements.make("p", "hint", "Nothing has changed yet."));
      return;
    }
    const children = [];
    for (const [name, substance] of this.model.substances) {
      const rows = [];
      for (const [path, history] of substance.keys) {
        if (!StatePanel.#isLeaf(path, substance.keys)) continue;
        rows.push(this.#row(path, history, index));
      }
      const table = Elements.table(
        `${name}${substance.isDerived ? " (derived)" : ""}`, ["key", "before", "after", "last changed"], rows, "state");
      table.dataset.substance = name;
      children.push(table);
    }
    this.element.replaceChildren(...children);
  }

  /** A key with keys below it has no value of its own. */
  static #isLeaf(path, keys) {
    const history = keys.get(path);
    if (history.initial !== undefined) return true;
    if (history.values.some(([old, now]) => old != null || now != null)) return true;
    return ![...keys.keys()].some((other) => other.startsWith(`${path}.`));
  }

  #row(path, history, index) {
    const before = this.model.valueBefore(history, index);
    const after = this.model.valueAt(history, index);
    const isChanged = after.at === index && index >= 0;
    const last = after.at < 0 ? "" : Elements.button(
      `#${this.model.operations[after.at].n}`, "link", () => this.select(after.at));
    return {
      className: isChanged ? "is-changed" : "",
      cells: [
        isChanged ? Elements.make("span", "", Elements.make("span", "mark", "● "), path) : path,
        StatePanel.#cell(history, before, after, "del"),
        StatePanel.#cell(history, after, before, "ins"),
        last,
      ],
    };
  }

  static #cell(history, value, other, mark) {
    if (history.isRedacted) return Elements.redacted();
    return Elements.value(value.isKnown ? value.value : null, other.isKnown ? other.value : null, mark);
  }
}
