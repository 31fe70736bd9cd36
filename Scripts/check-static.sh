#!/usr/bin/env bash
# Links a program with each module and the standard library statically, runs it, and looks for Foundation in it: in none but that of
# FlaskArchive, which shows that this check finds it. Linux only.
#
# Each file of Checks/Static is a program; its name is the module that it imports. It has to say "ok".
#
# Usage: Scripts/check-static.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $(uname) == Linux ]] || { echo "programs are not linked statically on this system"; exit 0; }

[[ ${1:-} == --skip-build ]] || Scripts/build.sh .
bin=.build/debug
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

failures=0
for file in Checks/Static/*.swift; do
  module=$(basename "$file" .swift)
  objects=()
  for part in $(Scripts/manifest.py below "$module") "$module"; do
    while read -r source; do objects+=("$bin/$part.build/$(basename "$source").o"); done < <(find "Sources/$part" -name '*.swift')
  done
  swiftc -swift-version 6 -module-name Client -static-stdlib -I "$bin/Modules" "$file" "${objects[@]}" -o "$scratch/$module"
  said=$("$scratch/$module")
  [[ $said == ok ]] || { echo "✘ $module: the program says $said"; failures=$((failures + 1)); }
  count=$(nm "$scratch/$module" | grep -c '10Foundation' || true)
  size=$(stat -c %s "$scratch/$module")
  if { [[ $module == FlaskArchive ]] && ((count == 0)); } || { [[ $module != FlaskArchive ]] && ((count > 0)); }; then
    echo "✘ $module: $count symbols of Foundation, $((size / 1000)) KB"
    failures=$((failures + 1))
  else
    echo "✔ $module: $count symbols of Foundation, $((size / 1000)) KB"
  fi
done
((failures == 0)) || { echo "$failures checks failed"; exit 1; }
