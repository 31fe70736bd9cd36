#!/usr/bin/env bash
# Checks what the compiler accepts from clients of Flask, and what it rejects.
#
# Each file in Scripts/isolation is a client of its own. Its first line names the language mode and the diagnostic:
#
#   // Swift 5, no diagnostic         must compile without error or warning
#   // Swift 6, error: <text>         must fail, with exactly this error and no other
#   // Swift 6 MainActor, …           the same in a module whose default isolation is the main actor
#
# As many are compiled at a time as there are processors.
#
# Usage: Scripts/check-isolation.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { # name, what, diagnostics
  echo "✘ $1: $2"
  [[ -z ${3:-} ]] || echo "$3" | sed 's/^/    /'
  return 1
}

check() { # file
  local file=$1 name head mode wanted status=0 output diagnostics others
  name=$(basename "$file" .swift)
  head=$(head -n 1 "$file")
  if [[ ! $head =~ ^//\ Swift\ ([56])(\ MainActor)?,\ (no\ diagnostic|error:\ (.+))$ ]]; then
    fail "$name" "its first line names no language mode and diagnostic"
    return
  fi
  mode=${BASH_REMATCH[1]}
  local isolation=()
  [[ -z ${BASH_REMATCH[2]} ]] || isolation=(-default-isolation MainActor)
  wanted=${BASH_REMATCH[4]:-}

  # Data races between regions are only found on the way to SIL, so type-checking alone is not enough.
  output=$(swiftc -emit-sil -o /dev/null -parse-as-library -swift-version "$mode" "${isolation[@]}" -I .build/debug/Modules \
    "$file" 2>&1) || status=$?
  diagnostics=$(echo "$output" | grep -E '^[^ ].*: (error|warning): ' | sort -u || true)
  others=$(echo "$diagnostics" | grep -vF ": error: $wanted" || true)

  if [[ -z $wanted ]]; then
    if [[ $status -eq 0 && -z $diagnostics ]]; then
      echo "✔ $name: accepted"
    else
      fail "$name" "must be accepted in Swift $mode" "$diagnostics"
    fi
  elif [[ $status -eq 0 ]]; then
    fail "$name" "must be rejected in Swift $mode" "$diagnostics"
  elif [[ $diagnostics != *": error: $wanted"* || -n $others ]]; then
    fail "$name" "must be rejected with “$wanted”, and nothing else" "$diagnostics"
  else
    echo "✔ $name: rejected"
  fi
}

if [[ ${1:-} == --one ]]; then
  # What it says comes out at once, so that the lines of two don't mix.
  status=0
  said=$(check "$2") || status=1
  echo "$said"
  exit "$status"
fi

[[ ${1:-} == --skip-build ]] || Scripts/build.sh .
processors=$(getconf _NPROCESSORS_ONLN)
printf '%s\0' Scripts/isolation/*.swift | xargs -0 -n 1 -P "$processors" Scripts/check-isolation.sh --one || { echo "some checks failed"; exit 1; }
