#!/usr/bin/env python3
"""The weight of the sources: lines of code and types. Fails where a figure is above what `weight` in Benchmarks/targets.json allows, or
below it where `atLeast` is said. The functions that a journey passes are counted by Scripts/measure-journeys.py.

A line of code has more than a comment on it. A type is a declared class, struct, enum, actor or protocol, nested ones included. A module
that has come since the sums were set has a row of its own, with `newModule`, and is left out of them.

Usage: Scripts/measure-weight.py [--sources FOLDER] [--targets FILE]
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What stands in another module, but came with a new one and for it: has a figure of its own.
BELONGS_TO = {
    "FlaskEntities/Slots": "other modules for FlaskViews",
    "FlaskDerived/Derived+TwoSteps.swift": "other modules for FlaskViews",
    "FlaskSwift5/Views": "other modules for FlaskViews",
}
TYPE = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated|distributed|@unchecked)\s+)*"
    r"(?:class|struct|enum|actor|protocol)\s+[A-Z_]\w*"
)


def lines_of_code(text):
    """The lines that are not blank and not only a comment."""
    inside = False
    for line in text.splitlines():
        code = line.strip()
        if inside or code.startswith("/*"):
            inside = "*/" not in code
        elif code and not code.startswith("//"):
            yield line


def weigh(sources):
    """Of each module its files, lines of code and types."""
    modules = {}
    for path in sorted(sources.rglob("*.swift")):
        lines = list(lines_of_code(path.read_text(encoding="utf-8")))
        place = path.relative_to(sources)
        owner = next((BELONGS_TO[key] for key in BELONGS_TO if place.is_relative_to(key)), place.parts[0])
        modules.setdefault(owner, Counter()).update(
            files=1, lines=len(lines), types=sum(bool(TYPE.match(line)) for line in lines)
        )
    return modules


def figures(modules, new=()):
    """The figures by the names that the targets have for them."""
    total = sum((module for name, module in modules.items() if f"code lines of {name}" not in new), Counter())
    result = {"code lines": total["lines"], "types": total["types"]}
    if total["types"]:
        result["code lines of a type"] = total["lines"] / total["types"]
    for name, module in modules.items():
        result[f"code lines of {name}"] = module["lines"]
        result[f"types of {name}"] = module["types"]
    return result


def held(figures, targets):
    """The lines of the table, and how many figures fail."""
    rows, failures = [], 0
    for row in targets:
        figure, target, allowed = figures.get(row["figure"]), row["target"], row["allowed"]
        if figure is None:
            rows.append(f"-   {row['figure']:48}{'':>10}{target:>10,}{allowed:>10,}  not measured")
            continue
        is_worse = (lambda bound: figure < bound) if row.get("atLeast") else (lambda bound: figure > bound)
        failures += is_worse(allowed)
        mark = "✘" if is_worse(allowed) else "~" if is_worse(target) else "✔"
        value = f"{figure:,}" if isinstance(figure, int) else f"{figure:,.1f}"
        rows.append(f"{mark:4}{row['figure']:48}{value:>10}{target:>10,}{allowed:>10,}{'  at least' if row.get('atLeast') else ''}")
    return rows, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sources", type=Path, default=ROOT / "Sources")
    parser.add_argument("--targets", type=Path, default=ROOT / "Benchmarks/targets.json")
    options = parser.parse_args()
    modules = weigh(options.sources)
    print(f"{'':20}{'files':>7}{'lines':>8}{'types':>7}")
    for name, module in [*modules.items(), ("all", sum(modules.values(), Counter()))]:
        print(f"{name:20}{module['files']:7}{module['lines']:8,}{module['types']:7}")
    targets = json.loads(options.targets.read_text(encoding="utf-8"))["weight"]
    new = {row["figure"] for row in targets if row.get("newModule")}
    rows, failures = held(figures(modules, new), targets)
    print(f"\n{'':4}{'':48}{'':>10}{'target':>10}{'allowed':>10}")
    print("\n".join(rows))
    print("✔ within target   ~ target missed, within what is allowed   ✘ failed   - not there")
    if failures:
        sys.exit(f"{failures} figures are beyond what is allowed")


if __name__ == "__main__":
    main()
