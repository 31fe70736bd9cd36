#!/usr/bin/env python3
"""Checks that the folders of each module look one way: a folder uses only what those above it declare.

The graph of folders is built from names: a file uses a folder if it names a type, a free function or a global variable
that is declared there, or a member whose name is declared in that folder and nowhere else. A nested type counts under
its outer type. If a member's name is declared in several folders, its uses can't be told apart and are not seen.

Also fails where FlaskCore casts functions or refers to objects without counting outside the folders for that, and where a public type
stands in a file of another name: `Type.swift` has it, or `Type+Aspect.swift`; one that an extension declares lies in a file of either name.

Of the tests: each module has a target of tests, which imports the module, what it depends on, and fixtures, and whose folders are those of
the module. What crosses modules is in the tests of the umbrella.

Usage: Scripts/check-layers.py [--sources FOLDER] [--tests FOLDER] [--report]
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "mutation"))
from manifest import manifest  # noqa: E402
from swift_source import declarations, tokens, without_comments_and_strings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent

# The folders of each module, from the top down. A folder uses those before it. Sub-folders count as their folder.
# "." are files that lie in no folder. `recursive`: folders that use each other, each group with the reason.
LAYERS = {
    "FlaskDiff": {
        "order": ["Types", "Fields", "Contents", "Layout", "StateDiff", "Elements"],
        "recursive": [
            (
                ["Types", "Fields", "Contents"],
                "The record of a type holds how its values are compared and looked into, which is made from the records of its fields' types.",
            ),
        ],
    },
    "FlaskEntities": {"order": [".", "Vector", "Index", "Tree", "Entities", "Slots"], "recursive": []},
    "FlaskMerging": {"order": ["."], "recursive": []},
    "FlaskCoding": {"order": [".", "Fault", "Value", "Serializer", "State", "Reading"], "recursive": []},
    "FlaskSharing": {"order": [".", "Store", "Rows", "Group", "Lease", "Substance"], "recursive": []},
    "FlaskArchive": {
        "order": [
            ".", "Fault", "Digest", "Format", "Backend", "Files", "Journal", "Reading", "Saving", "Group", "Substance",
        ],
        "recursive": [],
    },
    "FlaskRefs": {
        "order": [".", "Values", "JSONText", "Dictionaries"],
        "recursive": [],
    },
    "FlaskCore": {
        "order": [".", "Support", "Archiving", "Cell", "Listening", "Flux", "Substance", "Parts", "Reactor", "Mixers", "Front"],
        "recursive": [
            (
                ["Cell", "Listening", "Flux"],
                "A substance is one object, its cell: it has the state, it knows its flux and who listens, and the flux commits it.",
            ),
        ],
    },
    "FlaskActions": {
        "order": [".", "Action", "Dispatcher", "Store", "Effects", "Middleware", "Lifetimes"],
        "recursive": [
            (
                ["Action", "Dispatcher", "Store", "Effects", "Middleware"],
                "An action goes through the workers of a dispatcher, which hand it on: to stores, and to middleware, whose effects are actions.",
            ),
        ],
    },
    "FlaskScopes": {"order": [".", "Parts", "Members", "Scope", "Presence"], "recursive": []},
    "FlaskDerived": {"order": ["."], "recursive": []},
    "FlaskViews": {"order": [".", "Plan", "Content", "Rows", "View"], "recursive": []},
    "FlaskSwift5": {"order": ["."], "recursive": []},
    "FlaskPrimitives": {"order": [".", "Locking", "JSON"], "recursive": []},
    "FlaskSwiftUI": {"order": ["."], "recursive": []},
    "FlaskHistory": {"order": [".", "Redaction", "Patches", "History"], "recursive": []},
    "FlaskInsight": {
        "order": [".", "Trace", "Budgets", "Signposts", "Liveness", "Recording", "Replay"],
        "recursive": [],
    },
    "FlaskFeed": {"order": ["."], "recursive": []},
    "FlaskTesting": {
        "order": [".", "Issues", "Running", "Assertions", "Exploring", "Archives", "Sharing"],
        "recursive": [],
    },
    "Flask": {"order": ["."], "recursive": []},
}

# The tests of the umbrella show what crosses modules.
UMBRELLA = "Flask"
FIXTURES = {"TestSupport", "KernelFixtures", "ActionFixtures"}

# Constructs that --report counts, by a pattern over code without comments and strings.
CONSTRUCTS = {
    "@unchecked Sendable": r"@unchecked\s+Sendable",
    "unsafeBitCast": r"\bunsafeBitCast\b",
    "Unmanaged": r"\bUnmanaged\b",
    "unowned(unsafe)": r"\bunowned\s*\(\s*unsafe\s*\)",
    "@exclusivity(unchecked)": r"@exclusivity\s*\(\s*unchecked\s*\)",
    "nonisolated(unsafe)": r"\bnonisolated\s*\(\s*unsafe\s*\)",
}
# Where those that are unsafe may stand.
ROOMS = {"FlaskCore": {"Support", "Cell"}}
CONFINED = ["unsafeBitCast", "Unmanaged", "unowned(unsafe)"]

# Members of the standard library and of Foundation that a type of ours may have, too: such a name says nothing.
COMMON_MEMBERS = set(
    """append allSatisfy capacity compactMap contains count data description debugDescription dropFirst dropLast enumerated
    endIndex filter first flatMap forEach hash hashValue index indices insert isEmpty isFinite joined keys last lock lowercased map max
    min name next pop popLast prefix random rawValue reduce remove removeAll removeFirst removeLast removeValue replaceSubrange reserveCapacity
    resume reversed second seconds self shuffled size sleep some none sort sorted split start startIndex stop store load exchange
    subtract suffix sum swapAt synchronize type union unlock update updateValue values wait withLock zip add sub object objectID
    file line column path string int double bool array dictionary null uint8 now key value default current cancel shared url
    starts async sync main immediate bigEndian littleEndian signal finish yield error result get set encode decode read write close open exit success failure pointee
    initialize deinitialize allocate deallocate assign move baseAddress elements isValid priority task id
    """.split()
)


class SourceFile:
    def __init__(self, module, folder, path):
        self.module, self.folder, self.path = module, folder, path
        text = path.read_text(encoding="utf-8")
        self.lines = text.count("\n")
        self.code = without_comments_and_strings(text)
        self.tokens = tokens(self.code)
        self.declared = declarations(self.tokens)


def files_of(sources, module):
    for path in sorted((sources / module).rglob("*.swift")):
        parts = path.relative_to(sources / module).parts
        yield SourceFile(module, parts[0] if len(parts) > 1 else ".", path)


def homes_of_types(files):
    """Of each name at the top level of the module, the folders that declare it."""
    homes = defaultdict(set)
    for file in files:
        for name in [*file.declared.types, *file.declared.functions]:
            homes[name].add(file.folder)
    return homes


def homes_of_members(files, types, foreign):
    """Of each member that is declared in one folder only, and not by another module, that folder."""
    members, others = defaultdict(set), defaultdict(set)
    for file in files:
        own = {name for name, *_ in file.declared.members}
        for name in own:
            members[name].add(file.folder)
        for name in file.declared.names | set(file.declared.functions) | file.declared.nested:
            others[name].add(file.folder)
    return {
        name: next(iter(folders))
        for name, folders in members.items()
        if len(folders) == 1
        and others[name] <= folders
        and name.isidentifier()
        and not any(name in names for names in (COMMON_MEMBERS, types, foreign))
    }


def uses(files, foreign):
    """Each use of another folder: (the file, the line, the name, the folder that declares it).

    `foreign`: the members that other modules declare.
    """
    types = homes_of_types(files)
    members = homes_of_members(files, types, foreign)
    nested_in = defaultdict(set)
    for file in files:
        for name, outer, *_ in file.declared.members:
            nested_in[outer].add(name)
    for file in files:
        shadowed = set(file.declared.nested)
        for outer in {*file.declared.types, *file.declared.extended}:
            shadowed |= nested_in[outer]
        seen = set()
        for index, token in enumerate(file.tokens):
            name = token.text
            if name in seen:
                continue
            previous = file.tokens[index - 1].text if index else ""
            following = file.tokens[index + 1].text if index + 1 < len(file.tokens) else ""
            is_member = previous == "." and not (index > 1 and file.tokens[index - 2].text == file.module)
            home = None
            if not is_member and name in types and name not in shadowed:
                if name in file.declared.types or file.folder in types[name] or len(types[name]) > 1:
                    continue
                is_function = name[0].islower()
                if not is_function or (following in "(<" and previous != "func"):
                    home = next(iter(types[name]))
            elif name in members and previous not in ("func", "var", "let", "case"):
                if is_member or following == "(":
                    home = members[name]
            if home and home != file.folder:
                seen.add(name)
                yield file, token.line, name, home


def cycles(graph):
    """The groups of folders that reach each other."""

    def reached(start):
        found, waiting = set(), [start]
        while waiting:
            for target in graph.get(waiting.pop(), ()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    reach = {folder: reached(folder) for folder in graph}
    groups = {frozenset(o for o in reach[f] if f in reach.get(o, ())) for f in graph if f in reach[f]}
    return sorted(sorted(group) for group in groups)


def check_module(sources, module, table, files, foreign):
    """The failures of one module, and its graph of folders."""
    order, groups = table["order"], [set(folders) for folders, _ in table["recursive"]]
    failures, graph, one_way = [], defaultdict(set), defaultdict(set)
    for folder in sorted({file.folder for file in files} - set(order)):
        failures.append(f"{sources.name}/{module}/{folder}: this folder has no place in the order of Scripts/check-layers.py")
    for file, line, name, home in uses(files, foreign):
        graph[file.folder].add(home)
        if any({file.folder, home} <= group for group in groups):
            continue
        one_way[file.folder].add(home)
        if file.folder in order and home in order and order.index(home) > order.index(file.folder):
            path = file.path.relative_to(sources.parent)
            failures.append(f"{path}:{line}: {file.folder} uses {name} of {home}, which stands below it")
    for group in cycles(one_way):
        failures.append(f"{module}: {len(group)} folders form a cycle: {', '.join(group)}")
    return failures, graph


def check_rooms(sources, files):
    """The unsafe constructs that stand outside their rooms."""
    for file in files:
        rooms = ROOMS.get(file.module)
        if rooms is None or file.folder in rooms:
            continue
        for construct in CONFINED:
            for match in re.finditer(CONSTRUCTS[construct], file.code):
                line = file.code.count("\n", 0, match.start()) + 1
                path = file.path.relative_to(sources.parent)
                yield f"{path}:{line}: {construct} stands outside {' and '.join(sorted(rooms))}"


KIND = r"(?:final |indirect )?(?:class|struct|enum|protocol|actor) (\w+)"
PUBLIC_TYPE = re.compile(rf"^(?:@\S+ )*(?:public|open) {KIND}", re.MULTILINE)
NESTED_PUBLIC_TYPE = re.compile(rf"^  (?:@\S+ )*(?:public|open) {KIND}", re.MULTILINE)
EXTENSION = re.compile(r"^extension (\w+)[^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def check_files(sources, files):
    """The public types that stand in files of other names."""
    for file in files:
        names = file.path.stem.split("+")
        found = [(match.start(1), match[1]) for match in PUBLIC_TYPE.finditer(file.code) if match[1] != names[0]]
        for extension in EXTENSION.finditer(file.code):
            if extension[1] != names[0]:
                nested = NESTED_PUBLIC_TYPE.finditer(extension[2])
                found += [(extension.start(2) + match.start(1), match[1]) for match in nested if match[1] not in names]
        # Names with an underscore are not public: see docs/public-api.md.
        for place, name in [(place, name) for place, name in found if not name.startswith("_")]:
            line = file.code.count("\n", 0, place) + 1
            yield f"{file.path.relative_to(sources.parent)}:{line}: {name} is public and has no file of its name"


IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))? )*(?:\w+ )?import (?:(?:struct|class|enum|protocol|func|var|let|actor|typealias) )?(\w+)", re.MULTILINE)


def check_tests(sources, tests, dependencies):
    """The tests that import what their module does not depend on, or whose folder is none of its module.

    `dependencies`: of each module and each target of fixtures, those that it depends on.
    """

    def below(names):
        found, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += dependencies.get(name, ())
        return found

    modules = {path.name for path in sources.iterdir() if path.is_dir()}
    for module in sorted(modules):
        folder = tests / f"{module}Tests"
        files = sorted(folder.rglob("*.swift"))
        if not files:
            yield f"{tests.name}/{folder.name}: {module} has no tests of its own"
        if module == UMBRELLA:
            continue
        known = below([module])
        allowed = known | {name for name in FIXTURES if below([name]) - FIXTURES <= known}
        for path in files:
            place = f"{tests.name}/{path.relative_to(tests)}"
            for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
                if match[1] in modules | FIXTURES and match[1] not in allowed:
                    yield f"{place}: the tests of {module} import {match[1]}, on which it does not depend"
            inner = path.parent.relative_to(folder)
            if inner.parts and inner.parts[0] not in {"Fixtures", "Simulation"} and not (sources / module / inner).is_dir():
                yield f"{place}: {module} has no folder {inner}"


def check_fixtures(tests, dependencies):
    """The fixtures that import what the manifest does not let them depend on."""
    for name in sorted(FIXTURES):
        for path in sorted((tests / name).rglob("*.swift")):
            for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
                if match[1].startswith("Flask") and match[1] not in dependencies[name]:
                    yield f"{tests.name}/{path.relative_to(tests)}: {name} imports {match[1]}, on which it does not depend"


def report(modules):
    head = ["module", "files", "lines", "< 20", "> 300", *CONSTRUCTS]
    rows = [
        [
            module,
            len(files),
            sum(file.lines for file in files),
            sum(file.lines < 20 for file in files),
            sum(file.lines > 300 for file in files),
            *(sum(len(re.findall(pattern, file.code)) for file in files) for pattern in CONSTRUCTS.values()),
        ]
        for module, (files, _) in modules.items()
    ]
    rows.append(["all", *(sum(column) for column in list(zip(*rows))[1:])])
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) + " |")
    for module, (_, graph) in modules.items():
        print(f"\n{module}:")
        for folder in sorted(graph):
            print(f"  {folder} → {', '.join(sorted(graph[folder]))}")


def check(sources, layers):
    """All failures, and the files and the graph of each module."""
    failures, modules = [], {}
    for folder in sorted(path.name for path in sources.iterdir() if path.is_dir()):
        if folder not in layers:
            failures.append(f"{sources.name}/{folder}: this module has no order in Scripts/check-layers.py")
    files = {module: list(files_of(sources, module)) for module in layers}
    members = {module: {name for file in files[module] for name, *_ in file.declared.members} for module in layers}
    for module, table in layers.items():
        foreign = set().union(*(members[other] for other in layers if other != module))
        found, graph = check_module(sources, module, table, files[module], foreign)
        failures += [*found, *check_rooms(sources, files[module]), *check_files(sources, files[module])]
        modules[module] = (files[module], graph)
    return failures, modules


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sources", type=Path, default=ROOT / "Sources")
    parser.add_argument("--tests", type=Path, default=ROOT / "Tests")
    parser.add_argument("--report", action="store_true", help="prints sizes, unsafe constructs and the graph of folders")
    options = parser.parse_args()
    failures, modules = check(options.sources.resolve(), LAYERS)
    failures += check_tests(options.sources.resolve(), options.tests.resolve(), manifest().dependencies)
    failures += check_fixtures(options.tests.resolve(), manifest().dependencies)
    if options.report:
        report(modules)
        print()
    for failure in failures:
        print(failure)
    if failures:
        sys.exit(f"{len(failures)} failures")
    print("✔ the folders of every module look one way, and its tests import nothing above it")


if __name__ == "__main__":
    main()
