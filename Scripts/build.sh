#!/usr/bin/env bash
# Builds a package of this repository into .build, which all of them share: with the same flags each module is compiled once for a
# configuration, whichever package asks for it first. Fails if the compiler warns, and if a target of ours imports a module that Package.swift
# does not let it depend on: such a target builds where the module happens to be built before it.
#
#   Scripts/build.sh PACKAGE [what `swift build` takes]     as Scripts/build.sh Examples --product FlaskSample; the root is "."
#
# SCRATCH in the environment is another folder, for a build that has to be clean.
#
# Flags for the compiler would build all modules again: what needs some has a folder of its own, as the sanitizers have.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$1
shift

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
swift build --package-path "$package" --scratch-path "${SCRATCH:-.build}" --explicit-target-dependency-import-check error "$@" \
  > "$log" 2>&1 || status=$?
# The root depends on nothing. Of other packages' dependencies, what others wrote is not ours to mend.
if [[ $package == . ]]; then pattern='(warning|error):'; else pattern='^(/.*(warning|error):|error: Target )'; fi
told=$(grep -E "$pattern" "$log" | grep -v '\.build/checkouts/' | sort -u || true)
if [[ $status -ne 0 ]]; then
  grep -E -A 8 'error:' "$log" | head -n 100 >&2 || true
  tail -n 20 "$log" >&2
  exit "$status"
fi
if [[ -n $told ]]; then
  echo "$told" >&2
  # A file that is not compiled is not warned of: the next build shall see it again.
  sed -nE 's/^(\/[^:]+\.swift):[0-9]+:[0-9]+: warning: .*/\1/p' <<< "$told" | sort -u | while read -r file; do
    [[ ! -f $file ]] || touch "$file"
  done
  echo "The build of $package is not free of warnings" >&2
  exit 1
fi
tail -n 1 "$log"
