#!/usr/bin/env bash
# Builds the site of the documentation with the toolchain's docc, and fails if a link leads nowhere or a public symbol stands under
# no topic; see build-docs.py.
#
# Usage: Scripts/build-docs.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

[[ ${1:-} == --skip-build ]] || swift build --quiet --target FlaskTesting
[[ ${1:-} == --skip-build ]] || swift build --quiet --target Flask
exec Scripts/build-docs.py
