#!/usr/bin/env bash
# A release build of every product by itself, warnings being errors; and that nothing depends on anything.
set -euo pipefail
cd "$(dirname "$0")/.."

if grep -n '\.package(' Package.swift; then
  echo "The library has no dependencies: take the line above out of Package.swift" >&2
  exit 1
fi
for product in FlaskDiff FlaskEntities FlaskArchive FlaskRefs FlaskCore FlaskSwiftUI FlaskInsight FlaskTesting Flask; do
  echo "-- $product"
  swift build -c release --product "$product" --scratch-path .build-products -Xswiftc -warnings-as-errors -q
done
