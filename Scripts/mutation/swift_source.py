"""Reads Swift source as tokens, for the scripts that look at the library's code: no comments, no text of strings."""

import re
from dataclasses import dataclass, field

TYPE_KEYWORDS = {"struct", "class", "enum", "actor", "protocol", "extension"}
TOKEN = re.compile(r"`?[A-Za-z_]\w*`?|[@#]\w+|\d[\w.]*|->|\S")


def without_comments_and_strings(text):
    """The text with comments and strings blanked, each line at its place. What is interpolated stays."""
    out = list(text)

    def blank(start, end):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = " "

    def skip_comment(index):
        depth = 0
        while index < len(text):
            if text.startswith("/*", index):
                depth, index = depth + 1, index + 2
            elif text.startswith("*/", index):
                depth, index = depth - 1, index + 2
                if depth == 0:
                    break
            else:
                index += 1
        return index

    def skip_string(index, hashes):
        quote = '"""' if text.startswith('"""', index) else '"'
        end, escape = quote + hashes, "\\" + hashes
        start, index = index, index + len(quote)
        while index < len(text):
            if text.startswith(end, index):
                blank(start, index + len(end))
                return index + len(end)
            if text.startswith(escape + "(", index):
                blank(start, index + len(escape))
                index = scan(index + len(escape) + 1, ends_at_parenthesis=True)
                start = index
            elif text.startswith(escape, index):
                index += len(escape) + 1
            else:
                index += 1
        blank(start, index)
        return index

    def scan(index, ends_at_parenthesis=False):
        depth = 1
        while index < len(text):
            raw = re.compile(r'(#*)"').match(text, index)
            if text.startswith("//", index):
                end = text.find("\n", index)
                end = len(text) if end < 0 else end
                blank(index, end)
                index = end
            elif text.startswith("/*", index):
                end = skip_comment(index)
                blank(index, end)
                index = end
            elif raw:
                blank(index, raw.end(1))
                index = skip_string(raw.end(1), raw[1])
            else:
                if ends_at_parenthesis:
                    depth += {"(": 1, ")": -1}.get(text[index], 0)
                    if depth == 0:
                        return index + 1
                index += 1
        return index

    scan(0)
    return "".join(out)


@dataclass
class Token:
    text: str
    line: int
    offset: int


def tokens(code):
    """The tokens of code that has no comments and strings."""
    line, last, result = 1, 0, []
    for match in TOKEN.finditer(code):
        line += code.count("\n", last, match.start())
        last = match.start()
        result.append(Token(match[0].strip("`"), line, match.start()))
    return result


@dataclass
class Declarations:
    """What one file declares."""

    types: dict = field(default_factory=dict)  # types at the top level, each with its line
    functions: dict = field(default_factory=dict)  # functions and variables at the top level
    nested: set = field(default_factory=set)  # nested types, generic parameters and associated types
    extended: set = field(default_factory=set)  # the types that the file extends
    members: list = field(default_factory=list)  # (name, outer type, whether it stands in an extension, line)
    names: set = field(default_factory=set)  # every name that is declared anywhere, parameters included


def declarations(found):
    """The declarations among the tokens of a file."""
    result = Declarations()
    scopes = []  # of each open brace: (the type's name, whether it is an extension), or None for any other
    pending = None
    for index, token in enumerate(found):
        text = token.text
        previous = found[index - 1].text if index else ""
        following = found[index + 1].text if index + 1 < len(found) else ""
        if text == "{":
            scopes.append(pending)
            pending = None
        elif text == "}":
            if scopes:
                scopes.pop()
        elif previous == ".":
            continue
        elif text in TYPE_KEYWORDS and re.match(r"[A-Z_]", following):
            pending = (following, text == "extension")
            if text == "extension":
                result.extended.add(following)
            elif scopes:
                result.nested.add(following)
                note_member(result, scopes, following, token.line)
            else:
                result.types[following] = token.line
            if text != "extension" and index + 2 < len(found) and found[index + 2].text == "<":
                result.nested |= generic_parameters(found, index + 2)
        elif text in ("typealias", "associatedtype"):
            if scopes:
                result.nested.add(following)
                note_member(result, scopes, following, token.line)
            else:
                result.types[following] = token.line
        elif text in ("func", "var", "let") or (text == "case" and scopes and scopes[-1] and re.match(r"\w", following)):
            result.names.add(following)
            if text == "func" and index + 2 < len(found) and found[index + 2].text == "<":
                result.nested |= generic_parameters(found, index + 2)
            if not scopes and pending is None:
                result.functions[following] = token.line
            else:
                note_member(result, scopes, following, token.line)
        elif following == ":" and re.match(r"[a-z_]", text):
            result.names.add(text)
    return result


def note_member(result, scopes, name, line):
    if scopes and scopes[-1]:
        outer, is_extension = scopes[-1]
        result.members.append((name, outer, is_extension, line))


def generic_parameters(found, index):
    """The names of a list of generic parameters that begins at `index`."""
    names, depth = set(), 0
    for position in range(index, min(index + 200, len(found))):
        text = found[position].text
        depth += {"<": 1, ">": -1}.get(text, 0)
        if depth == 0:
            break
        if found[position - 1].text in ("<", ",", "each", "let") and re.match(r"[A-Z]", text) and depth == 1:
            names.add(text)
    return names
