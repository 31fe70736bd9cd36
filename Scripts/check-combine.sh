#!/usr/bin/env bash
# Type-checks FlaskCore where there is a module named Combine (OpenCombine stands in for it), and a client of its conformance to
# `ObservableObject`.
#
# Usage: Scripts/check-combine.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

[[ ${1:-} == --skip-build ]] || swift build --quiet
swift build --quiet --package-path Checks/Combine
modules="$(swift build --show-bin-path)/Modules"
standIn="$(swift build --package-path Checks/Combine --show-bin-path)"
helpers=$(find Checks/Combine/.build/checkouts/OpenCombine/Sources/COpenCombineHelpers -name include -type d)

# SwiftPM names a package after its folder.
package=$(basename "$PWD" | tr "[:upper:]" "[:lower:]")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$modules"/FlaskDiff.swiftmodule "$modules"/FlaskEntities.swiftmodule "$modules"/FlaskArchive.swiftmodule "$scratch"

options=(-swift-version 6 -warnings-as-errors -package-name "$package" -I "$scratch" -I "$standIn/Modules" -I "$helpers"
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)
[[ -e "$standIn/COpenCombineHelpers.build/module.modulemap" ]] &&
  options+=(-Xcc "-fmodule-map-file=$standIn/COpenCombineHelpers.build/module.modulemap")

find Sources/FlaskCore -name '*.swift' -print0 |
  xargs -0 swiftc "${options[@]}" -emit-module -module-name FlaskCore -DDEBUG -o "$scratch/FlaskCore.swiftmodule"
swiftc "${options[@]}" -typecheck -parse-as-library -module-name Client Checks/Combine/Client.swift
echo "✔ FlaskCore compiles against Combine, and a store is an ObservableObject"
