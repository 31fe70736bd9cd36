"use strict";

/** What the keys do, so that everything can be reached without a mouse. */
class Keys {
  static lines = [
    ["/", "search"], ["Escape", "clear the search, back to the list"],
    ["↑ ↓ Page Up, Page Down, Home, End", "choose an operation"],
    ["→ ←", "open and close what an operation caused; ← again goes to its cause"],
    ["c", "go to the cause"], [", .", "one operation earlier, later"], ["1 … 5", "operation, state, time, living, faults"],
    ["t", "tree or order"], ["f", "follow what comes"], ["s", "save the page"], ["m", "mark where a selection begins"],
    ["g", "have the app show this moment"], ["b", "bring the app back to the present"], ["d", "dark or light"], ["?", "these keys"],
  ];

  constructor(page) {
    this.page = page;
    document.addEventListener("keydown", (event) => this.#take(event));
  }

  #take(event) {
    const { page } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || page.elements.help.open) return;
    const isSearch = event.target === page.elements.search;
    if (event.key === "Escape" && isSearch) {
      page.elements.search.value = "";
      page.setSearch("");
      page.timeline.container.focus();
      return;
    }
    if (isSearch && event.key !== "Enter" && event.key !== "ArrowDown") return;
    if (isSearch) {
      if (page.tree.found?.length > 0) page.choose(page.tree.found[0], { reveals: true });
      page.timeline.container.focus();
      event.preventDefault();
      return;
    }
    const isTab = event.target.getAttribute?.("role") === "tab";
    if (isTab && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const step = event.key === "ArrowRight" ? 1 : Page.tabs.length - 1;
      page.setTab(Page.tabs[(Page.tabs.indexOf(page.tab) + step) % Page.tabs.length]);
      document.getElementById(`tab-${page.tab}`).focus();
      event.preventDefault();
      return;
    }
    const action = this.#listKey(event) ?? this.#pageKey(event.key);
    if (!action) return;
    action();
    event.preventDefault();
  }

  /** The keys of the list, if it has the focus. */
  #listKey(event) {
    const { page } = this;
    if (event.target !== page.timeline.container) return undefined;
    const cause = page.model.parents[page.moment] ?? -1;
    return {
      ArrowUp: () => page.moveRows(-1),
      ArrowDown: () => page.moveRows(1),
      PageUp: () => page.moveRows(-page.timeline.rowsPerPage),
      PageDown: () => page.moveRows(page.timeline.rowsPerPage),
      Home: () => page.moveRows(-Infinity),
      End: () => page.moveRows(Infinity),
      ArrowRight: () => { if (page.tree.setOpen(page.moment, true)) page.timeline.schedule(); },
      ArrowLeft: () => {
        if (page.tree.setOpen(page.moment, false)) page.timeline.schedule();
        else if (cause >= 0) page.choose(cause, { reveals: true });
      },
    }[event.key];
  }

  #pageKey(key) {
    const { page } = this;
    const number = "12345".indexOf(key);
    if (key.length === 1 && number >= 0) return () => page.setTab(Page.tabs[number]);
    return {
      "/": () => page.elements.search.focus(),
      c: () => {
        const cause = page.model.parents[page.moment] ?? -1;
        if (cause >= 0) page.choose(cause, { reveals: true });
      },
      ",": () => page.travel(-1),
      ".": () => page.travel(1),
      t: () => page.setTree(!page.tree.isTree),
      f: () => page.setFollowing(!page.isFollowing),
      g: () => page.showInApp(),
      b: () => { if (page.travelling.isOn) page.travelling.back(); },
      m: () => { if (!page.elements.mark.hidden) page.setMark(); },
      s: () => { if (!page.elements.export.hidden) page.elements.export.click(); },
      d: () => page.elements.theme.click(),
      "?": () => page.showHelp(),
    }[key];
  }
}
