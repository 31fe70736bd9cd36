#!/usr/bin/env bash
# The tests. Without an argument: a debug build that must be free of warnings, then the README's own test command, taken from the README.
# It fails if a fault is printed that no test catches.
#
#   Scripts/test.sh [debug]
#   Scripts/test.sh module FlaskCore         those of one module; builds it, what it depends on, and fixtures, but no module above it
#   Scripts/test.sh release                  as release builds them, in full length: what must hold for a million mixes is tried with a million;
#                                            with FLASK_FULL=0 as short as in debug
#   Scripts/test.sh threads [--concurrent]   under ThreadSanitizer; with --concurrent those of the modules in which threads meet
#   Scripts/test.sh addresses                under AddressSanitizer
#
# What follows the kind goes to `swift test`, as `--filter FlaskDiffTests`. Each kind but debug builds into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${1:-debug}
shift || true

# Runs a test command. Fails if a fault is printed, too: a test that provokes faults catches them, so one that is printed is one that no test
# expects. An issue of a test quotes it after an arrow.
tested() {
  local output unexpected status=0
  output=$(mktemp)
  "$@" 2>&1 | tee "$output" || status=$?
  unexpected=$(grep -F 'Flask fault (' "$output" | grep -vE '^ *(↳|✘|━)' | cut -c 1-300 || true)
  rm -f "$output"
  if [[ -n $unexpected ]]; then
    echo "Faults that no test expects:" >&2
    sort <<< "$unexpected" | uniq -c | sort -rn | head -n 20 >&2
    status=1
  fi
  return "$status"
}

case $kind in
  debug)
    unset FLASK_MODULE
    command=$(awk '/^## The two commands/ { found = 1 } found && /^swift test/ { print; exit }' README.md)
    if [[ -z $command ]]; then
      echo "The README does not name its test command" >&2
      exit 1
    fi
    # Into .build, where the command builds, too.
    Scripts/build.sh . --build-tests
    tested $command "$@"
    ;;
  module)
    module=${1:?the name of a module}
    shift
    [[ -d Tests/${module}Tests ]] || { echo "there is no module $module with tests" >&2; exit 2; }
    # `swift test --filter` alone builds all test targets, since they are one product. The manifest reads FLASK_MODULE, and leaves the others out.
    export FLASK_MODULE=$module
    tested swift test --scratch-path ".build-$module" --test-product FlaskPackageTests "$@"
    ;;
  release)
    export FLASK_FULL=${FLASK_FULL:-1}
    tested swift test -c release -Xswiftc -enable-testing --scratch-path .build-release-tests "$@"
    ;;
  threads)
    # What is left out computes with values, and the snippets of the documentation run one after the other.
    if [[ ${1:-} == --concurrent ]]; then
      set -- --filter '^Flask((Actions|Archive|Core|Derived|Feed|History|Insight|Primitives|Scopes|Swift5|Testing|Views)?Tests)\.' "${@:2}"
    fi
    export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
    tested swift test --sanitize=thread --scratch-path .build-tsan "$@"
    ;;
  addresses)
    # XCTest itself leaks, so leaks are looked for by check-leaks.sh. The sanitizer keeps what is freed for a while, but less than the
    # growth of memory that a test allows.
    export ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=8:${ASAN_OPTIONS:-}"
    tested swift test --sanitize=address --scratch-path .build-asan "$@"
    ;;
  *)
    echo "there are the tests debug, module, release, threads and addresses, not $kind" >&2
    exit 2
    ;;
esac
