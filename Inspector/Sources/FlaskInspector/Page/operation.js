"use strict";

/** One operation: what it was, why it came, what it changed, who was told, what it caused. */
class OperationPanel {
  constructor(model, select) {
    this.model = model;
    this.select = select;
    this.element = document.getElementById("panel-operation");
  }

  render(index) {
    const operation = this.model.operations[index];
    if (!operation) {
      this.element.replaceChildren(Elements.make("p", "hint", "Choose an operation."));
      return;
    }
    this.element.replaceChildren(
      Elements.make("h2", "", `#${operation.n} ${Model.title(operation)}`),
      Elements.make("p", `outcome ${operation.r}`,
        `${Elements.outcomeSign(operation.r)} ${Model.outcome(operation)}`
        + (operation.i ? `, on ${operation.i}` : "")),
      this.#times(operation),
      ...(operation.a ? [Elements.make("h3", "", "Action"), Elements.value(operation.a)] : []),
      ...this.#causes(index),
      ...this.#changes(operation),
      ...this.#told(operation),
      ...this.#caused(index));
  }

  #times(operation) {
    const list = Elements.make("dl", "times");
    const add = (name, value) => list.append(
      Elements.make("div", "", Elements.make("dt", "", name), Elements.make("dd", "", value)));
    add("submitted", `+${Elements.duration(operation.s - this.model.zero)}`);
    add("waited", Elements.duration(operation.b - operation.s));
    add("took", Elements.duration(operation.e - operation.b));
    return list;
  }

  #link(index) {
    const operation = this.model.operations[index];
    return Elements.button(`#${operation.n} ${Model.title(operation)}`, "link", () => this.select(index));
  }

  #causes(index) {
    let operation = this.model.operations[index];
    if (!operation.c) return [Elements.make("h3", "", "Cause"), Elements.make("p", "", "Nothing that the flux knows of.")];
    const list = Elements.make("ol", "causes");
    while (operation?.c) {
      const { c: cause } = operation;
      const parent = cause.n === undefined ? undefined : this.model.indices.get(cause.n);
      const item = Elements.make("li", "", `${Model.causeTitle(cause)}`);
      if (parent !== undefined) item.append(", ", this.#link(parent));
      else if (cause.n !== undefined) item.append(`, operation #${cause.n}, which is not kept any more`);
      list.append(item);
      operation = parent === undefined ? undefined : this.model.operations[parent];
    }
    return [Elements.make("h3", "", "Cause"), list];
  }

  #changes(operation) {
    if (!operation.d) return [];
    return operation.d.map((change) => {
      const rows = change.k.map(([path, old, now, isRedacted]) => ({
        cells: isRedacted
          ? [path, Elements.redacted(), Elements.redacted()]
          : [path,
            old === undefined ? "" : Elements.value(old, now, "del"),
            now === undefined ? "" : Elements.value(now, old, "ins")],
      }));
      return Elements.table(
        `${change.s}${change.v ? " (derived)" : ""}`, ["key", "before", "after"], rows, "changes");
    });
  }

  #told(operation) {
    if (!operation.w) return [];
    const rows = operation.w.map(([owner, substance, key, took, isLater]) => ({
      cells: [
        owner ?? "observer", substance + (key ? `.${key}` : ""),
        isLater ? "on its own isolation, later" : Elements.duration(took),
      ],
    }));
    return [Elements.table("Told", ["who", "of", "took"], rows)];
  }

  #caused(index) {
    if (!this.model.hasChildren(index)) return [];
    const { some, count } = this.model.childrenOf(index, 100);
    const list = Elements.make("ul", "causes");
    for (const child of some) list.append(Elements.make("li", "", this.#link(child)));
    if (count > some.length) list.append(Elements.make("li", "", `and ${count - some.length} more`));
    return [Elements.make("h3", "", "Caused"), list];
  }
}
