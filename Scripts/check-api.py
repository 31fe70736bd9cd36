#!/usr/bin/env python3
"""Compares the public interface with that of the last release, declaration by declaration, by the symbol graphs of both.

What breaks a client: a public declaration or a conformance that is gone, a declaration that is written otherwise, one that is no longer
`open`, a requirement that a protocol gained without a default, and a case that an enum gained which is not `@nonexhaustive`. A parameter
with a default may be added. Each must be named in the newest section of CHANGELOG.md, as `code`, and that section must be of another
major version (of another minor one below 1.0). Additions are listed, and are fine. Declarations behind `@_spi`, and those whose names begin
with an underscore, are not public (docs/public-api.md).

Usage: Scripts/check-api.py [--against REVISION] [--skip-build]     the newest tag by default
       Scripts/check-api.py --list                                  the interface itself, a declaration a line
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from manifest import manifest  # noqa: E402
from releases import CHANGES, newest_tag, sections  # noqa: E402
from symbols import run, write_symbols  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# Where earlier revisions are built: a folder each.
EARLIER = ROOT / ".build/api"
# A name of which a part begins with an underscore is not public.
HIDDEN = re.compile(r"(^|\.)_\w")
# Attributes on which no client depends.
SILENT = re.compile(r"@(inlinable|usableFromInline|available|backDeployed|frozen|_\w+)(\([^()]*\))?\s*")


class Interface:
    """`declarations`: the texts of each name's declarations. `required`: the requirements of protocols without a default."""

    def __init__(self):
        self.declarations = {}
        self.required = set()

    def add(self, module, graph):
        names = {symbol["identifier"]["precise"]: name_of(module, symbol) for symbol in graph["symbols"]}
        for symbol in graph["symbols"]:
            name = names[symbol["identifier"]["precise"]]
            if symbol.get("spi") or HIDDEN.search(name) or symbol["kind"]["identifier"] == "swift.extension":
                continue
            self.declarations.setdefault(name, set()).add(text_of(symbol))
        links = graph["relationships"]
        for link in links:
            if link["kind"] in ("conformsTo", "inheritsFrom") and link["source"] in names:
                other = names.get(link["target"], link.get("targetFallback", link["target"]))
                self.declarations.setdefault(names[link["source"]], set()).add(f"{link['kind']} {other}")
        answered = {link["target"] for link in links if link["kind"] == "defaultImplementationOf"}
        for link in links:
            if link["kind"] == "requirementOf" and link["source"] in names and link["source"] not in answered:
                self.required.add(names[link["source"]])

    def lines(self):
        return [f"{name}: {text}" for name, texts in sorted(self.declarations.items()) for text in sorted(texts)]


def name_of(module, symbol):
    return ".".join([module, *symbol["pathComponents"]])


def text_of(symbol):
    """The declaration as it is written, without the attributes on which no client depends and without the values of defaults."""
    text = SILENT.sub("", "".join(part["spelling"] for part in symbol.get("declarationFragments", [])))
    if "typealias " not in text:
        head, listed, rest = parameters(text)
        texts = [re.sub(r" = .*", " = …", parameter) for parameter in listed]
        text = f"{head}({', '.join(texts)}){rest}" if rest or listed else text
    constraints = symbol.get("swiftExtension", {}).get("constraints", [])
    where = ", ".join(sorted(f"{c['lhs']} {c['kind']} {c['rhs']}" for c in constraints))
    access = "open " if symbol["accessLevel"] == "open" else ""
    return access + re.sub(r"\s+", " ", text).strip() + (f" where {where}" if where else "")


def interface(root):
    """The public interface of the products of a package that is built in `root`/.build."""
    found = Interface()
    # FlaskCoding has no product, and is re-exported by those that need it.
    for module in [*manifest().of_products, "FlaskCoding"]:
        if not (root / "Sources" / module).is_dir():
            continue
        with tempfile.TemporaryDirectory() as graphs:
            write_symbols(root, module, root / ".build/debug/Modules", Path(graphs))
            for graph in sorted(Path(graphs).glob("*.json")):
                found.add(module, json.loads(graph.read_text()))
    return found


def built(revision):
    """A checkout of an earlier revision, which is built once."""
    commit = run(["git", "rev-parse", "--verify", f"{revision}^{{commit}}"], cwd=ROOT).strip()
    # A letter first: the name of the folder becomes that of the package.
    root = EARLIER / f"r{commit}"
    if not root.is_dir():
        root.parent.mkdir(parents=True, exist_ok=True)
        part = root.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        run(["git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, part])
        run(["git", "checkout", "--quiet", commit], cwd=part)
        part.rename(root)
    run(["swift", "build"], cwd=root)
    return root


def breaks(old, new):
    """What breaks a client, a line each: its name, and what has become of it."""
    for name, texts in sorted(old.declarations.items()):
        now = new.declarations.get(name, set()) | extended(name, texts, new)
        if not now:
            yield name, f"is gone: {' | '.join(sorted(texts))}"
        elif gone := opened(texts) - opened(now):
            yield name, f"was {' | '.join(sorted(gone))}; is {' | '.join(sorted(now - texts)) or 'gone'}"
    for name in sorted(new.required - old.required):
        owner = name.rsplit(".", 1)[0]
        if owner in old.declarations:
            yield name, "is a new requirement without a default"
    for name in sorted(new.declarations.keys() - old.declarations.keys()):
        owner = name.rsplit(".", 1)[0]
        is_case = any(text.startswith("case ") for text in new.declarations[name])
        if is_case and owner in old.declarations and not any("@nonexhaustive" in text for text in new.declarations[owner]):
            yield name, "is a new case of an enum that clients may switch over without a default"


def parameters(text):
    """A declaration's text before, in and after its parameter list; the parameters are split at commas of their own level."""
    head, found, rest = text.partition("(")
    if not found:
        return text, [], ""
    level, start, parts = 1, 0, []
    for place, sign in enumerate(rest):
        level += (sign in "([{<") - (sign in ")]}" or sign == ">" and rest[place - 1] != "-")
        if level == 0 or level == 1 and sign == ",":
            parts.append(rest[start:place].strip())
            start = place + 1
        if level == 0:
            return head, [part for part in parts if part], rest[place + 1 :]
    return text, [], ""


def is_extended(old, new):
    """Whether a call of `old` is one of `new`, too: further parameters of `new`, and further defaults, all have a default."""
    (old_head, old_list, old_rest), (head, wanted, rest) = parameters(old), parameters(new)
    if (old_head, old_rest) != (head, rest) or old.startswith("open "):
        return False
    left = list(old_list)
    for parameter in wanted:
        if left and left[0] in (parameter, parameter.removesuffix(" = …")):
            left.pop(0)
        elif not parameter.endswith(" = …"):
            return False
    return not left


def extended(name, texts, new):
    """Of the old texts of `name` those of which a new declaration with the same base name has only more parameters."""
    base = name.split("(")[0]
    others = [text for other, all in new.declarations.items() if other.split("(")[0] == base for text in all]
    return {text for text in texts if any(is_extended(text, other) for other in others)}


def opened(texts):
    """What a client of these declarations can do: an `open` one can also be used as a `public` one."""
    return texts | {text.removeprefix("open ") for text in texts}


def named(name, section):
    """Whether a section of the changelog names a declaration: by its last name, as code."""
    module, _, path = name.partition(".")
    words = re.findall(r"\w+|[^\w.]+|\.\.[.<]", path.split("(")[0])
    codes = re.findall(r"`([^`]+)`", section)

    def is_named(word):
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code) for code in codes)

    # Many types have these, so that the name of the type must be there, too.
    if words[-1] in ("init", "subscript", "value", "mix") and len(words) > 1:
        return is_named(words[-2])
    return is_named(words[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="REVISION", default=newest_tag())
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if not options.skip_build:
        run(["swift", "build"], cwd=ROOT)
    new = interface(ROOT)
    if options.list:
        print("\n".join(new.lines()))
        return
    print(f"{len(new.lines())} public declarations of {len(manifest().of_products)} modules")
    if options.against is None:
        print("no release yet: nothing to compare with")
        return
    old = interface(built(options.against))
    added = sorted(set(new.lines()) - set(old.lines()))
    found = list(breaks(old, new))
    print(f"since {options.against}: {len(added)} added, {len(found)} that break clients")
    for line in added:
        print(f"  added  {line}")
    section = sections()[0]
    gone = {name for name, what in found if what.startswith("is gone")}

    def is_seen(name):
        """A member of a type that is gone need not be named beside the type."""
        owner = name.rpartition(".")[0]
        return named(name, section.text) or owner in gone and is_seen(owner)

    unseen = [(name, what) for name, what in found if not is_seen(name)]
    for name, what in found:
        print(f"  {'BREAKS' if (name, what) in unseen else 'breaks'} {name} {what}")
    if unseen:
        sys.exit(f"{len(unseen)} of them are not named in the section {section.name!r} of {CHANGES}")
    if found and not section.may_break:
        sys.exit(f"{section.name!r} of {CHANGES} may not break clients: name another major version (below 1.0 a minor one)")


if __name__ == "__main__":
    main()
