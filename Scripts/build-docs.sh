#!/usr/bin/env bash
# Builds the site of the documentation with the toolchain's docc, and fails if a link leads nowhere or a public symbol stands under
# no topic; see build-docs.py.
#
# Usage: Scripts/build-docs.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} != --skip-build ]]; then
  Scripts/build.sh .
fi
exec Scripts/build-docs.py
