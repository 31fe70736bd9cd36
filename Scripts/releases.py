#!/usr/bin/env python3
"""The releases of the package: its tags, and the sections of CHANGELOG.md.

Usage: Scripts/releases.py     prints the newest tag that is a version; nothing if there is none
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGES = "CHANGELOG.md"
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)$")
HEADING = re.compile(r"^## (.+?)(?: \((\d{4}-\d{2}-\d{2})\))?$", re.M)


@dataclass
class Section:
    """A section of the changelog. `name`: a version, or `Unreleased`; `date` is `None` until its release."""

    name: str
    date: str | None
    text: str
    earlier: str | None

    @property
    def version(self):
        return version(self.name)

    @property
    def may_break(self):
        """Whether clients of the version before it may have to change: by its first number, below 1.0 by the second."""
        before = version(self.earlier or "")
        if self.version is None or before is None:
            return True
        return self.version[0] > before[0] or (before[0] == 0 and self.version[:2] > before[:2])


def version(name):
    match = VERSION.match(name)
    return tuple(int(number) for number in match.groups()) if match else None


def sections(text=None):
    """The sections of the changelog, the newest first."""
    text = text if text is not None else (ROOT / CHANGES).read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    ends = [match.start() for match in headings[1:]] + [len(text)]
    names = [match[1] for match in headings[1:]] + [None]
    return [
        Section(match[1], match[2], text[match.end() : end].strip(), earlier)
        for match, end, earlier in zip(headings, ends, names)
    ]


def newest_tag():
    """The highest version of which this revision has the tag; tags of other forms count for nothing."""
    done = subprocess.run(["git", "tag", "--merged"], cwd=ROOT, check=True, capture_output=True, text=True)
    return max((tag for tag in done.stdout.split() if version(tag)), key=version, default=None)


if __name__ == "__main__":
    print(newest_tag() or "")
