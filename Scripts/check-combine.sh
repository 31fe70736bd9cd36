#!/usr/bin/env bash
# Type-checks FlaskActions where there is a module named Combine (OpenCombine stands in for it), and a client of its conformance to
# `ObservableObject`.
#
# Usage: Scripts/check-combine.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

[[ ${1:-} == --skip-build ]] || Scripts/build.sh .
Scripts/build.sh Checks/Combine
standIn=.build/debug
helpers=$(find .build/checkouts/OpenCombine/Sources/COpenCombineHelpers -name include -type d)

# SwiftPM names a package after its folder, as an identifier.
package=$(basename "$PWD" | tr "[:upper:]" "[:lower:]" | tr -c "[:alnum:]\n" _)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for module in $(Scripts/manifest.py below FlaskActions); do cp "$standIn/Modules/$module.swiftmodule" "$scratch"; done

options=(-swift-version 6 -warnings-as-errors -package-name "$package" -I "$scratch" -I "$standIn/Modules" -I "$helpers"
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)
[[ -e "$standIn/COpenCombineHelpers.build/module.modulemap" ]] &&
  options+=(-Xcc "-fmodule-map-file=$standIn/COpenCombineHelpers.build/module.modulemap")

find Sources/FlaskActions -name '*.swift' -print0 |
  xargs -0 swiftc "${options[@]}" -emit-module -module-name FlaskActions -DDEBUG -o "$scratch/FlaskActions.swiftmodule"
swiftc "${options[@]}" -typecheck -parse-as-library -module-name Client Checks/Combine/Client.swift
echo "✔ FlaskActions compiles against Combine, and a store is an ObservableObject"
