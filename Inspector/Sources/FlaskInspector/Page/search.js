"use strict";

/**
 * Which operations are looked for. Words and `field:value` are all to be found; a `-` before one means that it is not.
 * Fields: key, type, place, outcome, kind, value, substance, cause, by. Quotes hold a value with blanks together.
 */
class Search {
  constructor(query) {
    this.terms = Search.parse(query);
  }

  get isEmpty() { return this.terms.length === 0; }

  static parse(query) {
    const terms = [];
    for (const [, minus, field, quoted, plain] of query.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu)) {
      const name = field?.toLowerCase();
      const isField = name !== undefined && name in Search.fields;
      const value = quoted ?? plain ?? "";
      const text = (isField || name === undefined ? value : `${field}:${value}`).toLowerCase();
      if (!text) continue;
      const has = isField ? Search.fields[name](Search.#remembering(text)) : undefined;
      terms.push({ text, has, isWanted: minus === "" });
    }
    return terms;
  }

  matches(operation, text) {
    for (const term of this.terms) {
      // What is in no field is in none of them: most operations are left out by that.
      let isThere = text.includes(term.text);
      if (isThere && term.has) isThere = term.has(operation);
      if (isThere !== term.isWanted) return false;
    }
    return true;
  }

  /** The indices of what is found from `start` on, ascending. */
  find(model, start = 0) {
    const found = new Int32Array(model.count - start);
    let count = 0;
    for (let index = start; index < model.count; index++) {
      if (this.matches(model.operations[index], model.texts[index])) found[count++] = index;
    }
    return found.subarray(0, count);
  }

  /** Whether a text has a part, in whatever letters. Most texts come many times. */
  static #remembering(part) {
    const known = new Map();
    return (text) => {
      if (text === null || text === undefined) return false;
      let isThere = known.get(text);
      if (isThere === undefined) {
        isThere = text.toLowerCase().includes(part);
        if (known.size < 10_000) known.set(text, isThere);
      }
      return isThere;
    };
  }

  static #anyKey(operation, isWanted) {
    for (const change of operation.d ?? []) {
      for (const key of change.k) if (isWanted(change, key)) return true;
    }
    return false;
  }

  /** Each makes of a test of texts one of operations. */
  static fields = {
    key: (has) => (operation) => Search.#anyKey(operation, (change, [path]) => has(path) || has(`${change.s}.${path}`)),
    value: (has) => (operation) => Search.#anyKey(operation, (change, [, old, now]) => has(old) || has(now)),
    substance: (has) => (operation) => Search.#anyKey(operation, (change) => has(change.s)),
    type: (has) => (operation) => has(operation.m),
    kind: (has) => (operation) => has(operation.k),
    place: (has) => (operation) => has(operation.p),
    outcome: (has) => (operation) => has(Model.outcome(operation)),
    cause: (has) => (operation) => operation.c !== undefined && has(Model.causeTitle(operation.c)),
    by: (has) => (operation) => (operation.w ?? []).some((telling) => has(telling[0])),
  };
}
