#!/usr/bin/env bash
# Compiles and runs every block of Swift of README.md, docs/ and the comments of the sources; see check-docs.py for the marks.
set -euo pipefail
cd "$(dirname "$0")/.."
exec Scripts/check-docs.py "$@"
