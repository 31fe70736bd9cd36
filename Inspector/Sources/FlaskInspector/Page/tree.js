"use strict";

/** Which operations are shown, in which order, and how deep: in the order of their numbers, or each below its cause. */
class Tree {
  constructor(model) {
    this.model = model;
    this.isTree = true;
    this.collapsed = new Set();
    /** What a search has found: ascending, and by index; `null` without one. */
    this.found = null;
    this.isFound = null;
    /** How many rows there are; their operations and depths, and the row of each operation or -1. */
    this.count = 0;
    this.rows = new Int32Array(0);
    this.depths = new Uint16Array(0);
    this.places = new Int32Array(0);
  }

  setFound(found) {
    this.found = found;
    this.isFound = found && new Uint8Array(this.model.count);
    if (found) for (const index of found) this.isFound[index] = 1;
  }

  /** Works the rows out anew. Linear in the operations. */
  update() {
    const { count } = this.model;
    if (this.rows.length < count) {
      const room = Math.max(1_024, count * 2);
      this.rows = new Int32Array(room);
      this.depths = new Uint16Array(room);
      this.places = new Int32Array(room);
    }
    this.places.fill(-1);
    this.count = 0;
    if (this.isTree) this.#flatten(); else this.#list();
  }

  #add(index, depth) {
    this.places[index] = this.count;
    this.rows[this.count] = index;
    this.depths[this.count] = depth;
    this.count += 1;
  }

  #list() {
    if (this.found) for (const index of this.found) this.#add(index, 0);
    else for (let index = 0; index < this.model.count; index++) this.#add(index, 0);
  }

  /** With a search, what is found and what caused it. */
  #shown() {
    const { parents, count } = this.model;
    if (!this.found) return null;
    const isShown = new Uint8Array(count);
    for (let index of this.found) {
      while (index >= 0 && !isShown[index]) {
        isShown[index] = 1;
        index = parents[index];
      }
    }
    return isShown;
  }

  #flatten() {
    const { parents, firstChild, nextSibling, count } = this.model;
    const isShown = this.#shown();
    for (let root = 0; root < count; root++) {
      if (parents[root] >= 0) continue;
      let index = root;
      let depth = 0;
      for (;;) {
        let next = -1;
        if (!isShown || isShown[index]) {
          this.#add(index, depth);
          if (this.collapsed.size === 0 || !this.collapsed.has(index)) next = firstChild[index];
        }
        if (next >= 0) {
          depth += 1;
          index = next;
          continue;
        }
        while (depth > 0 && nextSibling[index] < 0) {
          index = parents[index];
          depth -= 1;
        }
        if (depth === 0) break;
        index = nextSibling[index];
      }
    }
  }

  /** The row of an operation, or of what hides it; -1 if neither is shown. */
  rowOf(index) {
    for (let next = index; next >= 0; next = this.model.parents[next]) {
      if (this.places[next] >= 0) return this.places[next];
      if (!this.isTree) return -1;
    }
    return -1;
  }

  /** Makes an operation visible: opens what hides it. */
  reveal(index) {
    let isHidden = false;
    for (let next = this.model.parents[index]; next >= 0; next = this.model.parents[next]) {
      isHidden = this.collapsed.delete(next) || isHidden;
    }
    if (isHidden) this.update();
  }

  /** Opens or closes what an operation caused; tells whether that changed anything. */
  setOpen(index, isOpen) {
    if (!this.isTree || !this.model.hasChildren(index) || this.collapsed.has(index) !== isOpen) return false;
    if (isOpen) this.collapsed.delete(index); else this.collapsed.add(index);
    this.update();
    return true;
  }
}
