#!/usr/bin/env bash
# Follows the README as a new user would: a new package beside the repository, its counter as the program, in Swift 5 mode, in
# Swift 6 mode, and in Swift 6 mode with the main actor as default isolation. The counter has to print what the README says. The second
# and the third piece of code (an owner, and "In a few lines") have to compile without a warning, with what they name declared beside them.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
export repository

scratch=$(mktemp -d)
[ -n "${KEEP:-}" ] || trap 'rm -rf "$scratch"' EXIT

# The piece of code number $2 after the heading $1.
piece() {
  awk -v heading="$1" -v wanted="$2" '
    $0 ~ "^## " heading { found = 1; next }
    found && /^## / { exit }
    found && /^```/ { inside = !inside; if (inside) number++; next }
    inside && number == wanted' README.md
}

for target in Five Six MainActorByDefault; do
  folder=$scratch/Sources/$target
  mkdir -p "$folder"
  piece "A counter" 1 > "$folder/main.swift"
  {
    echo 'import Flask'
    echo 'nonisolated func show(_ old: Int, _ new: Int) {}'
    echo '@MainActor func ownersMix() {'
    piece "A counter" 2 | grep -v '^import\|^final class\|^  func flask\|^    reaction\|^  }\|^}' | sed 's/^/  /'
    echo '}'
    piece "A counter" 2 | sed -n '/^final class/,/^}/p' | if [ $target = MainActorByDefault ]; then sed 's/^final/nonisolated final/'; else cat; fi
  } > "$folder/Owners.swift"
  {
    cat Scripts/readme/Declarations.swift
    echo 'func inAFewLines() async throws {'
    piece "In a few lines" 1 | sed '/^enum EnvMixers/d; s/^/  /'
    echo '  withExtendedLifetime((settings, login)) {}'
    echo '}'
    piece "In a few lines" 1 | sed -n '/^enum EnvMixers/p' |
      if [ $target = MainActorByDefault ]; then sed 's/^class/nonisolated class/; s/^enum/nonisolated enum/'; else cat; fi
  } > "$folder/InAFewLines.swift"
  if [ $target = MainActorByDefault ]; then sed -i 's/^struct/nonisolated struct/' "$folder"/InAFewLines.swift; fi
done
cat > "$scratch/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let flask: [Target.Dependency] = [.product(name: "Flask", package: "Flask")]
let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flask", path: "$repository")],
  targets: [
    .executableTarget(name: "Five", dependencies: flask, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Six", dependencies: flask, swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "MainActorByDefault",
      dependencies: flask,
      swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
    ),
  ]
)
MANIFEST
swift build --package-path "$scratch" 2>&1 | tee "$scratch/build.log" | tail -n 1
if grep -E '(warning|error):' "$scratch/build.log"; then
  echo "The README's code does not build without warnings" >&2
  exit 1
fi
for target in Five Six MainActorByDefault; do
  printed=$("$scratch/.build/debug/$target")
  expected=$(printf '0 → 1\n1 → 2\n2 2')
  if [ "$printed" != "$expected" ]; then
    printf 'The README'"'"'s counter (%s) printed:\n%s\n' "$target" "$printed" >&2
    exit 1
  fi
  echo "ok: the README's counter, $target"
done
