"""What the checks of pages in a browser share."""

import sys
import time

# What has failed, by name. A check ends with an error if there is any.
failures = []


def expect(what, wanted, found):
    if wanted == found:
        print(f"ok: {what}")
    else:
        failures.append(what)
        print(f"FAILED: {what}\n  wanted {wanted!r}\n  found  {found!r}", file=sys.stderr)


def wait_for(page, expression, seconds=30):
    end = time.monotonic() + seconds
    while not page.evaluate(f"() => {expression}"):
        assert time.monotonic() < end, f"never came: {expression}"
        time.sleep(0.02)
