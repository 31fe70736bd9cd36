"use strict";

/** Applies a JSON Patch (RFC 6902) of `test`, `add`, `remove` and `replace`; throws if it does not fit. */
function applied(state, patch) {
  let document = { root: structuredClone(state) };
  for (const { op, path, value } of patch) {
    const names = ["root", ...path.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))];
    const last = names.pop();
    let parent = document;
    for (const name of names) {
      parent = parent[name];
      if (parent === undefined || parent === null) throw new Error(`nothing at ${path}`);
    }
    const isList = Array.isArray(parent);
    if (op === "test") {
      if (canonical(parent[last]) !== canonical(value)) throw new Error(`another value at ${path}`);
    } else if (op === "add" && isList) {
      parent.splice(last === "-" ? parent.length : Number(last), 0, value);
    } else if (op === "add" || op === "replace") {
      parent[last] = value;
    } else if (op === "remove" && isList) {
      parent.splice(Number(last), 1);
    } else if (op === "remove") {
      delete parent[last];
    } else {
      throw new Error(`unknown operation ${op}`);
    }
  }
  return document.root;
}

/** JSON with sorted names, so that equal values have equal texts. */
function canonical(value) {
  return JSON.stringify(value, (_, part) => part && typeof part === "object" && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part);
}

const board = { state: null, states: 0, patches: 0, events: null };

function connect() {
  board.events = new EventSource("events");
  board.events.addEventListener("open", () => tell("● live"));
  board.events.addEventListener("error", () => tell("○ connection lost, trying again"));
  board.events.addEventListener("state", (event) => {
    board.state = JSON.parse(event.data);
    board.states += 1;
    render();
  });
  board.events.addEventListener("patch", (event) => {
    try {
      board.state = applied(board.state, JSON.parse(event.data));
      board.patches += 1;
    } catch {
      // A new connection begins with the state.
      board.events.close();
      connect();
      return;
    }
    render();
  });
}

/** The flights that board: the server sends what has changed in the list, and never the list again. */
const boarding = { flights: [], changes: 0 };

function followBoarding() {
  const events = new EventSource("boarding");
  // A new connection begins with all of them.
  events.addEventListener("open", () => { boarding.flights = []; });
  events.addEventListener("changes", (event) => {
    const { removed, inserted, updated } = JSON.parse(event.data);
    for (const offset of removed) boarding.flights.splice(offset, 1);
    for (const { offset, departure } of inserted) boarding.flights.splice(offset, 0, departure);
    for (const { offset, departure } of updated) boarding.flights[offset] = departure;
    boarding.changes += 1;
    document.getElementById("boarding").textContent =
      boarding.flights.map(({ flight, gate }) => (gate ? `${flight} (${gate})` : flight)).join(", ") || "—";
  });
}

function tell(text) { document.getElementById("connection").textContent = text; }

async function send(request) {
  const answer = await fetch("requests", { method: "POST", body: JSON.stringify(request) });
  document.getElementById("refused").textContent = answer.ok ? "" : "That could not be done.";
}

function button(text, request) {
  const element = document.createElement("button");
  element.textContent = text;
  element.addEventListener("click", () => send(request));
  return element;
}

function render() {
  document.getElementById("notice").textContent = board.state.notice;
  document.getElementById("departures").replaceChildren(...board.state.departures.map(({ flight, destination, gate, status }) => {
    const row = document.createElement("tr");
    row.className = status;
    for (const text of [flight, destination, gate ?? "—", status]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    const tools = document.createElement("td");
    const next = { scheduled: "boarding", boarding: "departed" }[status];
    if (next) tools.append(button(next, { setStatus: { flight, status: next } }));
    tools.append(button("remove", { remove: { flight } }));
    row.append(tools);
    return row;
  }));
}

document.getElementById("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  send({ add: { flight: form.get("flight"), destination: form.get("destination") } });
  event.target.reset();
});
connect();
followBoarding();
