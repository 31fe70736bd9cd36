#!/usr/bin/env python3
"""Builds the site of the documentation in .build-docs/site from the modules that are built in .build, and checks it.

Each module has a catalog, Sources/<Module>/<Module>.docc: its first page, and pages that sort the members of its big types. The pages of
docs/ become articles of the umbrella's catalog, in a copy: they have one source, and their links lead to each other there as here.

What fails: a warning of docc (a link that leads nowhere, a parameter without a line); a public symbol at the top of a module under no
topic; a type with more than AUTOMATIC members that are not sorted by hand; and a type that is sorted in part. The members of smaller
types are sorted by docc, by their kind.

Usage: Scripts/build-docs.py [--skip-build]

To look at the site: python3 -m http.server --directory .build-docs/site, then http://localhost:8000/documentation.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from manifest import manifest  # noqa: E402
from symbols import run, tool, write_symbols  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / ".build-docs"
SITE = OUT / "site"
UMBRELLA = "Flask"
# Those of products, and those below them that have names for users. Each may link to those before it.
MODULES = [
    name
    for name in manifest().modules()
    if name != UMBRELLA and (name in manifest().of_products or (ROOT / f"Sources/{name}/{name}.docc").is_dir())
] + [UMBRELLA]
# How many members of a type may be left to docc, which sorts them by kind.
AUTOMATIC = 12
TYPES = {"struct", "class", "enum", "protocol", "actor", "module"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def without_twins(graph):
    """Of what there is twice, for clients in either language mode, what clients in Swift 6 mode see: it is no news that it is there."""
    twins = set()
    for symbol in graph["symbols"]:
        modes = [entry for entry in symbol.get("availability", []) if entry.get("domain") == "Swift"]
        if any("obsoleted" in entry for entry in modes):
            twins.add(symbol["identifier"]["precise"])
        symbol["availability"] = [entry for entry in symbol.get("availability", []) if entry not in modes]
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in twins]
    graph["relationships"] = [link for link in graph["relationships"] if not {link["source"], link["target"]} & twins]
    return graph


# The pages of docs/ as articles


def articles():
    """The names of the articles, by page. What is for those who work on Flask itself stays out."""
    pages = {}
    for path in sorted((ROOT / "docs").glob("**/*.md")):
        folder, stem = path.parent.name, path.stem
        if folder == "internals" or path == ROOT / "docs/README.md":
            continue
        if folder == "coming-from":
            pages[path] = folder if stem == "README" else f"{folder}-{stem}"
        elif folder == "guides":
            # The list of the guides is what the first page shows.
            pages[path] = "/documentation/Flask" if stem == "README" else f"guide-{stem}"
        else:
            pages[path] = stem
    return pages


def anchor(heading):
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    return {anchor(heading): heading.strip() for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def types():
    """Where the page of each symbol at the top of a module is, by its name; not of the enum `Flask`, since pages mean the module."""
    found = {}
    for module in MODULES:
        graph = json.loads((OUT / "graphs" / module / f"{module}.symbols.json").read_text())
        names = [symbol["pathComponents"][0] for symbol in graph["symbols"] if len(symbol["pathComponents"]) == 1]
        found |= {name: f"/{module}/{name}" for name in names if name.isidentifier() and name not in MODULES}
    return found


def article_text(text, link, types):
    """A page as docc has it: without the marks of check-docs.py, each link being what `link` makes of it, and the first mention of a
    type leading to its page."""
    types = dict(types)

    def mention(match):
        return f"``{types.pop(match[1])}``" if match[1] in types else match[0]

    def with_mentions(line):
        return line if line.startswith("#") or LINK.search(line) else re.sub(r"(?<!`)`(\w+)`(?!`)", mention, line)

    parts = re.split(r"(^```.*?^```$)", text.lstrip(), flags=re.M | re.S)
    for index in range(0, len(parts), 2):
        prose = re.sub(r"^<!--.*?-->\n", "", parts[index], flags=re.M | re.S)
        lines = [with_mentions(line) for line in prose.split("\n")]
        parts[index] = LINK.sub(lambda match: link(*match.groups()), "\n".join(lines))
    title, _, rest = "".join(parts).partition("\n")
    return title.replace("`", "") + "\n" + rest


def article(path, pages, catalog, types):
    """Writes a page as an article, with its pictures."""

    def link(picture, text, address):
        if "://" in address or address.startswith("mailto:"):
            return f"[{text}]({address})"
        file, _, fragment = address.partition("#")
        goal = (path.parent / file).resolve() if file else path
        if picture:
            shutil.copy(goal, catalog / goal.name)
            return f"![{text}]({goal.name})"
        if goal not in pages:
            return text
        if fragment:
            heading = re.sub(r"[`\"'“”’]", "", headings(goal)[fragment])
            fragment = "#" + re.sub(r"\s+", "-", heading)
        return f"[{text}](<doc:{pages[goal]}{fragment}>)"

    (catalog / f"{pages[path]}.md").write_text(article_text(path.read_text(), link, types))


def topics(pages):
    """The topics of the articles, for the umbrella's first page: the guides in the order of their table."""
    def listed(folder):
        text = (ROOT / "docs" / folder / "README.md").read_text()
        linked = [(ROOT / "docs" / folder / match[3]).resolve() for match in LINK.finditer(text) if not match[1]]
        return [pages[path] for path in dict.fromkeys(linked) if path in pages]

    guides, coming = listed("guides"), listed("coming-from")
    rest = [name for path, name in pages.items() if path.parent == ROOT / "docs"]
    groups = {"Guides": guides, "Coming from": ["coming-from", *coming], "Reference": rest}
    if missing := {name for name in pages.values() if not name.startswith("/")} - {name for names in groups.values() for name in names}:
        sys.exit(f"no list links to these pages: {', '.join(sorted(missing))}")
    return "".join(f"### {title}\n\n" + "".join(f"- <doc:{name}>\n" for name in names) + "\n" for title, names in groups.items())


def catalog_of(module):
    source = ROOT / f"Sources/{module}/{module}.docc"
    catalog = OUT / "catalogs" / source.name
    shutil.copytree(source, catalog)
    if module == UMBRELLA:
        pages, known = articles(), types()
        for path in pages:
            if not pages[path].startswith("/"):
                # The names on a page of comparison may be those of the other framework.
                article(path, pages, catalog, {} if path.parent.name == "coming-from" else known)
        first = catalog / f"{module}.md"
        text = first.read_text()
        first.write_text(text.replace("## Topics\n\n", "## Topics\n\n" + topics(pages), 1))
    return catalog


# The site


def convert(module, catalog, graphs, dependencies):
    """Builds the archive of a module; its warnings."""
    archive = OUT / "archives" / f"{module}.doccarchive"
    archive.parent.mkdir(exist_ok=True)
    result = subprocess.run(
        [*tool("docc"), "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-dir", archive]
        + ["--fallback-display-name", module, "--fallback-bundle-identifier", module, "--ide-console-output"]
        + ["--enable-experimental-external-link-support", "--enable-experimental-overloaded-symbol-presentation"]
        + ["--default-code-listing-language", "swift"]
        + [part for dependency in dependencies for part in ("--dependency", dependency)],
        capture_output=True,
        text=True,
    )
    output = (result.stdout + result.stderr).replace(str(catalog), f"Sources/{module}/{module}.docc").replace(f"{ROOT}/", "")
    problems = [line for line in output.splitlines() if ": warning: " in line or ": error: " in line]
    if result.returncode != 0 and not problems:
        problems = [output]
    return archive, problems


def unsorted(archive):
    """What stands under no topic of ours: the page, and what docc sorted by itself."""
    problems = []
    for page in sorted((archive / "data/documentation").glob("**/*.json")):
        content = json.loads(page.read_text())
        sections = [s for s in content.get("topicSections", []) if s["title"] != "Default Implementations"]
        left = [name for s in sections if s.get("generated") for name in s["identifiers"]]
        path = content["identifier"]["url"].split("/documentation/")[1]
        # Not the pages of overloads and of default implementations, nor that of a module that is extended here.
        if content["metadata"].get("symbolKind") not in TYPES or not left:
            continue
        by_hand = any(not s.get("generated") for s in sections)
        if path == archive.stem or by_hand or len(left) > AUTOMATIC:
            links = "".join(f"\n    - ``{item.split('/documentation/')[1][len(path) + 1:]}``" for item in left)
            problems.append(f"{path}: under no topic of a page in Sources/{archive.stem}/{archive.stem}.docc:{links}")
    return problems


def main():
    if missing := [name for name in MODULES if not (ROOT / f"Sources/{name}/{name}.docc").is_dir()]:
        sys.exit(f"write a catalog for: {', '.join(missing)}")
    if "--skip-build" not in sys.argv:
        run([ROOT / "Scripts/build.sh", "."])
    shutil.rmtree(OUT, ignore_errors=True)
    archives, problems = [], []
    for module in MODULES:
        graphs = OUT / "graphs" / module
        write_symbols(ROOT, module, ROOT / ".build/debug/Modules", graphs)
        for graph in graphs.glob("*.json"):
            graph.write_text(json.dumps(without_twins(json.loads(graph.read_text()))))
        archive, warnings = convert(module, catalog_of(module), graphs, archives)
        archives.append(archive)
        problems += warnings + unsorted(archive)
    if problems:
        print("\n".join(problems), flush=True)
        sys.exit(f"✘ the documentation has {len(problems)} problems")
    run(
        [*tool("docc"), "merge", *reversed(archives), "--output-path", SITE, "--synthesized-landing-page-name", "Flask"]
        + ["--synthesized-landing-page-kind", "Package", "--synthesized-landing-page-topics-style", "list"]
    )
    pages = len(list((SITE / "data/documentation").glob("**/*.json")))
    print(f"✔ {pages} pages in {os.path.relpath(SITE)}")


if __name__ == "__main__":
    main()
