#!/usr/bin/env python3
"""How many functions of Flask a mix, a chain, an action, a derived value and a save pass: counted, not listed. A debug build of
Checks/Sources/journey makes each journey 100 and 300 times under callgrind; a function is on the way if it is called 200 times more.

What counts is what a reader of the code passes: each `func` of the modules, once however often it runs. Not accessors, initialisers, closures,
witnesses; not FlaskDiff, which compares two values, nor FlaskPrimitives, which locks. Fails where a journey passes more than `journeys` in
Benchmarks/targets.json allows.

Usage: Scripts/measure-journeys.py [--list] [JOURNEY …]     with --list it prints the functions, too
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / ".build/debug/journey"
# Of the demangled name of a function: what is none that somebody has written as `func`.
NO_FUNCTION = re.compile(
    r"closure #|\.getter|\.setter|\.modify|\.read\b|\binit\(|\.init\b|deinit|deallocating|thunk|witness|outlined|metadata|default argument"
    r"|variable initialization|[aA]ddressor|__derived|\$defer|\.subscript|merged|specialized|UnretainedReference"
)


def calls(profile):
    """How often each function was called, by its mangled name, of what callgrind has written."""
    names, counts, called = {}, {}, None
    for line in profile.splitlines():
        if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line):
            if match[3]:
                names[match[2]] = match[3].split("'")[0]
            if match[1]:
                called = names[match[2]]
        elif line.startswith("calls=") and called:
            counts[called] = counts.get(called, 0) + int(line[len("calls=") :].split()[0])
    return counts


def passed(few, many, times):
    """The mangled names of Flask's functions that are called once or more in each of so many journeys more."""
    for name, count in many.items():
        match = re.match(r"\$s(\d+)(Flask\w*)", name)
        module = match[2][: int(match[1])] if match else "FlaskDiff"
        if module not in ("FlaskDiff", "FlaskPrimitives") and count - few.get(name, 0) >= times:
            yield name


def profile(journey, times):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file.name}", PROGRAM, journey, str(times)],
            check=True,
            capture_output=True,
        )
        return calls(Path(file.name).read_text(encoding="utf-8", errors="replace"))


def functions(journey):
    """The functions on the way, as somebody would write them."""
    mangled = list(passed(profile(journey, 100), profile(journey, 300), 200))
    text = subprocess.run(["swift", "demangle", "-compact"], input="\n".join(mangled), capture_output=True, text=True, check=True)
    return sorted({name for name in text.stdout.splitlines() if not NO_FUNCTION.search(name)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("journeys", nargs="*")
    options = parser.parse_args()
    targets = json.loads((ROOT / "Benchmarks/targets.json").read_text(encoding="utf-8"))["journeys"]
    subprocess.run([ROOT / "Scripts/build.sh", "Checks", "--product", "journey"], check=True, stdout=subprocess.DEVNULL)
    failures = 0
    for row in targets:
        if options.journeys and row["journey"] not in options.journeys:
            continue
        found = functions(row["journey"])
        failures += len(found) > row["allowed"]
        mark = "✘" if len(found) > row["allowed"] else "~" if len(found) > row["target"] else "✔"
        print(f"{mark}  {row['journey']:10}{len(found):4} functions   target {row['target']:3}   allowed {row['allowed']:3}")
        if options.list:
            print("\n".join("     " + name for name in found))
    if failures:
        sys.exit(f"{failures} journeys pass more functions than is allowed")


if __name__ == "__main__":
    main()
