"""Looks at the inspector's page as somebody would who uses it: see check-inspector.sh.

    check_inspector.py FOLDER_OF_THE_PROGRAMS FOLDER_FOR_SCREENSHOTS RECORDING_OF_THE_SAMPLE

The recording is one of the sample's first 20 flights.
"""

import contextlib
import json
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path

import jsonpatch
from playwright.sync_api import sync_playwright

from page_checks import expect, failures

PROGRAMS, PICTURES, SAMPLE = map(Path, sys.argv[1:4])
SCRATCH = PICTURES / "scratch"
# Of the second table of figures: what a person feels as at once.
SEARCH_LIMIT = 100


class Program:
    """A program that writes the address of its page first."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = self.process.stdout.readline().split()[-1]

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def do(self, command):
        assert self.ask(command) == "done", command

    def end(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(timeout=20)


def wait_for(page, expression, seconds=60):
    """Waits until something holds, and the page shows what it knows: that is with the next picture."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"() => ({expression}) && !page.isScheduled && !page.timeline.isScheduled"):
        assert time.monotonic() < end, f"never came: {expression}"
        time.sleep(0.02)


class Watched:
    """A page of which every error and every request is noted."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(viewport={"width": 1400, "height": 860}, **options)
        self.page = self.context.new_page()
        self.errors, self.requests = [], []
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.errors.append(f"dialog {dialog.message}"))

    def open(self, address, operations):
        self.page.goto(address)
        wait_for(self.page, f"page.model.count >= {operations}")
        return self.page


# A recording, made without Flask, by the description of the format


def recording(path, count, second_part=None):
    """Two substances, actions with effects; returns the states after each operation. From that operation on in a second part."""
    states = {1: {"total": 0, "items": [], "user": {"name": "nobody"}}, 2: {"text": ""}}
    checksum = 0
    all_states = []
    names = {1: "cart", 2: "note"}
    with contextlib.ExitStack() as files:

        def begin(part):
            nonlocal checksum, file
            if part > 1:
                file.close()
                path.rename(f"{path}.previous")
            file, checksum = files.enter_context(open(path, "wb")), 0
            write({"line": "header", "format": "flask-recording", "version": 1, "part": part, "began": "2026-11-21T23:37:27Z", "clock": 5})
            for number, state in states.items():
                write({"line": "substance", "substance": number, "name": names[number], "isNamed": True, "type": "Shop.State",
                       "place": "Shop/Shop.swift:1", "state": state})

        def write(line):
            nonlocal checksum
            body = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
            checksum = zlib.crc32(body, checksum)
            file.write(body + f',"crc":"{checksum:08x}"}}\n'.encode())

        file = None
        begin(1)
        for number in range(1, count + 1):
            if number == second_part:
                begin(2)
            begun = number * 1_000_000
            line = {"line": "operation", "number": number, "kind": "mix", "place": f"Shop/Cart.swift:{number % 40}",
                    "submitted": begun, "begun": begun + 100, "ended": begun + 1_000 + number % 5_000,
                    "isolation": "mainActor", "outcome": "committed"}
            substance, old = 1, states[1]
            if number % 10 == 1:
                line |= {"kind": "action", "name": "AddItem", "action": {"type": "Shop.AddItem", "value": {"name": f"item {number}"}}}
                if len(old["items"]) < 5:
                    patch = [{"op": "add", "path": f"/items/{len(old['items'])}", "value": {"name": f"item {number}", "count": 1}}]
                else:
                    patch = [{"op": "remove", "path": "/items/0", "old": old["items"][0]}]
                keys = ["items"]
            elif number % 10 == 5:
                line |= {"outcome": "failed", "error": "Refused"}
                patch, keys = [], []
            elif number % 10 == 7:
                substance = 2
                patch = [{"op": "replace", "path": "/text", "old": states[2]["text"], "value": f"text {number} <b>bold</b>"}]
                keys = ["text"]
            elif number % 10 == 9:
                patch = [{"op": "replace", "path": "/user/name", "old": old["user"]["name"], "value": f"user {number}"}]
                keys = ["user", "user.name"]
            else:
                patch = [{"op": "replace", "path": "/total", "old": old["total"], "value": number}]
                keys = ["total"]
            if number % 10 in (2, 3):
                line["cause"] = {"operation": number - 1, "way": "effect", "of": "Prices", "place": "Shop/Prices.swift:7"}
            elif number % 10 == 4:
                line["cause"] = {"operation": number - 1, "way": "reaction", "of": "CartView"}
            if patch:
                line["changes"] = [{"substance": substance, "keys": keys, "patch": patch}]
                line["told"] = [{"reactor": "CartView", "substance": substance, "nanoseconds": 500, "isLater": False}]
                states[substance] = jsonpatch.apply_patch(states[substance], patch)
            if count <= 10_000:
                all_states.append(dict(states))
            write(line)
        write({"line": "end", "last": count})
    return all_states


def lines_of(data):
    """The lines of a recording, each with the right checksum."""
    checksum, lines = 0, []
    for line in data.split(b"\n")[:-1]:
        body, seal = line[:-18], line[-18:]
        checksum = zlib.crc32(body, checksum)
        assert seal == f',"crc":"{checksum:08x}"}}'.encode(), f"checksum of line {len(lines) + 1}"
        lines.append(json.loads(line))
    return lines


# What is checked


def check_live(browser):
    print("== A running process")
    program = Program(PROGRAMS / "inspector-check")
    program.do("tour")
    watched = Watched(browser)
    page = watched.open(program.address, 30)
    page.bring_to_front()

    expect("what caused what is a tree", [["AddItem", 0], ["ItemPriced", 1], [None, 2]], page.evaluate(
        "() => [1, 2, 3].map((row) => [page.model.operations[page.tree.rows[row]].m ?? null, page.tree.depths[row]])"))
    expect("rows are as many as can be seen", True, page.locator(".row:visible").count() < 60)
    program.do("send honey")
    wait_for(page, "page.model.operations.at(-1).d?.[0].s === 'session' && page.model.count >= 33")
    wait_for(page, "page.moment === page.model.count - 1")
    page.screenshot(path=PICTURES / "live-light.png")

    page.keyboard.press("/")
    page.keyboard.type("type:AddItem")
    expect("a search finds", "5 found", page.locator("#found").inner_text())
    page.keyboard.press("Enter")
    expect("Enter chooses the first that was found", "#2 action AddItem", page.locator("#panel-operation h2").inner_text()[:17])
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    expect("Home chooses the first", 0, page.evaluate("() => page.moment"))
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect("arrows choose", 3, page.evaluate("() => page.moment"))
    expect("the cause is told", "in a reaction of CartView, #3 action ItemPriced",
           page.locator("#panel-operation .causes li").first.inner_text())
    page.keyboard.press("c")
    expect("c goes to the cause", 2, page.evaluate("() => page.moment"))
    page.keyboard.press("c")
    page.keyboard.press("ArrowLeft")
    wait_for(page, "document.getElementById('row-1').getAttribute('aria-expanded') === 'false'")
    expect("what an operation caused can be closed", 0, page.locator("#row-2:visible").count())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    expect("the state before and after, marked", ["● items", "[]", '[Item(name: "tea", count: 1)]'],
           page.locator("tr.is-changed").locator("th, td").all_inner_texts()[:3])
    expect("a secret is not there", ["card.number", "‹redacted›", "‹redacted›"],
           page.locator("table[data-substance=session] tbody tr:last-child").locator("th, td").all_inner_texts()[:3])
    page.keyboard.press(".")
    expect(". goes one operation on", "#3", page.locator("#when").inner_text()[:2])
    page.locator("#moment").focus()
    page.keyboard.press("End")
    expect("the slider travels", True, page.evaluate("() => page.moment === page.model.count - 1"))

    program.do("lock")
    program.do("send late")
    page.keyboard.press("4")
    wait_for(page, "page.model.live?.q === 1")
    living = page.locator("#panel-living").inner_text()
    for text in ["1 operation waits", "Locks (1)", "InspectorCheck.swift:", "Reactors (1)", "CartView", "Substances (2)"]:
        expect(f"what lives: {text}", True, text in living)
    page.keyboard.press("d")
    page.screenshot(path=PICTURES / "living-dark.png")
    program.do("unlock")
    wait_for(page, "page.model.live?.q === 0")
    page.keyboard.press("5")
    expect("a fault is told", "⚠ nothingToDetach", page.locator("#panel-faults h3").first.inner_text())
    page.keyboard.press("3")
    expect("time by operation, handler and key", ["By operation", "By handler", "By key (the operations that changed it)"],
           page.locator("#panel-time caption").all_inner_texts())
    page.keyboard.press("?")
    expect("? tells the keys", True, page.locator("#help").is_visible())
    page.keyboard.press("Escape")

    print("== Texts that look like markup")
    page.keyboard.press("1")
    for index in range(17, 30):
        page.evaluate(f"() => page.choose({index}, {{ reveals: true }})")
        page.keyboard.press("2" if index % 2 else "1")
    page.wait_for_timeout(200)
    shown = page.evaluate("() => page.model.operations.slice(17, 30).map((operation) => operation.d[0].k[0][2])")
    expect("they are told as they are", True, '"<script>window.acted = 1</script>"' in shown)
    expect("none of them acted", None, page.evaluate("() => window.acted ?? null"))
    expect("none of them is an element", 0, page.locator("main img, main svg, main iframe, main script, main style, main meta").count())
    expect("a turned direction is written out", True, page.evaluate(
        "() => { page.choose(page.model.operations.findIndex((one) => one.d?.[0].k[0][2]?.includes('desrever')), {});"
        " return document.getElementById('panel-operation').innerText.includes('\\\\u{202E}'); }"))
    with page.expect_download() as download:
        page.evaluate("() => page.setTab('operation')")
        page.locator("#timeline").focus()
        page.keyboard.press("s")
    saved = SCRATCH / "saved.html"
    download.value.save_as(saved)
    expect("nothing was asked for but the page itself", [],
           [url for url in watched.requests if not url.startswith((program.address, "data:", "blob:"))])
    expect("no errors", [], watched.errors)

    print("== The saved page")
    alone = Watched(browser, offline=True, color_scheme="dark")
    page = alone.open(f"file://{saved}", 30)
    expect("it says what it is", True, page.locator("#status").inner_text().startswith("■ saved page"))
    expect("it is dark where the system is", "dark", page.evaluate("() => document.documentElement.dataset.theme"))
    page.keyboard.press("/")
    page.keyboard.type("outcome:failed")
    expect("it is searched", "1 found", page.locator("#found").inner_text())
    expect("nothing in it acted", None, page.evaluate("() => window.acted ?? null"))
    expect("secrets are not in it", False, any(number in saved.read_text() for number in ["4111 1111", "5500 0000"]))
    page.screenshot(path=PICTURES / "saved-dark.png")
    expect("it asks for nothing", [f"file://{saved}"], [url for url in alone.requests if not url.startswith("data:")])
    expect("it has no errors", [], alone.errors)
    program.end()


def check_travel(browser):
    print("== The app itself in the past")
    program = Program(PROGRAMS / "inspector-check")
    # Of these, number n sets the visits to n - 1, but for each tenth.
    program.do("many 20")
    watched = Watched(browser)
    page = watched.open(program.address, 20)
    expect("nothing tells of the past", False, page.locator("#past").is_visible())
    page.evaluate("() => page.choose(4, {})")
    page.keyboard.press("g")
    wait_for(page, "page.travelling.isOn")
    expect("g has the app show the chosen moment", "4", program.ask("visits"))
    wait_for(page, "document.getElementById('past-text').textContent === 'The app shows the state after #5. It stands still.'")
    print("ok: the page says so")
    wait_for(page, "page.model.live !== null")
    page.evaluate("() => page.add([{ ...page.model.live, n: undefined, v: 0 }])")
    expect("what the process said before the answer, and comes late, is left out", 5, page.evaluate("() => page.travelling.moment ?? null"))
    program.do("many 1")
    wait_for(page, "page.model.live?.q === 1")
    wait_for(page, "document.getElementById('past-text').textContent.endsWith('and 1 operation waits.')")
    page.locator("#moment").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    wait_for(page, "page.travelling.moment === 8 && !page.travelling.isAsking")
    expect("the slider moves the app", "7", program.ask("visits"))
    expect("the travel is no operation of the app's", [20, 0], page.evaluate("() => [page.model.count, page.model.missing]"))
    page.screenshot(path=PICTURES / "past-light.png")
    page.keyboard.press("d")
    page.screenshot(path=PICTURES / "past-dark.png")
    other = Watched(browser)
    other_page = other.open(program.address, 20)
    # What lives is told every half second.
    wait_for(other_page, "document.getElementById('past-text').textContent.startsWith('The app shows the state after #8.')")
    print("ok: another page knows of it")
    expect("another page can bring the present back", True, other_page.locator("#back").is_visible())
    page.keyboard.press("b")
    wait_for(page, "!page.travelling.isOn && page.model.count === 21")
    expect("b brings the present back", "19", program.ask("visits"))
    wait_for(other_page, "!page.travelling.isOn")

    page.evaluate("() => page.choose(5, {})")
    page.locator("#timeline").focus()
    page.keyboard.press("m")
    page.evaluate("() => page.choose(8, {})")
    with page.expect_download() as download:
        page.locator("#selection").click()
    download.value.save_as(SCRATCH / "living.flask")
    data = (SCRATCH / "living.flask").read_bytes()
    lines = lines_of(data)
    expect("a selection of a living process has its operations", [6, 7, 8, 9],
           [line["number"] for line in lines if line["line"] == "operation"])
    session = next(line for line in lines if line["line"] == "substance" and line["name"] == "session")
    expect("it begins with the states of that moment", 4, session["state"]["visits"])
    expect("it has no secrets", False, any(secret in data for secret in [b"4111 1111", b"5500 0000"]))

    page.evaluate("() => page.choose(2, {})")
    page.locator("#go").click()
    wait_for(page, "page.travelling.isOn")
    expect("the button does it, too", "2", program.ask("visits"))
    page.evaluate("() => page.travelling.go(-5)")
    wait_for(page, "page.travelling.moment === -5")
    expect("before all is the beginning", "0", program.ask("visits"))
    other.context.close()
    watched.context.close()
    end = time.monotonic() + 60
    while program.ask("visits") != "19" and time.monotonic() < end:
        time.sleep(0.1)
    expect("without a page the present comes back", "19", program.ask("visits"))
    expect("no errors", [], watched.errors + other.errors)
    program.end()


def check_travel_end(browser):
    print("== The end of a look at the past")
    program = Program(PROGRAMS / "inspector-check")
    program.do("many 20")
    page = Watched(browser).open(program.address, 20)
    page.route("**/travel?to=*", lambda route: route.fulfill(status=500, body=""))
    page.evaluate("() => { page.choose(4, {}); page.showInApp(); }")
    wait_for(page, "document.getElementById('past-error').textContent === \"The app can't show it: Internal Server Error.\"")
    print("ok: what went wrong is told, even if the answer does not say it")
    page.unroute("**/travel?to=*")
    page.evaluate("() => page.showInApp()")
    wait_for(page, "page.travelling.moment === 5")
    expect("the app is in the past", "4", program.ask("visits"))
    program.do("stop")
    expect("the end of the inspector is that of the travel", "19", program.ask("visits"))
    wait_for(page, "document.getElementById('past').hidden")
    print("ok: the page knows of it")
    program.end()


def check_large(browser):
    print("== 100,000 operations")
    path = SCRATCH / "large.flask"
    recording(path, 100_000)
    program = Program(PROGRAMS / "flask-inspector", path, "--no-open")
    watched = Watched(browser)
    page = watched.open(program.address, 100_000)
    wait_for(page, "page.status === '■ recording'")
    queries = ["total", "key:items", "99999", "type:additem", "-total", "outcome:failed", "place:Cart.swift", "value:user", "nowhere"]
    for query in queries:
        times = page.evaluate(
            """(query) => [0, 1, 2, 3, 4].map(() => {
                 const start = performance.now();
                 page.setSearch(query);
                 const took = performance.now() - start;
                 page.setSearch("");
                 return took;
               })""", query)
        # The one that the machine's other work has disturbed least.
        took = min(times)
        print(f"  {query}: {took:.0f} ms ({', '.join(f'{one:.0f}' for one in times)})")
        expect(f"a search for {query} takes less than {SEARCH_LIMIT} ms", True, took < SEARCH_LIMIT)
    frames = page.evaluate(
        """async () => {
             const { container } = page.timeline, times = [];
             for (let i = 0; i <= 100; i++) {
               container.scrollTop = i / 100 * container.scrollHeight;
               const start = performance.now();
               page.timeline.render();
               times.push(performance.now() - start);
               await new Promise(requestAnimationFrame);
             }
             return times;
           }""")
    print(f"  rows of one screen: {statistics.median(frames):.1f} ms, longest {max(frames):.1f} ms")
    expect("a screen of rows is made within a frame", True, statistics.median(frames) < 16)
    expect("the end is reached", True, page.locator(".row:visible").filter(has_text="#100000").count() == 1)
    moves = page.evaluate(
        """() => [5, 50_000, 99_999, 7, 31_234].map((index) => {
             const start = performance.now();
             page.choose(index, { reveals: true });
             page.setTab("state");
             return performance.now() - start;
           })""")
    print(f"  travelling: {', '.join(f'{one:.0f}' for one in moves)} ms")
    expect("any moment is shown within 100 ms", True, statistics.median(moves) < 100)
    expect("few elements, however long the list", True, page.evaluate("() => document.querySelectorAll('*').length") < 1_500)
    expect("no errors", [], watched.errors)
    program.end()


def check_moments(page, states):
    """Compares the states that the page shows at each moment with those that an independent implementation worked out."""

    def shown(index):
        return page.evaluate(
            """(index) => Object.fromEntries([...page.model.substances].flatMap(([name, substance]) =>
                 [...substance.keys].filter(([path]) => path !== "user")
                   .map(([path, history]) => [`${name}.${path}`, page.model.valueAt(history, index).value])))""", index)

    wrong = []
    for index in range(len(states)):
        cart, note = states[index][1], states[index][2]
        wanted = {"cart.total": cart["total"], "cart.items": cart["items"], "cart.user.name": cart["user"]["name"], "note.text": note["text"]}
        if {key: json.loads(value) for key, value in shown(index).items()} != wanted:
            wrong.append(index)
    expect("the states are right at every moment", [], wrong)


def check_recording(browser):
    print("== A recording of two parts")
    path = SCRATCH / "parts.flask"
    states = recording(path, 500, second_part=201)
    program = Program(PROGRAMS / "flask-inspector", path, "--no-open")
    watched = Watched(browser)
    page = watched.open(program.address, 500)
    expect("both parts are there", [1, 500], page.evaluate("() => [0, 499].map((index) => page.model.operations[index].n)"))
    check_moments(page, states)
    expect("no errors", [], watched.errors)
    program.end()
    Path(f"{path}.previous").unlink()
    program = Program(PROGRAMS / "flask-inspector", path, "--no-open")
    page = Watched(browser).open(program.address, 300)
    wait_for(page, "page.status === '■ recording'")
    page.keyboard.press("5")
    expect("what is missing is told", True, "What came before is gone" in page.locator("#panel-faults").inner_text())
    program.end()

    print("== A recording")
    path = SCRATCH / "run.flask"
    states = recording(path, 500)
    program = Program(PROGRAMS / "flask-inspector", path, "--no-open")
    watched = Watched(browser)
    page = watched.open(program.address, 500)
    wait_for(page, "page.status === '■ recording'")
    check_moments(page, states)
    expect("what is not shown any more is not asked for", True, page.locator("#follow").is_visible())

    page.evaluate("() => page.choose(99, {})")
    page.locator("#timeline").focus()
    page.keyboard.press("m")
    page.evaluate("() => page.choose(149, {})")
    with page.expect_download() as download:
        page.locator("#selection").click()
    download.value.save_as(SCRATCH / "selection.flask")
    lines = lines_of((SCRATCH / "selection.flask").read_bytes())
    operations = [line for line in lines if line["line"] == "operation"]
    expect("a selection has the operations from the mark to the chosen one", list(range(100, 151)),
           [line["number"] for line in operations])
    begun = {line["substance"]: line["state"] for line in lines if line["line"] == "substance"}
    expect("it begins with the states of that moment", states[98], begun)
    for line in operations:
        for change in line.get("changes", []):
            begun[change["substance"]] = jsonpatch.apply_patch(begun[change["substance"]], change["patch"])
    expect("it ends with the states of its end", states[149], begun)
    program.end()
    again = Program(PROGRAMS / "flask-inspector", SCRATCH / "selection.flask", "--no-open")
    page = watched.open(again.address, 51)
    expect("a selection is opened as any recording", "#100", page.evaluate("() => `#${page.model.operations[0].n}`"))
    again.end()

    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (SCRATCH / "damaged.flask").write_bytes(damaged)
    third = Program(PROGRAMS / "flask-inspector", SCRATCH / "damaged.flask", "--no-open")
    page = watched.open(third.address, 100)
    wait_for(page, "page.status === '■ recording'")
    page.keyboard.press("5")
    expect("a damaged one is opened up to the damage", True, "is damaged, from byte" in page.locator("#panel-faults").inner_text())
    third.end()
    subprocess.run([PROGRAMS / "flask-inspector", path, "--export", SCRATCH / "one.html"], check=True)
    page = watched.open(f"file://{SCRATCH / 'one.html'}", 500)
    page.keyboard.press("/")
    page.keyboard.type("key:items")
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    page.screenshot(path=PICTURES / "recording.png")
    expect("no errors", [], watched.errors)
    for name, data in {"empty": b"", "text": b"hello\n", "binary": bytes(range(256))}.items():
        (SCRATCH / name).write_bytes(data)
        done = subprocess.run([PROGRAMS / "flask-inspector", SCRATCH / name, "--no-open"], capture_output=True, text=True)
        expect(f"no recording: {name}", True, done.returncode != 0 and "something else than a recording" in done.stderr)


def check_sample(browser):
    print("== A recording of the sample")
    program = Program(PROGRAMS / "flask-inspector", SAMPLE, "--no-open")
    watched = Watched(browser)
    page = watched.open(program.address, 45)
    wait_for(page, "page.status === '■ recording'")
    expect("all of it is there", 45, page.evaluate("() => page.model.count"))
    expect("with nothing to complain of", [], page.evaluate("() => page.model.faults"))
    page.keyboard.press("/")
    page.keyboard.type("type:FlightRead")
    expect("each flight is found", "20 found", page.locator("#found").inner_text())
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect("the cause is told", "under a lock at FlaskSample/AirlineLoader.swift:38",
           page.locator("#panel-operation .causes li").first.inner_text())
    page.keyboard.press("2")
    flights = page.locator("table[data-substance^=Journal] tr:has(th:has-text('flights')) td")
    page.locator("#moment").focus()
    page.keyboard.press("End")
    expect("at the end all flights are counted", "20", flights.nth(1).inner_text())
    page.keyboard.press("Home")
    expect("at the beginning none is", "0", flights.nth(1).inner_text())
    page.evaluate("() => page.choose(page.model.indices.get(3), {})")
    expect("in between, those so far are", ["0", "1"], flights.all_inner_texts()[:2])
    page.screenshot(path=PICTURES / "sample.png")
    with page.expect_download() as download:
        page.keyboard.press("s")
    saved = SCRATCH / "sample.html"
    download.value.save_as(saved)
    alone = Watched(browser, offline=True)
    page = alone.open(f"file://{saved}", 45)
    expect("it is exported", True, page.locator("#status").inner_text().startswith("■ saved page"))
    expect("no errors", [], watched.errors + alone.errors)
    program.end()


def main():
    SCRATCH.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            # CI runs as root, for whom Chromium has no sandbox.
            args=["--no-sandbox"])
        check_live(browser)
        check_travel(browser)
        check_travel_end(browser)
        check_recording(browser)
        check_sample(browser)
        check_large(browser)
        browser.close()
    if failures:
        sys.exit(f"{len(failures)} checks of the inspector failed")
    print("The inspector is right.")


main()
