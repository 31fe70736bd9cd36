#!/usr/bin/env bash
# A release build of every product by itself, free of warnings, in which no module imports one that its target does not name; and that
# nothing depends on anything.
set -euo pipefail
cd "$(dirname "$0")/.."

if grep -n '\.package(' Package.swift; then
  echo "The library has no dependencies: take the line above out of Package.swift" >&2
  exit 1
fi
for product in $(Scripts/manifest.py products); do
  echo "-- $product"
  Scripts/build.sh . --configuration release --target "$product"
done
