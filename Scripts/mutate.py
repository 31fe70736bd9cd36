#!/usr/bin/env python3
"""Changes the library's sources at random, one operator, constant or call at a time: do the tests notice?

Each mutant is built and tested in a copy of the repository, which keeps its build from one mutant to the next. A mutant
is killed if a test fails, traps or takes too long; one that survives needs a test, or does the same as the original.
The same seed gives the same mutants. What is done is logged, so that a run that was stopped goes on where it was.

Usage: Scripts/mutate.py --seed N --count M [--module FlaskDiff] [--list] [--work FOLDER] [--log FILE]
"""

import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from swift_source import without_comments_and_strings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["Package.swift", "Sources", "Tests", "docs"]  # a test compares a page with code
BUILD_SECONDS = 900

# The test targets that can see each module, its own first.
TESTS = {
    "FlaskDiff": ["FlaskDiffTests", "FlaskRefsTests", "FlaskCoreTests", "FlaskTests", "SeedTests5", "SeedTests6"],
    "FlaskArchive": ["FlaskArchiveTests", "FlaskCoreTests", "FlaskTests", "SeedTests5", "SeedTests6"],
    "FlaskRefs": ["FlaskRefsTests", "FlaskTests", "SeedTests5", "SeedTests6"],
    "FlaskCore": ["FlaskCoreTests", "FlaskTests", "SeedTests5", "SeedTests6"],
    "Flask": ["FlaskTests", "SeedTests5", "SeedTests6"],
}

SWAPS = {
    "comparison": {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "..<": "..."},
    "Boolean": {"&&": "||", "||": "&&"},
    "arithmetic": {
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=", "-=": "+=", "&+=": "&-=",
        "&-=": "&+=", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "|": "&", "&": "|", "^": "|", "|=": "&=", "&=": "|=",
    },
}  # fmt: skip
OPERATOR = re.compile(r"(?<=[\w)\]?!}] )([-+*/%&|^<>=!]+)(?= [\w(\[.!~&\"#-])|(?<=[\w)\]])(\.\.<)(?=[\w(])")
NEGATION = re.compile(r"(?<=[\s(\[{,])!(?=[\w(])")
TRUTH = re.compile(r"(?<![\w.`])(true|false)\b(?!\s*:)")
NUMBER = re.compile(r"(?<![\w.$#])\d[\d_]*(?!\w|\.\d)")
CONDITION = re.compile(r"^([ \t]*(?:\} else )?(?:if|while) )([\w.]+)(?= \{)", re.M)
CALL = re.compile(r"^([ \t]+)((?:_ = )?(?:try[?]? |await )*[a-z_]\w*[!?]?(?:\.\w+[!?]?)*(?:\(.*\)|(?:\(.*\))? \{ .* \}))$", re.M)
NO_CALLS = {"if", "guard", "while", "for", "switch", "return", "throw", "case", "super.init", "self.init", "init", "defer", "else", "do", "assert"}
# What a condition of `#if` asks for that is not here: code under it is not built.
ABSENT = re.compile(r"os\((macOS|iOS|tvOS|watchOS|visionOS|Windows)\)|canImport\((Darwin|Combine|SwiftUI|os|Musl|Android|ObjectiveC|WinSDK)\)")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    offset: int
    length: int
    replacement: str
    kind: str
    original: str
    digest: str  # of the file, so that a log of other sources is not taken for one of these

    @property
    def identity(self):
        return f"{self.digest}:{self.offset}:{self.replacement}"

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.original or '…'} → {self.replacement or '(nothing)'}"


def not_built(code):
    """The ranges of lines, from 1, that another system builds."""
    lines, stack = set(), []
    for number, line in enumerate(code.split("\n"), 1):
        text = line.strip()
        if text.startswith("#if"):
            stack.append(bool(ABSENT.search(text)) and "!" not in text)
        elif text.startswith("#elseif") and stack:
            stack[-1] = bool(ABSENT.search(text))
        elif text.startswith("#else") and stack:
            stack[-1] = False
        elif text.startswith("#endif") and stack:
            stack.pop()
        elif any(stack):
            lines.add(number)
    return lines


def mutants_of(path, text):
    """Every mutant of a file."""
    code = without_comments_and_strings(text)
    digest = hashlib.sha1(text.encode()).hexdigest()[:12]
    skipped = not_built(code) | {
        number
        for number, line in enumerate(code.split("\n"), 1)
        if re.search(r"@available|#available|#if|^\s*(public |package )?(prefix |infix )?operator|^\s*import ", line)
    }
    result = []

    def add(start, end, replacement, kind):
        line = code.count("\n", 0, start) + 1
        if line not in skipped:
            result.append(Mutant(path, line, start, end - start, replacement, kind, text[start:end].strip(), digest))

    for match in OPERATOR.finditer(code):
        for kind, swaps in SWAPS.items():
            if match[0] in swaps:
                add(match.start(), match.end(), swaps[match[0]], kind)
    for match in NEGATION.finditer(code):
        add(match.start(), match.end(), "", "Boolean")
    for match in TRUTH.finditer(code):
        add(match.start(), match.end(), {"true": "false", "false": "true"}[match[0]], "constant")
    for match in NUMBER.finditer(code):
        number = int(match[0].replace("_", ""))
        add(match.start(), match.end(), str(0 if number == 1 else number + 1), "constant")
    for match in CONDITION.finditer(code):
        add(match.start(2), match.end(2), f"!{match[2]}", "condition")
    lines = code.split("\n")
    for match in CALL.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        before = lines[line - 2].rstrip() if line > 1 else ""
        after = lines[line].lstrip() if line < len(lines) else ""
        name = re.match(r"[\w.]+", match[2])
        is_statement = not re.search(r"[=(\[,?:&|+]$|\breturn$", before) and not re.match(r"[.?:&|+)\],]", after)
        if is_statement and match[2].count("(") == match[2].count(")") and name[0] not in NO_CALLS:
            add(match.start(2), match.end(2), "", "call")
    return result


def draw(root, modules, seed):
    """All mutants of the modules, in the order of the seed."""
    found = []
    for module in sorted(modules):
        for path in sorted((root / "Sources" / module).rglob("*.swift")):
            found += mutants_of(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    random.Random(seed).shuffle(found)
    return found


def mutated(text, mutant):
    return text[: mutant.offset] + mutant.replacement + text[mutant.offset + mutant.length :]


class Copy:
    """The copy of the repository in which mutants are built."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        wanted = set()
        for name in COPIED:
            source = ROOT / name
            for path in [source] if source.is_file() else sorted(source.rglob("*")):
                if path.is_file() or path.is_symlink():
                    wanted.add(path.relative_to(ROOT))
        for relative in wanted:
            self.copy(relative)
        for name in COPIED[1:]:
            for path in sorted((folder / name).rglob("*")):
                is_link = path.is_symlink()
                if (path.is_file() or is_link) and path.relative_to(folder) not in wanted:
                    path.unlink()

    def copy(self, relative):
        source, target = ROOT / relative, self.folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            if not (target.is_symlink() and os.readlink(target) == os.readlink(source)):
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(source))
        elif not target.is_file() or target.read_bytes() != source.read_bytes():
            shutil.copyfile(source, target)

    def run(self, *command, seconds, memory=None):
        """The exit status, None if it took too long, and the output."""

        def limit():
            os.setsid()
            if memory:
                resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

        # Tests must not write to the user's own folders.
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config"), "SWIFT_BACKTRACE": "enable=no"}
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                command, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT, env=environment, preexec_fn=limit
            )
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                try:  # Its own group: what it started, and nothing else.
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            output.seek(0)
            return status, output.read().decode(errors="replace")

    def build(self):
        return self.run("swift", "build", "--build-tests", "--quiet", seconds=BUILD_SECONDS)

    def test(self, targets, seconds):
        pattern = f"^({'|'.join(targets)})\\."
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        return self.run("swift", "test", "--skip-build", "--quiet", "--filter", pattern, seconds=seconds, memory=memory)

    def seconds_of_tests(self, modules):
        """How long the tests of each module take as they are: those of its own target, and the others."""
        status, output = self.build()
        if status != 0:
            sys.exit(f"The sources don't build as they are:\n{output[-3000:]}")
        seconds = {}
        for module in modules:
            for targets in stages(module):
                start = time.monotonic()
                status, output = self.test(targets, BUILD_SECONDS)
                if status != 0 or not re.search(r"Test run with [1-9]", output):
                    sys.exit(f"The tests of {', '.join(targets)} don't pass as they are:\n{output[-3000:]}")
                seconds[tuple(targets)] = time.monotonic() - start
        return seconds

    def judge(self, mutant, seconds):
        """What becomes of a mutant, and what noticed it."""
        path = self.folder / mutant.path
        original = (ROOT / mutant.path).read_text(encoding="utf-8")
        try:
            path.write_text(mutated(original, mutant), encoding="utf-8")
            status, _ = self.build()
            if status != 0:
                return "did not build", ""
            for targets in stages(mutant.path.split("/")[1]):
                status, output = self.test(targets, 30 + 5 * seconds[tuple(targets)])
                if status is None:
                    return "killed", "took too long"
                if status != 0:
                    named = re.search(r"✘ Test (.+?) (?:recorded|failed)|error: .*?: ([\w.]+ : .*)|Fatal error:? ?(.*)", output)
                    return "killed", next((group for group in named.groups() if group), "") if named else f"status {status}"
            return "survived", ""
        finally:
            path.write_text(original, encoding="utf-8")


def stages(module):
    """The test targets of a module: its own, most likely to notice, and then the others."""
    return [targets for targets in (TESTS[module][:1], TESTS[module][1:]) if targets]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True, help="how many mutants that build")
    parser.add_argument("--module", choices=sorted(TESTS), action="append", help="all modules if not given")
    parser.add_argument("--list", action="store_true", help="prints the mutants and builds none")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "flask-mutants", help="the copy's folder")
    parser.add_argument("--log", type=Path, help="a file of JSON lines; beside the copy if not given")
    options = parser.parse_args()
    modules = options.module or sorted(TESTS)
    drawn = draw(ROOT, modules, options.seed)
    if options.list:
        for mutant in drawn[: options.count]:
            print(mutant)
        return
    log = options.log or options.work.parent / f"{options.work.name}-seed-{options.seed}.jsonl"
    known = {row["identity"]: row for row in map(json.loads, log.read_text().splitlines())} if log.exists() else {}
    copy, seconds = Copy(options.work.resolve()), None
    counts = {"killed": 0, "survived": 0, "did not build": 0}
    survivors = []
    for mutant in drawn:
        if counts["killed"] + counts["survived"] == options.count:
            break
        row = known.get(mutant.identity)
        if row is None:
            seconds = seconds or copy.seconds_of_tests(modules)
            start = time.monotonic()
            result, notice = copy.judge(mutant, seconds)
            row = {"identity": mutant.identity, "result": result, "notice": notice, **asdict(mutant)}
            with open(log, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            took = f"  [{time.monotonic() - start:.0f} s]"
        else:
            took = "  [logged]"
        counts[row["result"]] += 1
        if row["result"] == "survived":
            survivors.append(mutant)
        by = f"  by {row['notice']}" if row["notice"] else ""
        print(f"{row['result']:14}{mutant}{by}{took}", flush=True)
    judged = counts["killed"] + counts["survived"]
    print(f"{counts['killed']} of {judged} killed, {counts['did not build']} more did not build; log: {log}")
    for mutant in survivors:
        print(f"survived: {mutant}")


if __name__ == "__main__":
    main()
