#!/usr/bin/env python3
"""What Package.swift says of the library: its products and modules, each module after those that it depends on.

Usage: Scripts/manifest.py products            the products, one a line, each after those of the modules that it depends on
       Scripts/manifest.py modules [MODULE …]  the modules of the products, or those that the given ones depend on, themselves included
       Scripts/manifest.py below MODULE …      the same without the given ones
"""

import functools
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Manifest:
    def __init__(self, dumped):
        libraries = {p["name"]: p["targets"] for p in dumped["products"] if "library" in p["type"]}
        self.of_products = [name for targets in libraries.values() for name in targets]
        self.dependencies = {
            target["name"]: [name for dependency in target["dependencies"] if (name := named(dependency))]
            for target in dumped["targets"]
            if target["type"] == "regular"
        }
        order = self.modules()
        self.products = sorted(libraries, key=lambda name: max(order.index(target) for target in libraries[name]))

    def modules(self, wanted=None):
        """The given modules, those of all products if none is given, and all that they depend on: dependencies first."""
        found = []

        def visit(name):
            if name in found or name not in self.dependencies:
                return
            for dependency in sorted(self.dependencies[name]):
                visit(dependency)
            found.append(name)

        for name in wanted or self.of_products:
            if name not in self.dependencies:
                raise SystemExit(f"Package.swift has no target {name}")
            visit(name)
        return found


def named(dependency):
    """The name of a target of this package that another one depends on."""
    kind = next((kind for kind in ("byName", "target") if kind in dependency), None)
    return dependency[kind][0] if kind else None


@functools.cache
def manifest():
    # In a folder of its own, since it would wait for a build that runs.
    command = ["swift", "package", "--scratch-path", ROOT / ".build/manifest", "dump-package"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return Manifest(json.loads(done.stdout))


def main():
    verb, names = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if verb == "products":
        print("\n".join(manifest().products))
    elif verb == "modules":
        print("\n".join(manifest().modules(names)))
    elif verb == "below":
        print("\n".join(name for name in manifest().modules(names) if name not in names))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
