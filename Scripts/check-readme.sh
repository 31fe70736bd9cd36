#!/usr/bin/env bash
# Follows the README as a new user would: a new package beside the repository, its counter as the program, in Swift 5 mode and in
# Swift 6 mode. The counter has to print what the README says.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for mode in 5 6; do
  app=$scratch/app$mode
  mkdir -p "$app/Sources/App"
  awk '/^## A counter/ { found = 1 } found && /^```/ { if (inside) exit; inside = 1; next } inside' README.md \
    > "$app/Sources/App/main.swift"
  cat > "$app/Package.swift" <<MANIFEST
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flask", path: "$repository")],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "Flask", package: "Flask")],
      swiftSettings: [.swiftLanguageMode(.v$mode)])
  ]
)
MANIFEST
  swift build --package-path "$app" 2>&1 | tee "$app/build.log" | tail -n 1
  if grep -E '(warning|error):' "$app/build.log"; then
    echo "The README's counter does not build without warnings in Swift $mode mode" >&2
    exit 1
  fi
  printed=$("$app/.build/debug/App")
  expected=$(printf 'count: 0 → 1\n1')
  if [ "$printed" != "$expected" ]; then
    printf 'In Swift %s mode the README'"'"'s counter printed:\n%s\n' "$mode" "$printed" >&2
    exit 1
  fi
  echo "ok: the counter of the README, Swift $mode mode"
done
