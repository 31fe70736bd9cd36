#!/usr/bin/env python3
"""Whether the changelog is ready for a version: its newest section is that of the version, has today's date, and is not empty; the version is
higher than the newest tag, and has no tag yet.

Usage: Scripts/check-release.py VERSION
"""

import datetime
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from releases import CHANGES, ROOT, newest_tag, sections, version  # noqa: E402


def problems(name, newest, section, tags, today):
    if version(name) is None:
        yield f"{name!r} is no version: write three numbers, as 1.2.0"
        return
    if section.name != name:
        yield f"the newest section of {CHANGES} is {section.name!r}, not {name!r}"
    elif section.date != today:
        yield f"the section {name} of {CHANGES} has {'no date' if section.date is None else f'the date {section.date}'}, not ({today})"
    if not any(line.strip() and not line.startswith("#") for line in section.text.splitlines()):
        yield f"the section {section.name} of {CHANGES} is empty"
    if newest is None and section.earlier is not None:
        yield f"{CHANGES} has a section {section.earlier}, and there is no tag of it: fetch the tags"
    if name in tags:
        yield f"there is a tag {name} already"
    elif newest is not None and (version(newest) or ()) >= version(name):
        yield f"{name} is not higher than the newest tag, {newest}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tags = subprocess.run(["git", "tag"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    today = datetime.date.today().isoformat()
    found = list(problems(sys.argv[1], newest_tag(), sections()[0], tags, today))
    if found:
        sys.exit("\n".join(found))
    print(f"{CHANGES} is ready for {sys.argv[1]}")


if __name__ == "__main__":
    main()
