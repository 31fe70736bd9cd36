"use strict";

/** The list of operations. Only the rows that can be seen are elements, so its length costs nothing. */
class Timeline {
  static rowHeight = 26;
  // Browsers end an element at some 30 million pixels; what lies beyond is scrolled in proportion.
  static mostPixels = 10_000_000;

  constructor(tree, { select, toggle }) {
    this.tree = tree;
    this.model = tree.model;
    this.container = document.getElementById("timeline");
    this.content = document.getElementById("rows");
    this.pool = [];
    this.selected = -1;
    this.container.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.schedule()).observe(this.container);
    this.content.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (!row) return;
      const index = Number(row.dataset.index);
      if (event.target.closest(".toggle")) toggle(index); else select(index);
    });
  }

  get #fullHeight() { return this.tree.count * Timeline.rowHeight; }
  get #height() { return Math.min(this.#fullHeight, Timeline.mostPixels); }

  /** The pixel of the whole list that is at the top. */
  get #top() {
    const room = this.#height - this.container.clientHeight;
    if (room <= 0 || this.#height === this.#fullHeight) return this.container.scrollTop;
    return this.container.scrollTop / room * (this.#fullHeight - this.container.clientHeight);
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.render();
    });
  }

  render() {
    const { rows, count } = this.tree;
    const visible = this.container.clientHeight;
    this.content.style.height = `${this.#height}px`;
    this.container.setAttribute("aria-rowcount", String(count));
    const top = this.#top;
    const first = Math.max(0, Math.floor(top / Timeline.rowHeight) - 4);
    const last = Math.min(count, Math.ceil((top + visible) / Timeline.rowHeight) + 4);
    while (this.pool.length < last - first) this.pool.push(this.#makeRow());
    const shift = this.container.scrollTop - top;
    this.pool.forEach((row, i) => {
      const place = first + i;
      const isUsed = place < last;
      row.element.hidden = !isUsed;
      if (!isUsed) return;
      row.element.style.transform = `translateY(${place * Timeline.rowHeight + shift}px)`;
      this.#fill(row, place);
    });
    const selectedRow = this.selected < 0 ? -1 : this.tree.rowOf(this.selected);
    if (selectedRow >= first && selectedRow < last) {
      this.container.setAttribute("aria-activedescendant", `row-${rows[selectedRow]}`);
    } else {
      this.container.removeAttribute("aria-activedescendant");
    }
    document.getElementById("empty").hidden = count > 0;
  }

  #makeRow() {
    const cell = (className) => {
      const span = Elements.make("span", className);
      span.setAttribute("role", "gridcell");
      return span;
    };
    const row = {
      number: cell("number"), title: cell("title"), changed: cell("changed"), outcome: cell("outcome"),
      took: cell("took"), toggle: Elements.make("span", "toggle"), name: Elements.make("span", "name"),
      indent: Elements.make("span", "indent"), bar: Elements.make("span", "bar"), time: Elements.make("span", "time"),
    };
    row.toggle.setAttribute("aria-hidden", "true");
    row.indent.setAttribute("aria-hidden", "true");
    row.title.append(row.indent, row.toggle, row.name);
    row.took.append(row.bar, row.time);
    row.element = Elements.make("div", "row", row.number, row.title, row.changed, row.outcome, row.took);
    row.element.setAttribute("role", "row");
    this.content.append(row.element);
    return row;
  }

  #fill(row, place) {
    const index = this.tree.rows[place];
    const depth = this.tree.depths[place];
    const operation = this.model.operations[index];
    const { element } = row;
    const hasChildren = this.tree.isTree && this.model.hasChildren(index);
    const isSelected = index === this.selected;
    element.id = `row-${index}`;
    element.dataset.index = index;
    element.className = `row ${operation.r}${isSelected ? " selected" : ""}`
      + (this.tree.isFound && !this.tree.isFound[index] ? " context" : "");
    element.setAttribute("aria-rowindex", String(place + 1));
    element.setAttribute("aria-level", String(depth + 1));
    element.setAttribute("aria-selected", String(isSelected));
    if (hasChildren) {
      element.setAttribute("aria-expanded", String(!this.tree.collapsed.has(index)));
    } else {
      element.removeAttribute("aria-expanded");
    }
    row.number.textContent = `#${operation.n}`;
    row.indent.textContent = depth === 0 ? "" : "│ ".repeat(Math.min(depth, 12) - 1) + "└ ";
    row.toggle.textContent = hasChildren ? (this.tree.collapsed.has(index) ? "▸" : "▾") : "";
    row.name.textContent = Elements.visible(Timeline.shortTitle(operation));
    row.name.title = Model.title(operation);
    row.changed.textContent = Timeline.changedText(operation);
    row.outcome.textContent = `${Elements.outcomeSign(operation.r)} ${Model.outcome(operation)}`;
    const took = operation.e - operation.b;
    row.time.textContent = Elements.duration(took);
    // From 1 µs to 1 s, by powers of ten.
    row.bar.style.width = `${Math.max(0, Math.min(1, (Math.log10(took + 1) - 3) / 6)) * 100}%`;
  }

  /** Without the module of the file: the whole place is in the details. */
  static shortTitle(operation) {
    return Model.title(operation.p ? { ...operation, p: operation.p.replace(/^.*\//u, "") } : operation);
  }

  static changedText(operation) {
    return (operation.d ?? []).map((change) => {
      const keys = change.k.filter(([, old], i) =>
        old !== undefined || !(change.k[i + 1]?.[0] ?? "").startsWith(`${change.k[i][0]}.`));
      const parts = keys.slice(0, 3).map(([path, old, now]) =>
        old == null || now == null ? path : `${path} ${old} → ${now}`);
      return Elements.visible(`${change.s}: ${parts.join(", ")}${keys.length > 3 ? ", …" : ""}`);
    }).join("; ");
  }

  /** Shows an operation as the chosen one, scrolled to if it is out of sight. */
  select(index, scrolls) {
    this.selected = index;
    const row = index < 0 ? -1 : this.tree.rowOf(index);
    if (scrolls && row >= 0) this.scrollTo(row);
    this.schedule();
  }

  scrollTo(row) {
    // The list may have grown since it was rendered.
    this.content.style.height = `${this.#height}px`;
    const visible = this.container.clientHeight;
    const top = this.#top;
    const start = row * Timeline.rowHeight;
    let wanted = top;
    if (start < top) wanted = start;
    if (start + Timeline.rowHeight > top + visible) wanted = start + Timeline.rowHeight - visible;
    if (wanted === top) return;
    const room = this.#fullHeight - visible;
    this.container.scrollTop = room <= 0 ? 0 : wanted / room * (this.#height - visible);
  }

  get rowsPerPage() { return Math.max(1, Math.floor(this.container.clientHeight / Timeline.rowHeight) - 1); }
}
