#!/usr/bin/env python3
"""Casts of functions must not change how a function's pointer is signed.

On arm64e (Apple's Enhanced Security) the pointer of a closure is signed with a hash of its type, the discriminator. A closure that is cast
to a type of another discriminator traps when it is called. CASTS lists each cast of a function in the sources with the types that it casts
from and to; both are compiled for arm64e-apple-macosx15, and the discriminators of the calls are compared. What fails:

- a cast in the sources that is not in CASTS, and is not one between the types of NO_FUNCTIONS;
- two discriminators that differ, unless the cast is in ALLOWED, which only ever gets shorter.

In a type a capital letter is a generic type, Object any class, `each A` a pack. The toolchain has no standard library for that target, so the
calls are written in SIL, with the few types that they need.

Usage: Scripts/check-arm64e.py [--sources FOLDER]
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "mutation"))
from swift_source import without_comments_and_strings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
TARGET = "arm64e-apple-macosx15"
POINTER = "@Sendable (UnsafeMutableRawPointer) throws -> Void"

# The cast as the sources have it, the type of the function before, and after.
CASTS = [
    ("unsafeBitCast(IsolatedPack(body: body), to: PlainPack<repeat each A>.self)", "@isolated(any) @Sendable (repeat each A) -> Void", "(repeat each A) -> Void"),
    ("unsafeBitCast(Isolated1(body), to: Plain1<A>.self)", "@isolated(any) @Sendable (A) -> Void", "(A) -> Void"),
    ("unsafeBitCast(Isolated2(body), to: Plain2<A, B>.self)", "@isolated(any) @Sendable (A, B) -> Void", "(A, B) -> Void"),
    # What a holder casts is what it is called with: the two of Reactor.swift below.
    ("unsafeBitCast(source, to: target)", "@isolated(any) @Sendable (Object, Object) -> Void", "(Object, Object) -> Void"),
    ("FunctionHolder.cast(IsolatedHandler(body: newValue), to: PlainHandler.self)", "@isolated(any) @Sendable (Object, Object) -> Void", "(Object, Object) -> Void"),
    ("unsafeBitCast(UncheckedHandler(body: body), to: CheckedHandler.self)", "@isolated(any) (Object, Object) -> Void", "@isolated(any) @Sendable (Object, Object) -> Void"),
    ("unsafeBitCast(ObjectFunction(body), to: Over<Base>.self)", "@Sendable (Object) throws -> Void", "@Sendable (Object) throws -> Void"),
    ("unsafeBitCast(UncheckedStep(body), to: CheckedStep<T>.self)", "(Object) throws -> Void", "@Sendable (Object) throws -> Void"),
    ("unsafeBitCast(body, to: (@isolated(any) @Sendable (Value) -> Void).self)", "@isolated(any) (A) -> Void", "@isolated(any) @Sendable (A) -> Void"),
    # Once in FlaskCore, once in FlaskSwift5.
    ("unsafeBitCast(body, to: (@isolated(any) @Sendable (A, B) -> Void).self)", "@isolated(any) (A, B) -> Void", "@isolated(any) @Sendable (A, B) -> Void"),
    ("unsafeBitCast(body, to: (@isolated(any) @Sendable (A, B) -> Void).self)", "@isolated(any) (A, B) -> Void", "@isolated(any) @Sendable (A, B) -> Void"),
    ("unsafeBitCast(UncheckedPack(body: body), to: CheckedPack<repeat each Value>.self)", "@isolated(any) (repeat each A) -> Void", "@isolated(any) @Sendable (repeat each A) -> Void"),
    ("unsafeBitCast(body, to: (@Sendable () -> Void).self)", "() -> Void", "@Sendable () -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (inout S) throws -> Void).self)", "(inout A) throws -> Void", "@Sendable (inout A) throws -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (inout A, inout B) throws -> Void).self)", "(inout A, inout B) throws -> Void", "@Sendable (inout A, inout B) throws -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (inout A, inout B, inout C) throws -> Void).self)", "(inout A, inout B, inout C) throws -> Void", "@Sendable (inout A, inout B, inout C) throws -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (inout A, inout B, inout C, inout D) throws -> Void).self)", "(inout A, inout B, inout C, inout D) throws -> Void", "@Sendable (inout A, inout B, inout C, inout D) throws -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (inout S, A) throws -> Claim).self)", "(inout A, B) throws -> R", "@Sendable (inout A, B) throws -> R"),
    ("unsafeBitCast(body, to: (@Sendable (A) -> Result).self)", "(A) -> R", "@Sendable (A) -> R"),
    ("unsafeBitCast(body, to: (@Sendable (A, B, C) -> Void).self)", "(A, B, C) -> Void", "@Sendable (A, B, C) -> Void"),
    ("unsafeBitCast(body, to: (@Sendable (A, Dispatch) async throws -> Void).self)", "(A, B) async throws -> Void", "@Sendable (A, B) async throws -> Void"),
]  # fmt: skip

# Casts whose discriminators are known to differ: none.
ALLOWED = []

# What casts of other things than Swift's functions cast to: addresses and words, metatypes, payloads, and functions of C from `dlsym`, all of
# which have one discriminator, 0.
NO_FUNCTIONS = re.compile(
    r"to: (?:UnsafePointer<[\w.?<>]+>|U?Int\d*|\(UInt, UInt\)|Any\.Type|\[String: any Sendable\]|Bits|IsCurrentExecutor|TryRetain)\.self\)"
)
CAST = re.compile(r"\b(?:unsafeBitCast|FunctionHolder\.cast)\s*(?=\()")
# Other ways to see a function as one of another type, none of which the sources may use.
OTHER = re.compile(r"\bunsafeDowncast\b.*->|\bwithMemoryRebound\b.*->|\bassumingMemoryBound\b.*->|\bbindMemory\b.*->")

PRELUDE = """sil_stage canonical
import Builtin
public protocol Error {}
@frozen public struct UnsafeMutableRawPointer { @_hasStorage let address: Builtin.RawPointer }
class Object {}
"""


def casts(text):
    """The casts in a file, as (line, cast with one space between its words)."""
    code = without_comments_and_strings(text)
    for match in CAST.finditer(code):
        end, depth = match.end(), 0
        while True:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
            if depth == 0:
                break
        yield code.count("\n", 0, match.start()) + 1, re.sub(r"\s+", " ", code[match.start() : end]).replace("( ", "(").replace(" )", ")")


def sil(name, swift):
    """A function in SIL that takes a function of a Swift type, and its arguments, and calls it."""
    attributes, parameters, effects, result = re.fullmatch(
        r"((?:@\w+(?:\(any\))? )*)\((.*)\) ((?:async )?(?:throws )?)-> (\w+)", swift
    ).groups()
    names, taken, given = set(), [], []
    for parameter in filter(None, parameters.split(", ")):
        kind = parameter.removeprefix("inout ").removeprefix("repeat ")
        if kind.startswith("each "):
            names.add(kind)
            taken.append(f"@pack_guaranteed Pack{{{parameter}}}")
            given.append(f"$*Pack{{{parameter}}}")
        elif len(kind) == 1:
            names.add(kind)
            taken.append(f"@inout {kind}" if "inout" in parameter else f"@in_guaranteed {kind}")
            given.append(f"$*{kind}")
        else:
            taken.append(f"@guaranteed {kind}" if kind == "Object" else kind)
            given.append(f"${kind}")
    out = []
    if result != "Void":
        names.add(result)
        out = [f"$*{result}"]
    results = [f"@out {result}"] * len(out)
    errors = ["@error any Error"] if "throws" in effects else []
    returned = ", ".join(results + errors)
    asynchronous = "@async " if "async" in effects else ""
    type_ = f"{attributes}{asynchronous}@callee_guaranteed ({', '.join(taken)}) -> " + (f"({returned})" if results or errors else "()")
    generics = f"<{', '.join(sorted(names))}> " if names else ""
    outer = f"({', '.join(results)})"
    arguments = [f"%{number}" for number in range(len(out) + 1 + len(given))]
    kinds = [*out, f"${type_}", *given]
    function = arguments.pop(len(out))
    block = ", ".join(f"%{number} : {kind}" for number, kind in enumerate(kinds))
    nothrow = "[nothrow] " if errors else ""
    return (
        f"sil @{name} : $@convention(thin) {asynchronous}{generics}({', '.join([f'@guaranteed {type_}', *taken])}) -> {outer} {{\n"
        f"bb0({block}):\n  %100 = apply {nothrow}{function}({', '.join(arguments)}) : ${type_}\n"
        f"  %101 = tuple ()\n  return %101 : $()\n}}\n"
    )


def discriminators(types):
    """The discriminator with which a function of each type is called."""
    names = {f"call{number}": swift for number, swift in enumerate(dict.fromkeys(types))}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Casts.sil"
        file.write_text(PRELUDE + "".join(sil(name, swift) for name, swift in names.items()))
        # The types of the standard library belong to a module of its name.
        command = ["swiftc", "-frontend", "-emit-ir", file, "-target", TARGET, "-parse-stdlib", "-module-name", "Swift"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"The calls do not compile for {TARGET}:\n{done.stderr[:3000]}")
    found = {}
    for name, swift in names.items():
        body = re.search(rf"^define [^\n]*@{name}\(.*?^}}", done.stdout, re.M | re.S)
        calls = re.findall(r'call [^\n]* void %\d+\([^\n]*"ptrauth"\(i32 0, i64 (\d+)\)', body[0]) if body else []
        if len(calls) != 1:
            sys.exit(f"no signed call is found for {swift}")
        found[swift] = int(calls[0])
    return found


def unlisted(sources, listed):
    """The casts of the sources that no list has, and the listed ones that the sources have not."""
    left, problems = Counter(listed), []
    for path in sorted(sources.rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        where = path.relative_to(sources.parent)
        for line, cast in casts(text):
            if left[cast] > 0:
                left[cast] -= 1
            elif not NO_FUNCTIONS.search(cast):
                problems.append(f"{where}:{line}: this cast is not in CASTS of Scripts/check-arm64e.py: {cast}")
        for number, line in enumerate(without_comments_and_strings(text).splitlines(), 1):
            if OTHER.search(line):
                problems.append(f"{where}:{number}: a function is seen as one of another type in a way that this script can't judge")
    return problems, sorted(cast for cast, count in left.items() for _ in range(count))


def judged(casts_, found, allowed):
    """A line for each cast, and those that fail."""
    rows, failures = [], []
    for cast, before, after in casts_:
        is_equal = found[before] == found[after]
        mark = "✔" if is_equal else "~" if (before, after) in allowed else "✘"
        rows.append(f"{mark} {before} → {after}: {found[before]} {'=' if is_equal else '≠'} {found[after]}")
        if mark == "✘":
            failures.append(f"this cast changes the discriminator: {cast}")
    return list(dict.fromkeys(rows)), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sources", type=Path, default=ROOT / "Sources")
    sources = parser.parse_args().sources.resolve()
    problems, gone = unlisted(sources, [cast for cast, _, _ in CASTS])
    rows, failures = judged(CASTS, discriminators([swift for _, *pair in CASTS for swift in pair]), ALLOWED)
    print("\n".join(rows))
    for cast in gone:
        print(f"- no longer in the sources, take it out of CASTS: {cast}")
    print("✔ signed alike   ~ known to be signed otherwise, and to go   ✘ failed")
    if problems + failures:
        sys.exit("\n".join(problems + failures))


if __name__ == "__main__":
    main()
