#!/usr/bin/env bash
# Compiles FlaskSwiftUI where there is a module named SwiftUI (Checks/SwiftUI stands in for it), and compiles and runs a client
# that uses both: in Swift 5 mode, in Swift 6 mode, and with the main actor as default isolation.
#
# Usage: Scripts/check-swiftui.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

[[ ${1:-} == --skip-build ]] || swift build --quiet
bin=$(swift build --show-bin-path)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
package=$(basename "$PWD" | tr "[:upper:]" "[:lower:]")
for module in FlaskDiff FlaskArchive FlaskCore; do cp "$bin/Modules/$module.swiftmodule" "$scratch"; done

cd "$scratch"
root=$OLDPWD
swiftc -swift-version 6 -parse-as-library -emit-module -emit-object -module-name SwiftUI -wmo "$root"/Checks/SwiftUI/SwiftUI.swift
swiftc -swift-version 6 -warnings-as-errors -package-name "$package" -enable-upcoming-feature ExistentialAny \
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility -I . -parse-as-library \
  -emit-module -emit-object -module-name FlaskSwiftUI -wmo "$root"/Sources/FlaskSwiftUI/*.swift
# Of those sources that there are: a folder of builds may hold more.
objects=(./*.o)
for module in FlaskDiff FlaskArchive FlaskCore; do
  while read -r source; do objects+=("$bin/$module.build/$(basename "$source").o"); done \
    < <(find "$root/Sources/$module" -name '*.swift')
done
for mode in "-swift-version 5" "-swift-version 6" "-swift-version 6 -default-isolation MainActor"; do
  # shellcheck disable=SC2086
  swiftc $mode -warnings-as-errors -I . -parse-as-library -module-name Client "$root"/Checks/SwiftUI/Client.swift \
    "${objects[@]}" -o client
  [[ $(./client) == ok ]]
  echo "✔ a client of SwiftUI and FlaskSwiftUI, built with $mode, compiles and runs"
done
