#!/usr/bin/env python3
"""Compiles and runs every block of Swift in README.md, docs/, the catalogs of docc and the comments of the sources, in three language modes.

Usage: Scripts/check-docs.py [--list] [--mode MODE …] [PAGE …]      MODE is Five, Six or MainActor; all three if none is named

A block (```swift) is a program of its own, with `import Flask` if it imports nothing of Flask's. A block of ```text after it is what
the program prints. Comments before a block, one a line, say otherwise:

  <!-- swift: continues -->             it goes on where the block before it ended
  <!-- swift: fragment Name … -->       with the declarations of Scripts/docs/Name.swift
  <!-- swift: inside Name -->           in Scripts/docs/Name.swift, in place of the line that says so
  <!-- swift: file -->                  its variables are global, as in a file other than main.swift
  <!-- swift: nonisolated Name … -->    where the main actor is the default isolation, these types are declared nonisolated
  <!-- swift: program Name file.swift --> it belongs to a file of an executable of its own; with main.swift, as it stands
  <!-- swift: six because … -->         it is not compiled in Swift 5 mode
  <!-- swift: skip because … -->        it is not compiled
  <!-- swift: tested Tests/….swift -->  that file, which the tests compile and run, has it as it stands, but for imports
  <!-- swift: again -->                 before a block of text: what an executable of its own prints when it is run a second time
  <!-- swift: message -->               before a block of text: it is not what the block before it prints

The same goes for those blocks in the comments of Sources that Scripts/docs/docstrings.txt lists, with their marks.

All programs of a mode are one module: the declarations of each are members of an enum of its own, its statements the body of an
asynchronous function on the main actor. Where the main actor is the default isolation, the types of a model are declared nonisolated,
as docs/guides/concurrency.md tells its readers to do: structs and enums other than views, and subclasses of Flask's classes.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build/check-docs"
FRAGMENTS = ROOT / "Scripts/docs"
MODES = {
    "Five": ".swiftLanguageMode(.v5)",
    "Six": ".swiftLanguageMode(.v6)",
    "MainActor": ".swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)",
}
MODULES = ("Flask", "FlaskCore", "FlaskRefs", "FlaskArchive", "FlaskEntities", "FlaskDiff", "FlaskSwiftUI", "FlaskFeed", "FlaskViews",
           "FlaskSharing", "FlaskTesting")
MARK = re.compile(r"<!-- swift: (\w+)\s*(.*?)\s*-->")
MODIFIERS = (
    r"(?:@\w+(?:\([^)]*\))?\s+|public |private |fileprivate |internal |final |nonisolated |indirect |open |"
    r"nonisolated\(unsafe\) )*"
)
TYPE = re.compile(rf"^{MODIFIERS}(struct|class|enum|actor|protocol)\s+(\w+)")
EXTENSION = re.compile(rf"^{MODIFIERS}extension\s+(\w+)")
FUNCTION = re.compile(rf"^{MODIFIERS}func\s+(\w+)")
VARIABLE = re.compile(rf"^{MODIFIERS}(?:let|var)\s+(\w+)")
# What is declared nonisolated where the main actor is the default isolation: the types of a model, but for those that conform to a
# protocol of ours that makes them so.
MODEL = re.compile(
    r"^(?:public |final |indirect )*(?:struct|enum) \w+(?!.*\b(?:View|FlaskState|State|SubstanceMixer)\b)|"
    r"^(?:public |open |final )*class \w+(?:<[^>]*>)?: *(?:Substance|ReactiveSubstance|FluxStore|FluxMiddleware|FluxWorker|ArchiveBackend|Sendable|@unchecked Sendable)\b"
)


@dataclass
class Block:
    page: str
    line: int
    code: str
    marks: dict = field(default_factory=dict)
    prints: str | None = None
    prints_again: str | None = None


@dataclass
class Program:
    """What is compiled together: a block, and those that continue it."""

    blocks: list

    @property
    def name(self):
        return re.sub(r"\W+", "_", f"{self.blocks[0].page}_{self.blocks[0].line}")

    @property
    def place(self):
        return f"{self.blocks[0].page}:{self.blocks[0].line}"

    @property
    def expected(self):
        texts = [block.prints for block in self.blocks if block.prints is not None]
        return "".join(texts) if texts else None

    def words(self, mark):
        return [word for block in self.blocks for word in block.marks.get(mark, "").split()]

    def is_in(self, mode):
        return mode != "Five" or not any("six" in block.marks for block in self.blocks)


def blocks(page, lines, marks_of=None):
    """The blocks of Swift of a page, whose lines are numbered."""
    found, pending, index = [], {}, 0
    while index < len(lines):
        number, line = lines[index]
        index += 1
        if mark := MARK.search(line):
            pending[mark[1]] = mark[2]
            continue
        if not line.lstrip().startswith("```"):
            if line.strip():
                pending = {}
            continue
        indent = len(line) - len(line.lstrip())
        language = line.strip()[3:].strip()
        body = []
        while index < len(lines) and lines[index][1].strip() != "```":
            body.append(lines[index][1][indent:])
            index += 1
        index += 1
        text = "\n".join(body) + "\n"
        if language == "swift" or (language == "" and marks_of is not None):
            marks = pending if marks_of is None else marks_of(number)
            found.append(Block(page, number, text, marks))
        elif language == "text" and found and "again" in pending:
            found[-1].prints_again = text
        elif language == "text" and found and "message" not in pending and found[-1].prints is None:
            found[-1].prints = text
        pending = {}
    return found


def pages(chosen):
    """The blocks of the given pages; of all, and of the comments of the sources, if none is given."""
    every = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "Sources").glob("*/*.docc/*.md"))]
    for page in every:
        if chosen and page not in chosen:
            continue
        lines = list(enumerate(page.read_text().splitlines(), 1))
        yield from blocks(str(page.relative_to(ROOT)), lines)
    if not chosen:
        yield from docstrings()


def docstrings():
    """The blocks in the comments of the sources. Each is found by its file and its number there."""
    table = {}
    path = FRAGMENTS / "docstrings.txt"
    if path.exists():
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                place, _, marks = line.partition(" ")
                table.setdefault(place, {}).update({m[1]: m[2] for m in re.finditer(r"\[(\w+) ?(.*?)\]", marks)})
    unused = set(table)
    for source in sorted((ROOT / "Sources").rglob("*.swift")):
        name = str(source.relative_to(ROOT))
        lines = [
            (number, re.sub(r"^\s*/// ?", "", line) if line.lstrip().startswith("///") else "")
            for number, line in enumerate(source.read_text().splitlines(), 1)
        ]
        numbered = iter(range(1, 1000))

        def marks(_, name=name, numbered=numbered):
            key = f"{Path(name).name}#{next(numbered)}"
            unused.discard(key)
            return table.get(key, {})

        yield from (block for block in blocks(name, lines, marks) if block.marks)
    for key in sorted(unused):
        sys.exit(f"Scripts/docs/docstrings.txt: there is no block {key}")


def is_in_test(block, test):
    """Whether a file of tests has what a block declares."""
    return re.sub(r"^(@testable )?import .*\n", "", block.code, flags=re.M).strip() in test


def programs(found):
    """Blocks put together; those of executables of their own apart."""
    plain, executables, skipped = [], {}, []
    for block in found:
        if "tested" in block.marks and not is_in_test(block, (ROOT / block.marks["tested"]).read_text()):
            sys.exit(f"{block.page}:{block.line}: {block.marks['tested']} has not this text")
        if "skip" in block.marks:
            if not block.marks["skip"].startswith("because "):
                sys.exit(f"{block.page}:{block.line}: say why it is skipped")
            skipped.append(block)
        elif "program" in block.marks:
            name, file = block.marks["program"].split()
            executables.setdefault(name, []).append((file, block))
        elif "tested" in block.marks:
            continue
        elif "continues" in block.marks:
            if not plain:
                sys.exit(f"{block.page}:{block.line}: there is nothing to continue")
            plain[-1].blocks.append(block)
        else:
            plain.append(Program([block]))
    return plain, executables, skipped


def chunks(block_lines):
    """Splits code at the lines that begin in the first column."""
    current = []
    prefix_only = True
    for number, line in block_lines:
        begins = bool(line) and not line[0].isspace() and line[0] not in "})]" and not line.startswith(("else", "."))
        if line.startswith("#"):
            begins = True
        if begins and current and not prefix_only:
            yield current
            current = []
            prefix_only = True
        current.append((number, line))
        if line.strip():
            prefix_only = prefix_only and bool(re.match(r"^(///|//|@\w+(\([^)]*\))?\s*$)", line))
    if current:
        yield current


def location(page, line):
    """What makes the compiler speak of a page. Two pages of one name in two folders would be one to it."""
    return f'#sourceLocation(file: "{page.replace("/", "|")}", line: {line})\n'


def nonisolated(line, is_wanted=False):
    """A declaration of a type as it is where the main actor is the default isolation."""
    if "nonisolated" in line or "@MainActor" in line or not (is_wanted or MODEL.match(line)):
        return line
    return "nonisolated " + line


def translate(program, mode):
    """The source of a program as members of an enum, with the lines of the page noted."""
    imports, members, statements, outside = [], [], [], []
    pieces = []
    for name in program.words("fragment"):
        path = FRAGMENTS / f"{name}.swift"
        if not path.exists():
            sys.exit(f"{program.place}: there is no {path.relative_to(ROOT)}")
        lines = list(enumerate(path.read_text().splitlines(), 1))
        pieces += [(str(path.relative_to(ROOT)), chunk, True) for chunk in chunks(lines)]
    for block in program.blocks:
        code = block.code
        if block.page.startswith("Sources/"):
            code = code.replace("…", "")
        if name := block.marks.get("inside"):
            frame = (FRAGMENTS / f"{name}.swift").read_text()
            space, mark = re.search(r"^( *)(// The block stands here.\n)", frame, re.M).groups()
            code = frame.replace(space + mark, "".join(f"{space}{line}\n" for line in code.splitlines()))
        lines = list(enumerate(code.splitlines(), block.line + 1))
        is_file = "file" in block.marks or "inside" in block.marks
        pieces += [(block.page, chunk, is_file) for chunk in chunks(lines)]

    types, locals_, plain = set(), [], program.words("nonisolated")
    for _, chunk, is_file in pieces:
        head = next((line for _, line in chunk if line.strip() and not re.match(r"^(//|@\w+(\([^)]*\))?\s*$)", line)), "")
        if match := TYPE.match(head):
            types.add(match[2])
        elif not is_file and (match := VARIABLE.match(head)):
            locals_.append(match[1])
        elif not is_file and (match := re.match(r"^(?:let|var)\s+\((.*?)\)", head)):
            locals_ += [name.strip() for name in match[1].split(",")]
    for page, chunk, is_file in pieces:
        lines = [line for _, line in chunk]
        at = next((i for i, line in enumerate(lines) if line.strip() and not re.match(r"^(//|@\w+(\([^)]*\))?\s*$)", line)), None)
        if at is None:
            continue
        head, number = lines[at], chunk[0][0]
        while lines and not lines[-1].strip():
            lines.pop()
        text = "\n".join(lines)
        mark = location(page, number)
        if re.match(r"^(@testable |@_exported )?(public )?import ", head):
            imports += [line for line in lines if re.match(r"^(public )?import ", line)]
        elif match := TYPE.match(head):
            if mode == "MainActor":
                lines[at] = nonisolated(head, match[2] in plain)
                text = "\n".join(lines)
            members.append(mark + text)
        elif match := EXTENSION.match(head):
            # The members of an enum are not known by their names alone at file level.
            for name in sorted(types):
                text = re.sub(rf"(?<![\w.\"]){name}\b(?!:)", f"{program.name}.{name}", text)
            outside.append(mark + text)
        elif match := FUNCTION.match(head):
            uses = any(re.search(rf"\b{name}\b", text) for name in locals_)
            (statements if uses and not is_file else members).append(
                mark + (text if uses and not is_file else re.sub(r"\bfunc ", "static func ", text, count=1))
            )
        elif is_file and VARIABLE.match(head):
            members.append(mark + re.sub(r"\b(let|var)\b", r"static \1", text, count=1))
        else:
            statements.append(mark + text)
    if program.words("fragment") or not any(re.search(rf"\bimport {module}\b", line) for line in imports for module in MODULES):
        imports.insert(0, "import Flask")
    body = "\n".join(statements)
    # A name that is not used again would be released early, and warned of: a token, above all.
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"|//.*', "", re.sub(r"\\\(", "(", body))
    kept = [name for name in locals_ if name != "_" and len(re.findall(rf"\b{name}\b", bare)) == 1]
    keep = "".join(f"withExtendedLifetime({name}) {{}}\n" for name in kept)

    def apart(texts):
        return "\n".join(texts) + "\n#sourceLocation()\n" if texts else ""

    return (
        "\n".join(dict.fromkeys(imports)) + f"\n\nenum {program.name} {{\n" + apart(members)
        + "@MainActor static func run() async throws {\n" + apart(statements) + keep + "}\n}\n" + apart(outside)
    )


def write(path, text):
    """Leaves a file alone that has the text, so that it is not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_package(plain, executables, modes):
    sources = SCRATCH / "Sources"
    wanted, targets = set(), []

    def add(path, text):
        wanted.add(path)
        write(path, text)

    products = ", ".join(f'.product(name: "{name}", package: "Flask")' for name in ("Flask", "FlaskSwiftUI", "FlaskFeed", "FlaskSharing", "FlaskTesting"))
    for mode in modes:
        settings = MODES[mode]
        targets.append(f'    .executableTarget(name: "Docs{mode}", dependencies: flask, swiftSettings: [{settings}]),')
        those = [program for program in plain if program.is_in(mode)]
        for program in those:
            add(sources / f"Docs{mode}/{program.name}.swift", translate(program, mode))
        cases = "".join(f'  case "{program.name}": try await {program.name}.run()\n' for program in those)
        add(
            sources / f"Docs{mode}/Main.swift",
            "@main struct Main {\n  @MainActor static func main() async throws {\n  switch CommandLine.arguments[1] {\n"
            + cases + '  default: print("no such program")\n  }\n  }\n}\n',
        )
        for name, files in executables.items():
            targets.append(
                f'    .executableTarget(name: "{name}{mode}", dependencies: flask, swiftSettings: [{settings}]),'
            )
            texts = {}
            for file, block in files:
                lines = block.code.splitlines()
                if mode == "MainActor":
                    lines = [nonisolated(line) for line in lines]
                texts[file] = texts.get(file, "") + location(block.page, block.line + 1) + "\n".join(lines) + "\n"
            for file, text in texts.items():
                add(sources / f"{name}{mode}/{file}", text + "#sourceLocation()\n")
    if sources.exists():
        for path in sources.rglob("*.swift"):
            if path not in wanted:
                path.unlink()
        for folder in sources.iterdir():
            if not any(folder.iterdir()):
                folder.rmdir()
    write(
        SCRATCH / "Package.swift",
        "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
        f"let flask: [Target.Dependency] = [{products}]\n"
        "let package = Package(\n  name: \"Docs\",\n  platforms: [.macOS(.v15)],\n"
        '  dependencies: [.package(name: "Flask", path: "../..")],\n  targets: [\n' + "\n".join(targets) + "\n  ]\n)\n",
    )


def build():
    swift = os.environ.get("SWIFT", "swift").split()
    run = subprocess.run(
        [*swift, "build", "--package-path", str(SCRATCH), "--scratch-path", str(ROOT / ".build")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    found = re.findall(rf"^(?:{re.escape(str(ROOT))}/)?(\S+:\d+:\d+: (?:error|warning): .*)$", run.stdout, re.M)
    told = sorted({re.sub(r"^\S+?\.md|^\S+?\.swift", lambda match: match[0].replace("|", "/"), line) for line in found})
    told = [line for line in told if not re.search(r"^Sources/.*must restate inherited '@unchecked Sendable'", line)]
    told = [line for line in told if not re.search(r"warning: .*(was never (used|mutated)|but never read)", line)]
    for line in told:
        print(line, file=sys.stderr)
    if run.returncode and not told:
        print(run.stdout[-4000:], file=sys.stderr)
    return run.returncode == 0 and not told


def run_program(arguments, home):
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", XDG_DATA_HOME=str(home), HOME=str(home))
    run = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=SCRATCH, timeout=60)
    return run.stdout, run.stderr, run.returncode


def check_output(name, mode, runs, arguments):
    home = SCRATCH / "home" / re.sub(r"\W+", "_", f"{name}-{mode}")
    for expected in runs:
        try:
            printed, faults, status = run_program(arguments, home)
        except subprocess.TimeoutExpired:
            return f"{name} ({mode}) does not end"
        if status:
            return f"{name} ({mode}) ends with {status}\n{faults}"
        if printed != expected:
            return f"{name} ({mode}) prints\n{printed}instead of\n{expected}{faults}"
    return None


def missing():
    """What a page promises to have all of, and has not."""
    kinds = (ROOT / "Sources/FlaskCore/Support/FlaskFault+Kind.swift").read_text()
    faults = (ROOT / "docs/guides/faults.md").read_text()
    for kind in re.findall(r"^    public static var (\w+)", kinds, re.M):
        if f"| `{kind}` |" not in faults:
            yield f"docs/guides/faults.md has no line for the kind {kind}"
    heads = [path.read_text().splitlines()[0] for path in (ROOT / "Scripts/isolation").glob("reject-*.swift")]
    messages = {head.split("error: ", 1)[1] for head in heads}
    page = (ROOT / "docs/guides/troubleshooting.md").read_text()
    shown = set(re.findall(r"```text\n(.*)\n```", page))
    yield from (f"docs/guides/troubleshooting.md lacks “{message}”" for message in sorted(messages - shown))
    yield from (f"docs/guides/troubleshooting.md: no file in Scripts/isolation has “{message}”" for message in sorted(shown - messages))
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
            if not (path.parent / link).exists():
                yield f"{path.relative_to(ROOT)} links to {link}, which is not there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("pages", nargs="*", type=lambda name: Path(name).resolve())
    arguments = parser.parse_args()
    modes = [mode for mode in MODES if mode in (arguments.mode or MODES)]
    if wrong := list(missing()):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    found = list(pages(arguments.pages))
    plain, executables, skipped = programs(found)
    if arguments.list:
        for block in found:
            print(f"{block.page}:{block.line}", block.marks or "", "prints" if block.prints else "")
        return 0
    write_package(plain, executables, modes)
    if not build():
        return 1
    bin_path = ROOT / ".build/debug"
    jobs = []
    shutil.rmtree(SCRATCH / "home", ignore_errors=True)
    for mode in modes:
        for program in plain:
            if program.expected is not None and program.is_in(mode):
                jobs.append((program.place, mode, [program.expected], [str(bin_path / f"Docs{mode}"), program.name]))
        for name, files in executables.items():
            place = f"{files[0][1].page}:{files[0][1].line}"
            runs = [
                "".join(text for text in texts if text is not None)
                for texts in ([block.prints for _, block in files], [block.prints_again for _, block in files])
                if any(text is not None for text in texts)
            ]
            jobs.append((place, mode, runs, [str(bin_path / f"{name}{mode}")]))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [fault for fault in pool.map(lambda job: check_output(*job), jobs) if fault]
    for fault in wrong:
        print(fault, file=sys.stderr)
    if wrong:
        return 1
    in_sources = sum(block.page.startswith("Sources/") for block in found)
    tested = sum("tested" in block.marks and "program" not in block.marks for block in found)
    print(
        f"✔ {len(found) - len(skipped) - tested} of {len(found)} blocks of Swift ({in_sources} in comments of the sources) compile in "
        f"{' and '.join(modes)}, {len(jobs)} programs print what the pages say; {tested} are tests, {len(skipped)} skipped"
    )
    for block in skipped:
        print(f"  skipped {block.page}:{block.line} {block.marks['skip']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
