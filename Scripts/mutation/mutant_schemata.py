"""Writes many mutants into one copy of the sources, each behind a switch, so that one build serves them all.

The innermost body that contains a mutant is written twice, as it would be with the mutant and as it is:

    { if flaskMutant(17) {
      return a != b
    } else {
      return a == b
    } }

A body of one expression stays one: the `if` is an expression then. A number or a truth outside all bodies becomes a
choice between two, and anything else outside all bodies has no place here.
"""

import re

from swift_source import tokens, without_comments_and_strings

SWITCH = """#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

private let chosen = getenv("FLASK_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
private let record: Int32 = {
  guard let path = getenv("FLASK_REACHED") else { return -1 }
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
  defer { close(file) }
  return fcntl(file, F_DUPFD, 200)  // A test may have closed standard error: its number stays free.
}()
nonisolated(unsafe) private let reached: UnsafeMutablePointer<Bool> = {
  let flags = UnsafeMutablePointer<Bool>.allocate(capacity: 100_000)
  flags.initialize(repeating: false, count: 100_000)
  return flags
}()

/// Whether this process runs the mutant of this number. If it is to record which it reaches, it writes the number down.
@inline(never) @usableFromInline
internal func flaskMutant(_ number: Int) -> Bool {
  if record >= 0, !reached[number] {
    reached[number] = true
    var line = "\\(number)\\n"
    line.withUTF8 { _ = write(record, $0.baseAddress, $0.count) }
  }
  return chosen == number
}
"""

FUNCTIONS = {"func", "init", "deinit", "subscript"}
OBSERVERS = {"willSet", "didSet"}
ACCESSORS = {"get", "set", "_read", "_modify", "unsafeAddress", "unsafeMutableAddress"} | OBSERVERS
TYPES = {"struct", "class", "enum", "actor", "protocol", "extension"}
BINDING = {"if", "guard", "while", "for", "case", ",", "(", "catch"}
STATEMENTS = {"let", "if", "guard", "for", "while", "switch", "do", "return", "case", "import", "typealias", "repeat", "defer"}

# What stands between these in a rendered text came from one mutant, or from one body with all its mutants.
BEGIN_MUTANT, BEGIN_BODY, END = "\x01", "\x02", "\x03"


def bodies(code):
    """The bodies of functions, initialisers, accessors and computed properties, as (offset of `{`, offset of `}`)."""
    found = tokens(code)
    scopes, result = [], []  # a scope: what it is, its `{`, the parentheses around it, what waited
    pending, parentheses = None, 0  # what the next `{` outside further parentheses opens

    def previous(index):
        return found[index - 1].text if index else ""

    for index, token in enumerate(found):
        text = token.text
        if pending and pending[0] == "var" and token.line != pending[2]:
            pending = None
        if text in "([":
            parentheses += 1
        elif text in ")]":
            parentheses -= 1
        elif text == "{":
            kind = "other"
            if pending and pending[1] == parentheses:
                kind, pending = pending[0], None
            if kind in ("var", "subscript") and has_accessors(found, index):
                kind = "accessors"
            scopes.append((kind, token.offset, parentheses, pending))
            pending, parentheses = None, 0
        elif text == "}":
            pending = None
            if scopes:
                kind, start, parentheses, pending = scopes.pop()
                if kind in ("function", "subscript", "accessor", "var"):
                    result.append((start, token.offset))
        elif previous(index) == "." or code[token.offset] == "`":
            continue
        elif text in FUNCTIONS:
            pending = ("subscript" if text == "subscript" else "function", parentheses, token.line)
        elif text == "var" and previous(index) not in BINDING:
            pending = ("var", parentheses, token.line)
        elif text in ACCESSORS and is_accessor(text, scopes, previous(index)):
            pending = ("accessor", parentheses, token.line)
        elif text in TYPES and re.match(r"[A-Z_]", found[index + 1].text if index + 1 < len(found) else ""):
            pending = ("type", parentheses, token.line) if previous(index) not in (":", ",") else pending
        elif pending and pending[1] == parentheses and (text in STATEMENTS or (text == "=" and pending[0] == "var")):
            pending = None
    return sorted(result)


def has_accessors(found, index):
    """Whether the `{` at an index opens accessors, not the body of a getter."""
    following = [token.text for token in found[index + 1 : index + 9]]
    while following and (following[0].startswith("@") or following[0] in ("mutating", "nonmutating", "(", ")", "never", "__always")):
        following.pop(0)
    return len(following) > 1 and following[0] in ACCESSORS and following[1] in ("{", "(", "async", "throws", "set", "}")


def is_accessor(text, scopes, previous):
    return bool(scopes) and (scopes[-1][0] == "accessors" or (text in OBSERVERS and previous in ("{", "}")))


def schema(text, mutants):
    """The text with all mutants, given as (number, mutant), each behind its switch, with marks of where they are; and the
    numbers of those that have no place in it."""
    found, homes, homeless, edits = bodies(without_comments_and_strings(text)), {}, [], []
    def home_of(mutant):
        end = mutant.offset + mutant.length
        if text.startswith("deinit", mutant.offset):  # All of it goes: its body is empty then.
            return next((body for body in found if body[0] > mutant.offset and body[1] == end - 1), None)
        return max((body for body in found if body[0] < mutant.offset < body[1]), default=None)

    def render(start, end):
        """The text between two offsets with the bodies and choices that begin in it."""
        parts, at = [], start
        inner = sorted([(*home, None, None) for home in homes] + edits)
        for first, last, number, replacement in inner:
            if first < at or first >= end:
                continue
            parts.append(text[at:first])
            if number is None:
                parts.append(twice(first, last))
                at = last + 1
            else:
                parts.append(f"(flaskMutant({number}) ? {replacement} : {text[first:last]})")
                at = last
        parts.append(text[at:end])
        return "".join(parts)

    def twice(first, last):
        branches = []
        for number, mutant in homes[first, last]:
            body = text[first + 1 : max(mutant.offset, first + 1)] + mutant.replacement + text[mutant.offset + mutant.length : last]
            branches.append(f"if flaskMutant({number}) {{\n{BEGIN_MUTANT}{number};{body}\n{END}}} else ")
        numbers = ",".join(str(number) for number, _ in homes[first, last])
        return f"{BEGIN_BODY}{numbers};{{ {''.join(branches)}{{\n{render(first + 1, last)}\n}} }}{END}"

    for number, mutant in mutants:
        home = home_of(mutant)
        if home:
            homes.setdefault(home, []).append((number, mutant))
        elif mutant.kind == "constant":
            edits.append((mutant.offset, mutant.offset + mutant.length, number, mutant.replacement))
        else:
            homeless.append(number)
    return render(0, len(text)), homeless


def unmarked(marked):
    """A rendered text without marks, and for each line, from 1, the mutants that an error in it condemns, with whether it is
    one by itself (True) or all those of a body."""
    lines, owners = [], {}
    stack = []
    for number, line in enumerate(marked.split("\n"), 1):
        out, index, owner = [], 0, stack[-1] if stack else None
        while index < len(line):
            character = line[index]
            if character in (BEGIN_MUTANT, BEGIN_BODY):
                end = line.index(";", index)
                stack.append((tuple(map(int, line[index + 1 : end].split(","))), character == BEGIN_MUTANT))
                owner = stack[-1]
                index = end
            elif character == END:
                stack.pop()
            else:
                out.append(character)
            index += 1
        lines.append("".join(out))
        choices = tuple(map(int, re.findall(r"\(flaskMutant\((\d+)\) \?", lines[-1])))
        if owner or choices:
            numbers, alone = owner or ((), False)
            owners[number] = (choices or numbers, alone and not choices)
    return "\n".join(lines), owners
