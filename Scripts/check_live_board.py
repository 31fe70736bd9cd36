"""Opens the board in two browsers and changes it from both: see check-live-board.sh.

    check_live_board.py PROGRAM FOLDER_FOR_SCREENSHOTS
"""

import json
import random
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import jsonpatch
from playwright.sync_api import sync_playwright

from page_checks import expect, failures, wait_for


class Reader(threading.Thread):
    """Follows the board with another implementation of JSON Patch, which also looks at the `test` operations."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.answer = urllib.request.urlopen(address + "events")
        self.state, self.version = None, -1

    def run(self):
        event = {}
        for line in self.answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                event[name] = value
                continue
            data = json.loads(event["data"])
            self.state = data if event["event"] == "state" else jsonpatch.apply_patch(self.state, data)
            self.version = int(event["id"].split("-")[1])
            event = {}


def send(address, request):
    try:
        urllib.request.urlopen(urllib.request.Request(address + "requests", json.dumps(request).encode(), method="POST"))
    except urllib.error.HTTPError as error:
        assert error.code == 409, error.code


def main():
    program = subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True)
    address = program.stdout.readline().split()[-1]
    reader = Reader(address)
    reader.start()
    errors = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        pages = [browser.new_page() for _ in range(2)]
        for page in pages:
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            page.goto(address)
            wait_for(page, "board.state?.departures.length >= 3")
        one, other = pages
        hostile = "<img src=x onerror='window.acted = 1'><script>window.acted = 2</script>"
        one.fill("[name=flight]", "XX 1")
        one.fill("[name=destination]", hostile[:60])
        one.click("#add button")
        wait_for(other, "board.state.departures.length === 4")
        expect("what one browser adds the other shows, as text", hostile[:60],
               other.locator("#departures tr:last-child td").nth(1).inner_text())
        send(address, {"announce": {"notice": hostile}})
        wait_for(one, "board.state.notice !== ''")
        expect("markup does not act", [None, None], [page.evaluate("() => window.acted ?? null") for page in pages])
        other.click("#departures tr:first-child button")
        wait_for(one, "board.state.departures[0].status === 'boarding'")
        expect("what one browser changes the other shows", "boarding", one.locator("#departures tr:first-child td").nth(3).inner_text())

        seed = int(time.time())
        print(f"  seed {seed}")
        dice = random.Random(seed)
        for number in range(500):
            flight = f"F {dice.randrange(20)}"
            send(address, dice.choice([
                {"add": {"flight": flight, "destination": f"city {number} ~ / \u2028 \"é\""}},
                {"remove": {"flight": flight}},
                {"setGate": {"flight": flight, "gate": dice.choice([None, f"A{number}"])}},
                {"setStatus": {"flight": flight, "status": dice.choice(["scheduled", "boarding", "departed", "cancelled"])}},
            ]))
        send(address, {"announce": {"notice": "the end"}})
        end = time.monotonic() + 30
        while (reader.state or {}).get("notice") != "the end":
            assert time.monotonic() < end
            time.sleep(0.02)
        for page in pages:
            wait_for(page, "board.state.notice === 'the end'")
            expect("a browser has the state that another implementation has", reader.state, page.evaluate("() => board.state"))
            expect("it got the state once", 1, page.evaluate("() => board.states"))
            boarding = sorted((d for d in reader.state["departures"] if d["status"] == "boarding"), key=lambda d: d["flight"])
            wait_for(page, f"boarding.flights.length === {len(boarding)}")
            expect("it shows the flights that board, made of changes alone", boarding, page.evaluate("() => boarding.flights"))
        expect("a new browser gets the same state", reader.state, (lambda page: (
            page.goto(address), wait_for(page, "board.state"), page.evaluate("() => board.state"))[-1])(browser.new_page()))
        one.screenshot(path=Path(sys.argv[2]) / "board.png")
        expect("no errors", [], errors)
        browser.close()
    program.terminate()
    program.wait(timeout=20)
    if failures:
        sys.exit(f"{len(failures)} checks of the board failed")
    print("The board is right.")


main()
