#!/usr/bin/env python3
"""The weight of the sources: of each module its files, tokens and types, beside those of the last release. It only reports.

A token is an identifier, a number, an operator or a sign; comments, texts and white space are none. So the figure is the same however the
code is laid out. A type is a declared class, struct, enum, actor or protocol, nested ones included. The
functions that a journey passes are counted by Scripts/measure-journeys.py.

Usage: Scripts/measure-weight.py [--against REVISION]     the newest tag by default; without one there is nothing to compare with
"""

import argparse
import io
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent / "mutation")]
from releases import newest_tag  # noqa: E402
from swift_source import tokens, without_comments_and_strings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
DECLARED = {"class", "struct", "enum", "actor", "protocol"}


def weigh(texts):
    """Of each module its files, tokens and types. `texts`: the place of each file below the sources, and its content."""
    modules = {}
    for place, text in texts:
        found = [token.text for token in tokens(without_comments_and_strings(text))]
        types = sum(
            word in DECLARED and following[:1].isupper() and previous not in (".", ":")
            for previous, word, following in zip(["", *found], found, [*found[1:], ""])
        )
        modules.setdefault(place.parts[0], Counter()).update(files=1, tokens=len(found), types=types)
    return modules


def texts_here():
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        yield path.relative_to(ROOT / "Sources"), path.read_text(encoding="utf-8")


def texts_of(revision):
    archive = subprocess.run(["git", "archive", revision, "Sources"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for member in members:
            if member.isfile() and member.name.endswith(".swift"):
                yield Path(*Path(member.name).parts[1:]), members.extractfile(member).read().decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="REVISION", default=newest_tag())
    options = parser.parse_args()
    now = weigh(texts_here())
    before = weigh(texts_of(options.against)) if options.against else {}
    total = sum(now.values(), Counter()), sum(before.values(), Counter())
    print(f"{'':20}{'files':>7}{'tokens':>10}{'types':>7}" + (f"    beside {options.against}" if before else ""))
    rows = [(name, now.get(name, Counter()), before.get(name, Counter())) for name in sorted(now.keys() | before.keys())]
    for name, module, old in [*rows, ("all", *total)]:
        line = f"{name:20}{module['files']:7}{module['tokens']:10,}{module['types']:7}"
        if before:
            line += f"{module['tokens'] - old['tokens']:+12,}{module['types'] - old['types']:+7}"
        print(line)


if __name__ == "__main__":
    main()
