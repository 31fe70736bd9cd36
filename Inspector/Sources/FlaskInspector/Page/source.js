"use strict";

/** Where the lines come from: this file, if they were saved in it, else the server, as they come. */
const Source = {
  open(handlers) {
    const recorded = document.getElementById("recorded");
    if (recorded) {
      handlers.lines(JSON.parse(recorded.textContent));
      recorded.remove();
      handlers.state("saved");
      return;
    }
    const events = new EventSource("events");
    events.addEventListener("open", () => handlers.state("live"));
    events.addEventListener("lines", (event) => handlers.lines(JSON.parse(event.data)));
    events.addEventListener("end", () => {
      events.close();
      handlers.state("ended");
    });
    // The browser tries again by itself, and says what it has.
    events.addEventListener("error", () => handlers.state(events.readyState === EventSource.CLOSED ? "gone" : "lost"));
  },
};
