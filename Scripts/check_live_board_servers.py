"""Two servers of the board with one database, behind a balancer, a browser at each: see check-live-board.sh.

    check_live_board_servers.py PROGRAM FOLDER
"""

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from page_checks import expect, failures, wait_for
from postgres_server import PostgresServer


class Balancer(threading.Thread):
    """Gives each connection to the next server that can be reached."""

    def __init__(self, ports):
        super().__init__(daemon=True)
        self.ports, self.turn = ports, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def run(self):
        while True:
            client, _ = self.listener.accept()
            for _ in self.ports:
                self.turn += 1
                try:
                    server = socket.create_connection(("127.0.0.1", self.ports[self.turn % len(self.ports)]))
                    break
                except OSError:
                    server = None
            if server is None:
                client.close()
                continue
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=(one, other), daemon=True).start()

    @staticmethod
    def forward(one, other):
        try:
            while data := one.recv(65_536):
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def serve(program, database):
    process = subprocess.Popen([program, "0", database.url], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split()[-1]


def post(address, request):
    """The status of the answer; 0 if there is none."""
    try:
        body = json.dumps(request).encode()
        return urllib.request.urlopen(urllib.request.Request(address + "requests", body, method="POST"), timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def load(address, name, acknowledged):
    for number in range(45):
        flight = f"{name} {number}"
        # A request without an answer is sent once more. It may have been performed: then it is refused.
        for _ in range(5):
            status = post(address, {"add": {"flight": flight, "destination": "Somewhere"}})
            if status == 204:
                acknowledged.append(flight)
            if status in (204, 409):
                break
            time.sleep(0.1)


def main():
    database = PostgresServer(sys.argv[2])
    servers = [serve(sys.argv[1], database) for _ in range(2)]
    try:
        check(database, servers)
    finally:
        for process, _ in servers:
            process.kill()
        database.stop()
    if failures:
        sys.exit(f"{len(failures)} checks of two servers failed")
    print("Two servers show one board.")


def check(database, servers):
    errors = []
    addresses = [address for _, address in servers]
    balancer = Balancer([int(address.rstrip("/").split(":")[-1]) for address in addresses])
    balancer.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        one, other = [browser.new_page() for _ in range(2)]
        for page, address in zip((one, other), addresses):
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(address)
            wait_for(page, "board.state?.departures.length >= 3")
        one.fill("[name=flight]", "XX 1")
        one.fill("[name=destination]", "Somewhere")
        one.click("#add button")
        wait_for(other, "board.state.departures.some((d) => d.flight === 'XX 1')")
        other.click("#departures tr:first-child button")
        wait_for(one, "board.state.departures[0].status === 'boarding'")
        expect("a browser at each server sees a change at either", True, True)

        acknowledged = []
        clients = [threading.Thread(target=load, args=(balancer.address, name, acknowledged)) for name in "ABCDEFGH"]
        for client in clients:
            client.start()
        while len(acknowledged) < 120:
            time.sleep(0.01)
        servers[1][0].kill()
        print(f"  a server is killed after {len(acknowledged)} answers")
        for client in clients:
            client.join()
        expect("the other server answers everything", True, len(acknowledged) > 300)
        servers.append(serve(sys.argv[1], database))
        new = browser.new_page()
        new.goto(servers[2][1])
        wait_for(new, "board.state")
        for page in (one, new):
            wait_for(page, f"board.state.departures.length >= {len(acknowledged)}")
            flights = {departure["flight"] for departure in page.evaluate("() => board.state.departures")}
            expect(f"of {len(acknowledged)} acknowledged changes none is lost", [], sorted(set(acknowledged) - flights))
        expect("both have one board", one.evaluate("() => board.state"), new.evaluate("() => board.state"))
        expect("no errors", [], errors)
        new.screenshot(path=Path(sys.argv[2]) / "board.png")
        browser.close()


main()
