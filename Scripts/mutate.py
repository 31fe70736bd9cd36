#!/usr/bin/env python3
"""Changes the library's sources at random, one operator, constant or call at a time: do the tests notice?

The mutants are written into one copy of the repository, each behind a switch, and built together; the few that cannot
be are built one by one. Each suite of tests runs once without a mutant, to see which mutants it reaches. Then each mutant
meets the suites that reach it, its own module's and the fast ones first. It is killed if a test fails, traps or takes too
long; one that survives needs a test, or does the same as the original.
The same seed gives the same mutants. What is done is logged, so that a run that was stopped goes on where it was. With
`FLASK_MUTANT=N` in the environment the tests of the copy run mutant N by hand.

Usage: Scripts/mutate.py --seed N --count M [--module FlaskDiff …] [--list] [--again] [--work FOLDER] [--log FILE]
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from mutant_schemata import SWITCH, bodies, schema, unmarked  # noqa: E402
from mutants import draw, mutated  # noqa: E402
from swift_source import without_comments_and_strings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["Package.swift", "Sources", "Tests", "docs"]  # a test compares a page with code
MODULES = ["FlaskDiff", "FlaskEntities", "FlaskArchive", "FlaskRefs", "FlaskCore", "Flask", "FlaskInsight", "FlaskTesting"]  # users last
BUILD_SECONDS = 1800
SUITE_SECONDS = 600
FAILURE = re.compile(r"✘ Test (.+?) (?:recorded an issue|failed after)|: error: ([\w.]+ : .*)")
TRAP = re.compile(r"Fatal error:? ?(.*)")
ERROR = re.compile(r"(Sources/\S+\.swift):(\d+):\d+: error: ")


class Copy:
    """The copy of the repository in which mutants are built."""

    def __init__(self, folder):
        self.folder = folder
        self.switched = {}  # path: the text with its mutants
        folder.mkdir(parents=True, exist_ok=True)
        self.wanted = set()
        for name in COPIED:
            source = ROOT / name
            for path in [source] if source.is_file() else sorted(source.rglob("*")):
                if path.is_file() or path.is_symlink():
                    self.wanted.add(path.relative_to(ROOT))
        for name in COPIED[1:]:
            for path in sorted((folder / name).rglob("*")):
                is_link = path.is_symlink()
                if (path.is_file() or is_link) and path.relative_to(folder) not in self.wanted | set(map(switch_of, MODULES)):
                    path.unlink()
        for path in folder.glob("run-*"):  # Of a run that was stopped.
            shutil.rmtree(path, ignore_errors=True)
        for module in MODULES:
            self.write(switch_of(module), SWITCH)

    def digest(self):
        """A digest of all that is copied."""
        result = hashlib.sha1()
        for path in sorted(self.wanted):
            if not (ROOT / path).is_symlink():
                result.update(str(path).encode() + b"\0" + (ROOT / path).read_bytes())
        return result.hexdigest()

    def write(self, relative, text):
        target = self.folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")

    def lay_out(self, texts):
        """Writes every file, with the given texts of some."""
        for relative in self.wanted:
            source, target = ROOT / relative, self.folder / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_symlink():
                if not (target.is_symlink() and os.readlink(target) == os.readlink(source)):
                    target.unlink(missing_ok=True)
                    target.symlink_to(os.readlink(source))
            elif str(relative) in texts:
                self.write(relative, texts[str(relative)])
            elif not target.is_file() or target.read_bytes() != source.read_bytes():
                shutil.copyfile(source, target)

    def build(self, *arguments):
        """Whether it builds, and the output."""
        command = ["swift", "build", *(arguments or ["--build-tests"])]
        done = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=BUILD_SECONDS, check=False
        )
        return done.returncode == 0, done.stdout.decode(errors="replace")


def switch_of(module):
    return Path("Sources") / module / "FlaskMutant.swift"


class Suites:
    """The suites of tests in a copy that is built."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        found = list((folder / ".build" / "debug").glob("*PackageTests.xctest"))
        bundle = found[0] if found else Path()
        inner = bundle / "Contents" / "MacOS" / bundle.stem
        self.program = inner if inner.exists() else bundle

    def names(self):
        """Each suite, function outside suites and test case."""
        listed = self.output("--testing-library", "swift-testing", "--list-tests").splitlines()
        names = {line.split("/")[0] for line in listed if re.match(r"\w+\.", line)}
        cases = {line.split("/")[0] for line in self.output("--list-tests").splitlines() if re.match(r"\w+\.\w+/\w+$", line)}
        return sorted(names) + sorted(f"XCTest {case}" for case in cases)

    def output(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def run(self, names, seconds, pause, mutant=0, record=None):
        """Runs some suites: what noticed, None if nothing did. `pause` is how long it may write nothing."""
        cases = [name.removeprefix("XCTest ") for name in names if name.startswith("XCTest ")]
        others = [name for name in names if not name.startswith("XCTest ")]
        notice = None
        if others:
            wanted = pattern(others)
            arguments = ["--testing-library", "swift-testing", "--filter", wanted]
            notice = self.watch(arguments, seconds, pause, mutant, record)
        if cases and not notice:
            notice = self.watch([",".join(cases)], seconds, pause, mutant, record)
        return notice

    def watch(self, arguments, seconds, pause, mutant, record):
        with tempfile.TemporaryDirectory(prefix="run-", dir=self.folder, ignore_cleanup_errors=True) as scratch:
            environment = {
                **os.environ,
                "FLASK_MUTANT": str(mutant),
                "NO_COLOR": "1",
                "SWIFT_BACKTRACE": "enable=no",
                "TMPDIR": scratch,
                "XDG_CONFIG_HOME": f"{scratch}/config",  # Tests must not write to the user's own folders.
            }
            if record:
                environment["FLASK_REACHED"] = str(record)
            process = subprocess.Popen(
                [self.program, *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                preexec_fn=limit,
            )
            lines, ended = [], threading.Event()
            notice = None

            def read():
                for line in process.stdout:
                    lines.append((time.monotonic(), line.decode(errors="replace")))
                ended.set()

            threading.Thread(target=read, daemon=True).start()
            start = last = time.monotonic()
            seen = 0
            try:
                while notice is None:
                    is_over = ended.wait(0.1) or process.poll() is not None and ended.wait(1) is not None
                    for moment, line in lines[seen:]:
                        seen, last = seen + 1, moment
                        notice = notice or noticed(line)
                    now = time.monotonic()
                    if is_over:
                        break
                    if now - start > seconds or now - last > pause:
                        notice = notice or "took too long"
                if notice is None:
                    status = process.wait(pause)
                    traps = [found[1] for _, line in lines if (found := TRAP.search(line)) and found[1]]
                    notice = (traps or [f"status {status}"])[-1] if status else None
            except subprocess.TimeoutExpired:
                notice = "took too long"
            finally:
                try:  # Its own group: what it started, and nothing else.
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            return notice

    def reach(self, names):
        """For each suite, its seconds and the mutants that it reaches."""

        def one(name):
            with tempfile.TemporaryDirectory(prefix="run-", dir=self.folder, ignore_cleanup_errors=True) as folder:
                record = Path(folder) / "reached"
                for is_last in (False, True):
                    record.unlink(missing_ok=True)
                    start = time.monotonic()
                    notice = self.run([name], SUITE_SECONDS, SUITE_SECONDS, record=record)
                    seconds = time.monotonic() - start
                    if notice is None:
                        break
                    if is_last:
                        raise SystemExit(f"{name} does not pass without a mutant: {notice}")
                reached = sorted({int(line) for line in record.read_text().split()}) if record.exists() else []
                return name, (seconds, reached)

        with ThreadPoolExecutor(self.jobs) as pool:
            return dict(pool.map(one, names))

    def judge(self, number, module, reach):
        """What becomes of a mutant, and what noticed it."""
        for names in batches(module, {name: seconds for name, (seconds, reached) in reach.items() if number in reached}):
            longest = max(reach[name][0] for name in names)
            notice = self.run(names, 30 + 4 * sum(reach[name][0] for name in names), 20 + 4 * longest, mutant=number)
            if notice:
                return "killed", notice
        return "survived", "" if any(number in reached for _, reached in reach.values()) else "no test reaches it"


def limit():
    os.setsid()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def noticed(line):
    """The test that a line of output says has failed."""
    found = FAILURE.search(line)
    return next((group for group in found.groups() if group), "a failure").strip() if found else None


def pattern(names):
    """The regular expression that chooses suites and functions outside suites."""
    return "^(" + "|".join(re.escape(name) + ("" if name.endswith(")") else "/") for name in names) + ")"


def batches(module, seconds):
    """The suites in the order in which a mutant of a module meets them: fast ones first, its own module's before others."""
    result = [[] for _ in range(6)]
    for name in sorted(seconds, key=lambda name: (seconds[name], name)):
        is_other = not name.removeprefix("XCTest ").startswith(f"{module}Tests.")
        speed = 0 if seconds[name] < 1 else 1 if seconds[name] < 5 else 2
        result[2 * speed + is_other].append(name)
    return [batch for batch in result if batch]


class Batch:
    """Mutants that are built together: those behind switches, those that are built alone, and those that do not build."""

    def __init__(self, copy, numbered, jobs):
        self.copy, self.jobs = copy, jobs
        self.mutants = dict(numbered)
        self.alone, self.broken, self.reach = [], [], {}
        self.file = copy.folder / "batch.json"

    def switched(self):
        return [number for number in self.mutants if number not in self.alone and number not in self.broken]

    def texts(self, numbers):
        """The files with these mutants behind switches, whom an error in each line condemns, and those without a place."""
        texts, owners, homeless = {}, {}, []
        for path in sorted({self.mutants[number].path for number in numbers}):
            here = [(number, self.mutants[number]) for number in numbers if self.mutants[number].path == path]
            marked, without = schema((ROOT / path).read_text(encoding="utf-8"), here)
            texts[path], owners[path] = unmarked(marked)
            homeless += without
        return texts, owners, homeless

    def prepare(self):
        """Builds the copy and measures the suites, unless an earlier run has."""
        key = self.copy.digest() + "".join(mutant.identity for mutant in self.mutants.values())
        key = hashlib.sha1(key.encode() + SWITCH.encode()).hexdigest()
        kept = json.loads(self.file.read_text()) if self.file.exists() else {}
        sorted_out = " ".join(mutant.identity for mutant in self.mutants.values())
        if kept.get("sorted out") == sorted_out:
            self.alone, self.broken = kept["alone"], kept["broken"]
        else:
            homeless = self.texts(self.mutants)[2]
            self.alone = list(homeless)
            for module in MODULES:
                self.sort_out(module, [number for number in homeless if self.mutants[number].path.split("/")[1] == module])
            kept = {"sorted out": sorted_out, "alone": self.alone, "broken": self.broken}
            self.file.write_text(json.dumps(kept))
        self.build()
        print(f"{len(self.switched())} behind switches, {len(self.alone)} alone, {len(self.broken)} do not build", flush=True)
        if kept.get("reached") == key:
            self.reach = kept["reach"]
        else:
            suites = Suites(self.copy.folder, self.jobs)
            self.reach = suites.reach(suites.names())
            self.file.write_text(json.dumps({**kept, "reached": key, "reach": self.reach}))
        print(f"{len(self.reach)} suites take {sum(seconds for seconds, _ in self.reach.values()):.0f} s", flush=True)

    def build(self):
        self.copy.lay_out(self.texts(self.switched())[0])
        is_built, output = self.copy.build()
        if not is_built:
            sys.exit(f"The sources don't build with the switches:\n{output[-3000:]}")

    def sort_out(self, module, suspects):
        """Finds the mutants of a module that don't build behind switches, and of these and the suspects those that never do."""
        while True:
            texts, owners, _ = self.texts(self.switched())
            self.copy.lay_out(texts)
            is_built, output = self.copy.build("--target", module)
            if is_built:
                break
            found = condemned(ERROR.findall(output), owners) - set(self.alone)
            if not found:
                sys.exit(f"{module} does not build with the switches:\n{output[-3000:]}")
            suspects = suspects + sorted(found)
            self.alone += sorted(found)
            print(f"{module}: {len(found)} mutants do not build behind switches", flush=True)
        while suspects:  # What is wrong in types hides what is wrong in paths.
            ranges = self.ranges(suspects)
            self.copy.lay_out(together([self.mutants[number] for number in suspects]))
            errors = ERROR.findall(self.copy.build("--target", module)[1])
            found = [number for number in suspects if is_at_fault(self.mutants[number].path, ranges[number], errors)]
            if not found:
                break
            self.broken += found
            suspects = [number for number in suspects if number not in found]
        self.alone = [number for number in self.alone if number not in self.broken]

    def ranges(self, numbers):
        """The lines that an error of each mutant can be in: those of its body, or its own if it is not alone there."""
        result = {}
        for number in numbers:
            mutant = self.mutants[number]
            code = without_comments_and_strings((ROOT / mutant.path).read_text(encoding="utf-8"))
            start, end = max((b for b in bodies(code) if b[0] < mutant.offset < b[1]), default=(mutant.offset, mutant.offset))
            others = [self.mutants[other] for other in numbers if other != number]
            if any(other.path == mutant.path and start <= other.offset <= end for other in others):
                start = end = mutant.offset
            result[number] = range(code.count("\n", 0, start) + 1, code.count("\n", 0, end) + 2)
        return result

    def judge(self, number):
        return Suites(self.copy.folder, self.jobs).judge(number, self.mutants[number].path.split("/")[1], self.reach)

    def judge_alone(self, number):
        """Judges a mutant that has no switch: every suite is for it."""
        mutant = self.mutants[number]
        original = (ROOT / mutant.path).read_text(encoding="utf-8")
        self.copy.lay_out({**self.texts(self.switched())[0], mutant.path: mutated(original, mutant)})
        if not self.copy.build()[0]:
            return "did not build", ""
        reach = {name: (seconds, [number]) for name, (seconds, _) in self.reach.items()}
        return Suites(self.copy.folder, self.jobs).judge(number, mutant.path.split("/")[1], reach)


def condemned(errors, owners):
    """The mutants that errors, as (path, line), belong to. An error in what is not mutated condemns its whole body."""
    found = [owners.get(path, {}).get(int(line)) for path, line in errors]
    return {number for owner in found if owner for number in owner[0]}


def together(mutants):
    """The files with all mutants applied, as far as they don't overlap."""
    texts = {}
    for path in {mutant.path for mutant in mutants}:
        text = (ROOT / path).read_text(encoding="utf-8")
        limit = len(text)
        for mutant in sorted((m for m in mutants if m.path == path), key=lambda m: -m.offset):
            if mutant.offset + mutant.length <= limit:
                text, limit = mutated(text, mutant), mutant.offset
        texts[path] = text
    return texts


def is_at_fault(path, lines, errors):
    """Whether one of the errors, as (path, line), is in the given lines of a file."""
    return any(other == path and int(line) in lines for other, line in errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True, help="how many mutants that build")
    parser.add_argument("--module", choices=sorted(MODULES), action="append", help="all modules if not given")
    parser.add_argument("--list", action="store_true", help="prints the mutants and builds none")
    parser.add_argument("--again", action="store_true", help="judges those again that the log says survived")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many test runs at a time")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "flask-mutants", help="the copy's folder")
    parser.add_argument("--log", type=Path, help="a file of JSON lines; beside the copy if not given")
    options = parser.parse_args()
    drawn = list(enumerate(draw(ROOT, options.module or MODULES, options.seed), 1))
    if options.list:
        for _, mutant in drawn[: options.count]:
            print(mutant)
        return
    log = options.log or options.work.parent / f"{options.work.name}-seed-{options.seed}.jsonl"
    rows = {row["identity"]: row for row in map(json.loads, log.read_text().splitlines())} if log.exists() else {}
    known = {identity for identity, row in rows.items() if not (options.again and row["result"] == "survived")}
    writing = threading.Lock()

    def note(number, mutant, judge):
        if mutant.identity in known:
            row, took = rows[mutant.identity], "logged"
        else:
            start = time.monotonic()
            result, notice = judge(number)
            seconds = round(time.monotonic() - start, 1)
            row = {"identity": mutant.identity, "result": result, "notice": notice, "seconds": seconds, **asdict(mutant)}
            took = f"{seconds:.0f} s"
        with writing:
            if took != "logged":
                with open(log, "a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            rows[mutant.identity] = row
            by = f"  by {row['notice']}" if row["notice"] else ""
            print(f"{row['result']:14}{number}: {mutant}{by}  [{took}]", flush=True)
        return row["result"] != "did not build"

    judged, at = [], 0
    while len(judged) < options.count and at < len(drawn):
        size = (options.count - len(judged)) * 9 // 8 + 4
        batch = Batch(Copy(options.work.resolve()), drawn[at : at + size], options.jobs)
        if any(mutant.identity not in known for mutant in batch.mutants.values()):
            batch.prepare()
        else:
            batch.broken = [number for number, m in batch.mutants.items() if rows[m.identity]["result"] == "did not build"]
        left = list(batch.mutants)
        while left and len(judged) < options.count:
            now, wanted = [], options.count - len(judged)
            while left and sum(number not in batch.broken for number in now) < wanted:
                now.append(left.pop(0))
            for number in now:
                if number in batch.broken:
                    note(number, batch.mutants[number], lambda number: ("did not build", ""))
            with ThreadPoolExecutor(options.jobs) as pool:
                some = [number for number in now if number not in batch.broken and number not in batch.alone]
                results = pool.map(lambda number: note(number, batch.mutants[number], batch.judge), some)
                judged += [number for number, is_judged in zip(some, results) if is_judged]
            judged += [n for n in now if n in batch.alone and note(n, batch.mutants[n], batch.judge_alone)]
            if left and len(judged) < options.count and batch.alone:
                batch.build()
        at += size
    report(dict(drawn), rows, sorted(judged), log)


def report(mutants, rows, judged, log):
    last = max(judged, default=0)
    print(f"{'':14}killed survived did not build")
    for module in [*MODULES, "Sources"]:
        here = [mutants[number] for number in range(1, last + 1) if module in mutants[number].path.split("/")[:2]]
        results = [rows[mutant.identity]["result"] for mutant in here if mutant.identity in rows]
        print(f"{module:14}{results.count('killed'):6}{results.count('survived'):9}{results.count('did not build'):14}")
    for number in judged:
        if rows[mutants[number].identity]["result"] == "survived":
            print(f"survived: {number}: {mutants[number]}")
    print(f"log: {log}")


if __name__ == "__main__":
    main()
