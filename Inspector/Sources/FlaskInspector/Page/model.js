"use strict";

/** What the page knows: the operations that were read, indexed as they come. An operation's index is its place here. */
class Model {
  constructor() {
    this.operations = [];
    this.texts = [];
    this.indices = new Map();
    this.parents = [];
    // A list of what each one caused: its first, and from each to the next; -1 at the end.
    this.firstChild = [];
    this.lastChild = [];
    this.nextSibling = [];
    this.substances = new Map();
    this.faults = [];
    // The numbers of operations that are not shown on purpose.
    this.leftOut = [];
    this.live = null;
    this.head = null;
    this.zero = null;
    this.byOperation = new Map();
    this.byHandler = new Map();
    this.byKey = new Map();
  }

  get count() { return this.operations.length; }

  /** Adds one line: an operation, a fault, a state at the beginning, what lives, or the head. */
  append(line) {
    switch (line.t) {
      case "o": this.#appendOperation(line); break;
      case "f": this.faults.push({ ...line, after: this.count - 1 }); break;
      case "s": this.#appendState(line); break;
      case "x": this.leftOut.push(line.n); break;
      case "l": this.live = line; break;
      case "h": this.head = line; break;
    }
  }

  #appendOperation(operation) {
    const index = this.operations.length;
    operation.s ??= operation.b;
    this.zero ??= operation.s;
    this.operations.push(operation);
    this.indices.set(operation.n, index);
    this.texts.push(Model.searchText(operation));
    const parent = operation.c?.n === undefined ? undefined : this.indices.get(operation.c.n);
    this.parents.push(parent ?? -1);
    this.firstChild.push(-1);
    this.lastChild.push(-1);
    this.nextSibling.push(-1);
    if (parent !== undefined) {
      if (this.firstChild[parent] < 0) this.firstChild[parent] = index;
      else this.nextSibling[this.lastChild[parent]] = index;
      this.lastChild[parent] = index;
    }
    for (const change of operation.d ?? []) {
      const keys = this.#substance(change.s, change.v === 1);
      for (const [path, old, now, isRedacted] of change.k) {
        const history = Model.#entry(keys, path, () => ({ initial: undefined, at: [], values: [], isRedacted: false }));
        history.at.push(index);
        history.values.push([old, now]);
        if (isRedacted) history.isRedacted = true;
      }
    }
    this.#count(operation, index);
  }

  #appendState(line) {
    const keys = this.#substance(line.s, false);
    for (const [path, value, isRedacted] of line.k) {
      const history = Model.#entry(keys, path, () => ({ initial: value, at: [], values: [], isRedacted: false }));
      history.initial = value;
      if (isRedacted) history.isRedacted = true;
    }
  }

  #substance(name, isDerived) {
    return Model.#entry(this.substances, name, () => ({ isDerived, keys: new Map() })).keys;
  }

  static #entry(map, key, make) {
    let value = map.get(key);
    if (value === undefined) map.set(key, value = make());
    return value;
  }

  hasChildren(index) { return this.firstChild[index] >= 0; }

  /** What an operation caused, at most `limit` of it, and how many there are. */
  childrenOf(index, limit) {
    const some = [];
    let count = 0;
    for (let child = this.firstChild[index]; child >= 0; child = this.nextSibling[child]) {
      if (some.length < limit) some.push(child);
      count += 1;
    }
    return { some, count };
  }

  /** How many operations are missing among those that were read. */
  get missing() {
    if (this.count === 0) return 0;
    const [first, last] = [this.operations[0].n, this.operations[this.count - 1].n];
    const leftOut = this.leftOut.filter((number) => number > first && number < last).length;
    return Math.max(0, last - first + 1 - this.count - leftOut);
  }

  // Time spent

  #count(operation, index) {
    const took = operation.e - operation.b;
    Model.#add(this.byOperation, Model.title(operation), took, index, operation.b - operation.s);
    for (const [owner, substance, key, nanoseconds] of operation.w ?? []) {
      const over = substance + (key ? `.${key}` : "");
      Model.#add(this.byHandler, owner ? `${owner} over ${over}` : `observer of ${over}`, nanoseconds, index, 0);
    }
    for (const change of operation.d ?? []) {
      for (const [path] of change.k) Model.#add(this.byKey, `${change.s}.${path}`, took, index, 0);
    }
  }

  static #add(map, name, took, index, waited) {
    const row = Model.#entry(map, name, () => ({ name, count: 0, total: 0, longest: -1, at: index, waited: 0 }));
    row.count += 1;
    row.total += took;
    row.waited += waited;
    if (took > row.longest) {
      row.longest = took;
      row.at = index;
    }
  }

  // States

  /** The value of a key after an operation; `isKnown` is false if nothing tells. */
  valueAt(history, index) {
    const next = Model.firstAfter(history.at, index);
    if (next > 0) return { value: history.values[next - 1][1], at: history.at[next - 1], isKnown: true };
    // As it was before the first change that is known.
    if (next < history.at.length) return { value: history.values[next][0], at: -1, isKnown: true };
    return { value: history.initial, at: -1, isKnown: history.initial !== undefined };
  }

  /** The value before an operation. */
  valueBefore(history, index) { return this.valueAt(history, index - 1); }

  /** How many of some ascending numbers are at most `index`. */
  static firstAfter(numbers, index) {
    let low = 0;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle] <= index) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Words

  static title(operation) {
    const what = { refresh: "derived value", arrival: "arrival from an archive" }[operation.k] ?? operation.k;
    return what + (operation.m ? ` ${operation.m}` : "") + (operation.p ? ` at ${operation.p}` : "");
  }

  static causeTitle(cause) {
    const place = cause.p ? ` at ${cause.p}` : "";
    switch (cause.w) {
      case "reaction": return `in a reaction of ${cause.o}`;
      case "observer": return "in an observer";
      case "effect": return `in an effect of ${cause.o}${place}`;
      case "lock": return `under a lock${place}`;
      case "operation": return "inside";
      // The page may be older than the recording.
      default: return `inside: ${cause.w}`;
    }
  }

  static outcome(operation) { return operation.x ? `failed(${operation.x})` : operation.r; }

  /** All that a search for words looks through, in small letters. */
  static searchText(operation) {
    const parts = [`#${operation.n}`, Model.title(operation), Model.outcome(operation)];
    if (operation.c) parts.push(Model.causeTitle(operation.c));
    for (const change of operation.d ?? []) {
      for (const [path, old, now] of change.k) {
        parts.push(`${change.s}.${path}`);
        if (old != null) parts.push(old);
        if (now != null) parts.push(now);
      }
    }
    for (const telling of operation.w ?? []) if (telling[0]) parts.push(telling[0]);
    return parts.join("\n").toLowerCase();
  }
}
