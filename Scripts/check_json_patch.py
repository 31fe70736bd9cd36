"""Reads `{"old": …, "new": …, "patch": […], "inverse": […]}` line by line and applies both patches with jsonpatch.

Usage: json-patch-check N | check_json_patch.py N
"""

import json
import sys

import jsonpatch


def text(document):
    """A document as text that tells `true` from `1`."""
    return json.dumps(document, sort_keys=True)


def refuses(document, patch):
    """Whether a patch refuses a document in which the first value that it tests is another one."""
    test = next((operation for operation in patch if operation["op"] == "test"), None)
    if test is None or test is not patch[0] or test["path"] == "":
        return None
    other = jsonpatch.apply_patch(document, [{"op": "replace", "path": test["path"], "value": "another value"}])
    try:
        jsonpatch.apply_patch(other, patch)
    except jsonpatch.JsonPatchException:
        return True
    return False


def main():
    expected = int(sys.argv[1])
    lines = operations = refused = 0
    for line in sys.stdin:
        record = json.loads(line)
        for old, new, patch in (("old", "new", "patch"), ("new", "old", "inverse")):
            result = jsonpatch.apply_patch(record[old], record[patch])
            if text(result) != text(record[new]):
                sys.exit(f"line {lines + 1}: {patch} gives another state:\n{line}\n{text(result)}")
        answer = refuses(record["old"], record["patch"])
        if answer is False:
            sys.exit(f"line {lines + 1}: the patch was applied to a state that it does not fit:\n{line}")
        refused += answer is True
        operations += len(record["patch"])
        lines += 1
    if lines != expected:
        sys.exit(f"{lines} lines instead of {expected}")
    if refused * 4 < lines:
        sys.exit(f"only {refused} of {lines} patches were tried on a state that they do not fit")
    print(f"✔ {lines} patches of {operations} operations, there and back; {refused} refused another state")


if __name__ == "__main__":
    main()
