#!/usr/bin/env bash
# Compiles FlaskInsight where there is a module named os (Checks/Signposts stands in for it), and compiles and runs a client that
# marks operations with signposts.
#
# Usage: Scripts/check-signposts.sh [--skip-build]
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
swiftc -swift-version 6 -parse-as-library -emit-module -emit-object -module-name os -wmo "$root"/Checks/Signposts/os.swift
mapfile -t sources < <(find "$root/Sources/FlaskInsight" -name '*.swift')
swiftc -swift-version 6 -warnings-as-errors -package-name "$package" -enable-upcoming-feature ExistentialAny \
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility -I . -parse-as-library \
  -emit-module -emit-object -module-name FlaskInsight -wmo "${sources[@]}"
# Of those sources that there are: a folder of builds may hold more.
objects=(./*.o)
for module in FlaskDiff FlaskArchive FlaskCore; do
  while read -r source; do objects+=("$bin/$module.build/$(basename "$source").o"); done \
    < <(find "$root/Sources/$module" -name '*.swift')
done
swiftc -swift-version 6 -warnings-as-errors -I . -parse-as-library -module-name Client "$root"/Checks/Signposts/Client.swift \
  "${objects[@]}" -o client
said=$(./client)
[[ $said == ok ]] || { echo "✘ the client of OperationSignposts says: $said" >&2; exit 1; }
echo "✔ a client of OperationSignposts compiles and runs"
