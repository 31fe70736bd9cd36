"use strict";

/** Sends the app itself into the past, and brings it back. Of several moments that are asked for quickly the last counts. */
class AppTravel {
  constructor(model) {
    const get = (id) => document.getElementById(id);
    this.model = model;
    // The number of the operation after which the app shows; undefined in the present.
    this.moment = undefined;
    // How often the process has changed what the app shows, as far as is known.
    this.version = 0;
    this.wanted = undefined;
    this.isAsking = false;
    this.error = "";
    this.elements = {
      go: get("go"), back: get("back"), banner: get("past"), text: get("past-text"), error: get("past-error"),
    };
  }

  /** Whether the app can be sent anywhere. */
  get isPossible() { return this.model.head?.tr === 1 && !this.isGone; }

  get isOn() { return this.moment !== undefined; }

  /** Takes what the process says of itself, unless it said so before what is known already. */
  take({ n, v = 0 }) {
    if (v < this.version) return;
    this.version = v;
    this.moment = n;
  }

  /** The process, or the connection to it, has gone: nothing can be asked for any more. */
  end() {
    this.isGone = true;
    this.moment = undefined;
    this.render();
  }

  /** The connection is lost: what the app shows is not known until the process says so again. */
  lose() { this.moment = undefined; }

  /** Has the app show what it showed after an operation. */
  go(number) { return this.#ask(`travel?to=${number}`); }

  /** Has the app show the present, and go on. */
  back() { return this.#ask("present"); }

  async #ask(path) {
    if (!this.isPossible) return;
    this.wanted = path;
    if (this.isAsking) return;
    this.isAsking = true;
    this.render();
    while (this.wanted) {
      const wanted = this.wanted;
      this.wanted = undefined;
      try {
        const answer = await fetch(wanted, { method: "POST" });
        if (answer.ok) this.take(await answer.json());
        this.error = answer.ok ? "" : await answer.text() || answer.statusText || "it failed";
      } catch {
        this.error = "the process does not answer";
      }
    }
    this.isAsking = false;
    this.render();
  }

  render() {
    const { go, banner, text, error } = this.elements;
    const waiting = this.model.live?.q ?? 0;
    go.hidden = !this.isPossible;
    go.setAttribute("aria-pressed", String(this.isOn));
    banner.hidden = !this.isOn && !this.isAsking && !this.error;
    this.elements.back.hidden = !this.isOn;
    const wait = waiting === 0 ? "" : waiting === 1 ? ", and 1 operation waits" : `, and ${waiting} operations wait`;
    const asking = this.isAsking ? "Asking the app …" : "";
    AppTravel.#set(text, this.isOn ? `The app shows the state after #${this.moment}. It stands still${wait}.` : asking);
    AppTravel.#set(error, this.error ? `The app can't show it: ${this.error}.` : "");
  }

  /** Sets a text that is read out when it changes. */
  static #set(element, text) { if (element.textContent !== text) element.textContent = text; }
}
