"use strict";

/** Where the time goes: by operation, by handler, by key. */
class TimePanel {
  constructor(model, select) {
    this.model = model;
    this.select = select;
    this.element = document.getElementById("panel-time");
  }

  render() {
    const tables = [
      ["By operation", "operation", this.model.byOperation, true],
      ["By handler", "handler", this.model.byHandler, false],
      ["By key (the operations that changed it)", "key", this.model.byKey, false],
    ].filter(([, , map]) => map.size > 0).map(([caption, name, map, waits]) => {
      const all = [...map.values()].sort((a, b) => b.total - a.total);
      const most = all[0].total || 1;
      const rows = all.slice(0, 200).map((row) => ({
        cells: [
          row.name, String(row.count), TimePanel.#total(row.total, most), Elements.duration(row.total / row.count),
          Elements.button(Elements.duration(row.longest), "link", () => this.select(row.at)),
          ...(waits ? [Elements.duration(row.waited / row.count)] : []),
        ],
      }));
      const headers = [name, "count", "in all", "mean", "longest", ...(waits ? ["waited, mean"] : [])];
      return Elements.table(caption, headers, rows, "time");
    });
    this.element.replaceChildren(...(tables.length ? tables : [Elements.make("p", "hint", "No operation yet.")]));
  }

  static #total(total, most) {
    const meter = Elements.make("span", "meter");
    meter.style.width = `${total / most * 100}%`;
    return Elements.make("span", "metered", meter, Elements.make("span", "", Elements.duration(total)));
  }
}

/** Locks, queue, effects and listeners, as they live. */
class LivingPanel {
  constructor(model) {
    this.model = model;
    this.element = document.getElementById("panel-living");
  }

  render() {
    const { live } = this.model;
    if (!live) {
      this.element.replaceChildren(
        Elements.make("p", "hint", "Only a running process tells what lives in it."));
      return;
    }
    const kinds = [
      ["lock", "Locks"], ["effect", "Effects"], ["reactor", "Reactors"], ["observation", "Observations"],
      ["derived", "Derived values"], ["substance", "Substances"],
    ];
    const children = [
      Elements.make("p", "queue", Elements.make("strong", "", String(live.q)),
        live.q === 1 ? " operation waits in the queue" : " operations wait in the queue"),
    ];
    for (const [kind, title] of kinds) {
      const entries = live.l.filter((entry) => entry[0] === kind);
      const rows = entries.slice(0, 500).map(([, name, place, age, holder]) => ({
        cells: [name || place || "—", holder ?? "", name ? place ?? "" : "", Elements.duration(age)],
      }));
      if (rows.length === 0) children.push(Elements.make("p", "none", `${title}: none`));
      else children.push(Elements.table(`${title} (${entries.length})`, ["what", "held by", "made at", "age"], rows, "living"));
    }
    this.element.replaceChildren(...children);
  }
}

/** What was reported as a fault. */
class FaultsPanel {
  constructor(model, select) {
    this.model = model;
    this.select = select;
    this.element = document.getElementById("panel-faults");
    this.tab = document.getElementById("tab-faults");
  }

  renderTab() {
    const { length } = this.model.faults;
    this.tab.textContent = length === 0 ? "Faults" : `Faults (${length})`;
    this.tab.classList.toggle("alert", length > 0);
  }

  render() {
    const { faults } = this.model;
    if (faults.length === 0) {
      this.element.replaceChildren(Elements.make("p", "hint", "No fault."));
      return;
    }
    this.element.replaceChildren(...faults.slice(-500).reverse().map((fault) => {
      const item = Elements.make("article", "fault",
        Elements.make("h3", "", `⚠ ${fault.k}`),
        Elements.make("p", "", fault.m),
        Elements.make("p", "place", fault.p));
      if (this.model.operations[fault.after]) {
        item.append(Elements.button(
          `after #${this.model.operations[fault.after].n}`, "link", () => this.select(fault.after)));
      }
      return item;
    }));
  }
}
