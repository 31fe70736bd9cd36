#!/usr/bin/env python3
"""Checks the wording of comments, messages, pages and titles of tests: no line may have a word of the list below, and no doc comment may begin
without a noun.

Usage: Scripts/check-words.py [FILE …]       all of Sources, all pages and the titles of all tests if none is named

Code in backticks and in blocks is not looked at. Messages are the string literals of Sources.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Components are not persons: they are notified, released, passed. A thing is named, and an idea that has a name is called by it.
WORDS = {
    r"whoever|anybody|everybody|nobody|somebody|those who": "name the caller, the thread, the observer",
    r"told|tells?|telling|tellings|is heard": "notified, delivered, reported; distinguished",
    r"lent|lends?|lending|handed": "passed, opened, borrowed",
    r"lets? go of|letting go of|is gone|are gone|has gone": "released, removed, deallocated",
    r"anew|made again|made anew": "again, from scratch; redone",
    r"taken back|takes? back|taking back": "undone, reverted",
    r"comes? to nothing": "is dropped, has no effect",
    r"goes on|go on|going on": "continues, is in progress",
    r"stands? still|stood still": "is paused, is suspended",
    r"set aside|passed over": "quarantined; skipped, ignored",
    r"leave it out|but for|by chance|unless said otherwise|from here on": "supplied by the compiler; except; randomly; by default; from this point",
    r"look-ups?": "lookup",
    r"bus|buses": "flux",
}
LIST = re.compile("|".join(rf"\b(?:{words})\b" for words in WORDS), re.IGNORECASE)
# A comment that begins so says of what it speaks only in its end, if at all.
HEADLESS = re.compile(r"^(?:- \w+: )?(?:What|Those|That which|The same|If both|None:)\b")
CODE = re.compile(r"``?[^`]*``?")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')


def remedy(word):
    return next(text for words, text in WORDS.items() if re.fullmatch(words, word, re.IGNORECASE))


def prose_of_swift(lines):
    """The lines of comments and the literals, each with its number, and whether it begins a doc comment."""
    fenced = following = False
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*(///?)(?!/)\s?(.*)$", line)
        if not found:
            fenced = following = False
            for literal in LITERAL.findall(line):
                # One word is a name: a key of a format, say.
                if " " in literal:
                    yield number, literal, False
            continue
        text = found.group(2)
        if text.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, text.strip(), found.group(1) == "///" and not following
        following = True


def prose_of_page(lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        elif not fenced:
            yield number, line, False


def titles(lines):
    for number, line in enumerate(lines, 1):
        found = re.search(r"(?:\bfunc |^\s*)`([^`]+)`\(|@Test\(\"([^\"]+)\"", line)
        if found:
            yield number, found[1] or found[2], False


def faults(text, kind):
    lines = text.split("\n")
    prose = {"sources": prose_of_swift, "tests": titles, "page": prose_of_page}[kind](lines)
    for number, text, begins in prose:
        plain = re.sub(r"\]\([^)]*\)", "]", CODE.sub("x", text))
        for found in LIST.finditer(plain):
            yield number, f"“{found.group()}”: {remedy(found.group())}"
        if begins and HEADLESS.match(text):
            yield number, f"begins with “{text.split()[0]}”: name the thing first"


def files():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    return [
        ROOT / name for name in tracked
        if name.endswith(".md") or name.endswith(".swift") and name.startswith(("Sources/", "Tests/"))
    ]


def main(arguments):
    failed = 0
    for path in [Path(name).resolve() for name in arguments] or files():
        kind = "page" if path.suffix == ".md" else "tests" if path.is_relative_to(ROOT / "Tests") else "sources"
        for number, text in faults(path.read_text(), kind):
            failed += 1
            print(f"{path.relative_to(ROOT)}:{number}: {text}")
    if failed:
        sys.exit(f"✘ {failed} words of the list")
    print("✔ comments, messages, pages and titles have no word of the list")


if __name__ == "__main__":
    main(sys.argv[1:])
