"""Draws mutants of Swift sources: one operator, constant, condition or call that is changed."""

import hashlib
import random
import re
from dataclasses import dataclass

from swift_source import without_comments_and_strings

SWAPS = {
    "comparison": {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "..<": "..."},
    "Boolean": {"&&": "||", "||": "&&"},
    "arithmetic": {
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=", "-=": "+=", "&+=": "&-=",
        "&-=": "&+=", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "|": "&", "&": "|", "^": "|", "|=": "&=", "&=": "|=",
    },
}  # fmt: skip
OPERATOR = re.compile(r"(?<=[\w)\]?!}] )([-+*/%&|^<>=!]+)(?= [\w(\[.!~&\"#-])|(?<=[\w)\]])(\.\.<)(?=[\w(])")
NEGATION = re.compile(r"(?<=[\s(\[{,])!(?=[\w(])")
TRUTH = re.compile(r"(?<![\w.`])(true|false)\b(?!\s*:)")
NUMBER = re.compile(r"(?<![\w.$#])\d[\d_]*(?!\w|\.\d)")
CONDITION = re.compile(r"^([ \t]*(?:\} else )?(?:if|while) )([\w.]+)(?= \{)", re.M)
CALL = re.compile(r"^([ \t]+)((?:_ = )?(?:try[?]? |await )*[a-z_]\w*[!?]?(?:\.\w+[!?]?)*(?:\(.*\)|(?:\(.*\))? \{ .* \}))$", re.M)
NO_CALLS = {"if", "guard", "while", "for", "switch", "return", "throw", "case", "super.init", "self.init", "init", "defer", "else", "do", "assert"}
# What a condition of `#if` asks for that is not here: code under it is not built.
ABSENT = re.compile(r"os\((macOS|iOS|tvOS|watchOS|visionOS|Windows)\)|canImport\((Darwin|Combine|SwiftUI|os|Musl|Android|ObjectiveC|WinSDK)\)")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    offset: int
    length: int
    replacement: str
    kind: str
    original: str
    digest: str  # of the file, so that a log of other sources is not taken for one of these

    @property
    def identity(self):
        return f"{self.digest}:{self.offset}:{self.replacement}"

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.original or '…'} → {self.replacement or '(nothing)'}"


def not_built(code):
    """The ranges of lines, from 1, that another system builds."""
    lines, stack = set(), []
    for number, line in enumerate(code.split("\n"), 1):
        text = line.strip()
        if text.startswith("#if"):
            stack.append(bool(ABSENT.search(text)) and "!" not in text)
        elif text.startswith("#elseif") and stack:
            stack[-1] = bool(ABSENT.search(text))
        elif text.startswith("#else") and stack:
            stack[-1] = False
        elif text.startswith("#endif") and stack:
            stack.pop()
        elif any(stack):
            lines.add(number)
    return lines


def mutants_of(path, text):
    """Every mutant of a file."""
    code = without_comments_and_strings(text)
    digest = hashlib.sha1(text.encode()).hexdigest()[:12]
    skipped = not_built(code) | {
        number
        for number, line in enumerate(code.split("\n"), 1)
        if re.search(r"@available|#available|#if|^\s*(public |package )?(prefix |infix )?operator|^\s*import ", line)
    }
    result = []

    def add(start, end, replacement, kind):
        line = code.count("\n", 0, start) + 1
        if line not in skipped:
            result.append(Mutant(path, line, start, end - start, replacement, kind, text[start:end].strip(), digest))

    for match in OPERATOR.finditer(code):
        for kind, swaps in SWAPS.items():
            if match[0] in swaps:
                add(match.start(), match.end(), swaps[match[0]], kind)
    for match in NEGATION.finditer(code):
        add(match.start(), match.end(), "", "Boolean")
    for match in TRUTH.finditer(code):
        add(match.start(), match.end(), {"true": "false", "false": "true"}[match[0]], "constant")
    for match in NUMBER.finditer(code):
        number = int(match[0].replace("_", ""))
        add(match.start(), match.end(), str(0 if number == 1 else number + 1), "constant")
    for match in CONDITION.finditer(code):
        add(match.start(2), match.end(2), f"!{match[2]}", "condition")
    lines = code.split("\n")
    for match in CALL.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        before = lines[line - 2].rstrip() if line > 1 else ""
        after = lines[line].lstrip() if line < len(lines) else ""
        name = re.match(r"[\w.]+", match[2])
        is_statement = not re.search(r"[=(\[,?:&|+]$|\breturn$", before) and not re.match(r"[.?:&|+)\],]", after)
        if is_statement and match[2].count("(") == match[2].count(")") and name[0] not in NO_CALLS:
            add(match.start(2), match.end(2), "", "call")
    return result


def draw(root, modules, seed):
    """All mutants of the modules, in the order of the seed."""
    found = []
    for module in sorted(modules):
        for path in sorted((root / "Sources" / module).rglob("*.swift")):
            found += mutants_of(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    random.Random(seed).shuffle(found)
    return found


def mutated(text, mutant):
    return text[: mutant.offset] + mutant.replacement + text[mutant.offset + mutant.length :]
