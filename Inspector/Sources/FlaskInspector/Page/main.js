"use strict";

/** The page as a whole: which operation is chosen, what is searched, what the keys do. */
class Page {
  static tabs = ["operation", "state", "time", "living", "faults"];
  static saved = "■ saved page";

  constructor() {
    const get = (id) => document.getElementById(id);
    this.model = new Model();
    this.tree = new Tree(this.model);
    const select = (index) => this.choose(index, { reveals: true });
    this.timeline = new Timeline(this.tree, { select: (index) => this.choose(index, {}), toggle: (i) => this.toggle(i) });
    this.panels = {
      operation: new OperationPanel(this.model, select), state: new StatePanel(this.model, select),
      time: new TimePanel(this.model, select), living: new LivingPanel(this.model),
      faults: new FaultsPanel(this.model, select),
    };
    this.travelling = new AppTravel(this.model);
    this.moment = -1;
    this.mark = -1;
    this.isFollowing = true;
    this.tab = "operation";
    this.search = new Search("");
    this.searched = 0;
    this.status = "connecting …";
    this.elements = {
      search: get("search"), found: get("found"), slider: get("moment"), when: get("when"), status: get("status"),
      mark: get("mark"), selection: get("selection"), tree: get("tree"), follow: get("follow"), theme: get("theme"), help: get("help"), export: get("export"),
    };
    this.#listen(get);
    this.#showTheme(matchMedia("(prefers-color-scheme: dark)").matches);
    Source.open({
      lines: (lines) => this.add(lines),
      state: (state) => this.setSource(state),
    });
    this.update();
  }

  #listen(get) {
    const { elements } = this;
    elements.search.addEventListener("input", () => this.setSearch(elements.search.value));
    elements.tree.addEventListener("click", () => this.setTree(!this.tree.isTree));
    elements.follow.addEventListener("click", () => this.setFollowing(!this.isFollowing));
    elements.theme.addEventListener("click", () => this.#showTheme(document.documentElement.dataset.theme !== "dark"));
    elements.slider.addEventListener("input", () => this.choose(Number(elements.slider.value), { reveals: true }));
    elements.mark.addEventListener("click", () => this.setMark());
    elements.selection.addEventListener("click", () => this.saveSelection());
    get("go").addEventListener("click", () => this.showInApp());
    get("back").addEventListener("click", () => this.travelling.back());
    get("earlier").addEventListener("click", () => this.travel(-1));
    get("later").addEventListener("click", () => this.travel(1));
    get("keys").addEventListener("click", () => this.showHelp());
    get("help-list").append(...Keys.lines.flatMap(
      ([keys, what]) => [Elements.make("dt", "", keys), Elements.make("dd", "", what)]));
    for (const name of Page.tabs) get(`tab-${name}`).addEventListener("click", () => this.setTab(name));
    new Keys(this);
  }

  // What comes in

  add(lines) {
    for (const line of lines) {
      this.model.append(line);
      if (line.t === "l") this.travelling.take(line);
    }
    this.schedule();
  }

  setSource(state) {
    this.status = {
      live: "● live", saved: Page.saved, ended: "■ recording", lost: "○ connection lost, trying again",
      gone: "○ the process has ended",
    }[state];
    if (state === "saved") {
      this.elements.export.hidden = true;
      this.elements.follow.hidden = true;
    }
    if (state === "saved" || state === "ended") this.isFollowing = false;
    if (state === "saved" || state === "ended" || state === "gone") this.travelling.end();
    if (state === "lost") this.travelling.lose();
    this.schedule();
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.update();
    });
  }

  /** Shows what is new. */
  update() {
    if (!this.search.isEmpty && this.searched < this.model.count) {
      const more = this.search.find(this.model, this.searched);
      const found = new Int32Array(this.tree.found.length + more.length);
      found.set(this.tree.found);
      found.set(more, this.tree.found.length);
      this.tree.setFound(found);
      this.searched = this.model.count;
    }
    this.tree.update();
    this.#showStatus();
    this.elements.slider.max = String(Math.max(0, this.model.count - 1));
    const newest = this.model.count - 1;
    if (newest >= 0 && (this.isFollowing || this.moment < 0)) this.#show(newest, true);
    else this.#renderPanel();
    this.panels.faults.renderTab();
    this.travelling.render();
    this.timeline.schedule();
  }

  #showStatus() {
    const { elements, model } = this;
    const parts = [this.status, `${model.count.toLocaleString("en")} operations`];
    if (model.missing > 0) parts.push(`${model.missing.toLocaleString("en")} missing`);
    elements.status.textContent = parts.join(" · ");
    document.getElementById("title").textContent = model.head?.m ?? "inspector";
    this.#showSelection();
    elements.follow.setAttribute("aria-pressed", String(this.isFollowing));
    elements.tree.setAttribute("aria-pressed", String(this.tree.isTree));
    elements.found.textContent = this.search.isEmpty ? "" : `${this.tree.found.length.toLocaleString("en")} found`;
  }

  // What is chosen

  choose(index, { reveals = false }) {
    this.isFollowing = false;
    if (reveals) this.tree.reveal(index);
    this.#show(index, true);
    this.#showStatus();
    if (this.travelling.isOn) this.showInApp();
  }

  /** Has the app itself show the chosen moment. */
  showInApp() {
    const operation = this.model.operations[this.moment];
    if (!operation) return;
    this.setFollowing(false);
    this.travelling.go(operation.n);
  }

  #show(index, scrolls) {
    this.moment = index;
    const operation = this.model.operations[index];
    this.elements.slider.value = String(index);
    const time = operation ? `#${operation.n} at +${Elements.duration(operation.s - this.model.zero)}` : "";
    this.elements.when.textContent = time;
    this.elements.slider.setAttribute("aria-valuetext", time);
    this.timeline.select(index, scrolls);
    this.#renderPanel();
  }

  travel(by) {
    const index = Math.max(0, Math.min(this.model.count - 1, this.moment + by));
    if (index >= 0 && this.model.count > 0) this.choose(index, { reveals: true });
  }

  moveRows(by) {
    const { rows, count } = this.tree;
    if (count === 0) return;
    const row = this.tree.rowOf(this.moment);
    this.choose(rows[Math.max(0, Math.min(count - 1, (row < 0 ? 0 : row + by)))], {});
  }

  toggle(index) {
    if (this.tree.setOpen(index, this.tree.collapsed.has(index))) this.timeline.schedule();
  }

  setSearch(query) {
    this.search = new Search(query);
    this.searched = this.model.count;
    this.tree.setFound(this.search.isEmpty ? null : this.search.find(this.model));
    if (!this.search.isEmpty) this.isFollowing = false;
    this.tree.update();
    this.#showStatus();
    const row = this.tree.rowOf(this.moment);
    this.timeline.scrollTo(Math.max(0, row));
    this.timeline.render();
  }

  /** Marks the chosen operation as the first of a selection; the marked one is marked no more. */
  setMark() {
    this.mark = this.mark === this.moment ? -1 : this.moment;
    this.#showSelection();
  }

  #showSelection() {
    const { mark, selection } = this.elements;
    mark.hidden = selection.hidden = this.status === Page.saved || this.model.head?.rec !== 1;
    const marked = this.model.operations[this.mark];
    mark.textContent = marked ? `Mark at #${marked.n}` : "Mark";
    mark.setAttribute("aria-pressed", String(marked !== undefined));
  }

  /** The numbers from the mark to the chosen operation; of all operations without a mark. */
  get selection() {
    const { operations, count } = this.model;
    const ends = this.mark < 0 ? [0, count - 1] : [this.mark, this.moment];
    const numbers = ends.map((index) => operations[index]?.n ?? 0);
    return [Math.min(...numbers), Math.max(...numbers)];
  }

  saveSelection() {
    if (this.elements.selection.hidden) return;
    const [from, to] = this.selection;
    const link = Elements.make("a", "");
    link.href = `selection.flask?from=${from}&to=${to}`;
    link.download = "selection.flask";
    link.click();
  }

  setTree(isTree) {
    this.tree.isTree = isTree;
    this.tree.update();
    this.#showStatus();
    this.timeline.select(this.moment, true);
  }

  setFollowing(isFollowing) {
    this.isFollowing = isFollowing;
    this.schedule();
  }

  setTab(name) {
    this.tab = name;
    for (const other of Page.tabs) {
      const tab = document.getElementById(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      document.getElementById(`panel-${other}`).hidden = other !== name;
    }
    this.#renderPanel();
  }

  #renderPanel() { this.panels[this.tab].render(this.moment); }

  #showTheme(isDark) {
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.elements.theme.textContent = isDark ? "Light" : "Dark";
  }

  showHelp() { this.elements.help.showModal(); }
}

const page = new Page();
