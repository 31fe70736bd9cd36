#!/usr/bin/env bash
# Makes, uses and drops everything that Flask can make, and fails if memory is left that nobody refers to (LeakSanitizer).
# Swift's own tables are referred to for ever, and so are Flask's per type; neither counts. Linux only.
#
#   Scripts/check-leaks.sh [how many of each, 50 if not given]
#   Scripts/check-leaks.sh --addresses debug|release [how many of each]
#
# The first form links the objects of the release build with the sanitizer's allocator, for which nothing is compiled. The second compiles
# everything for AddressSanitizer, which sees uses of what is released, too.
#
# How much is left that somebody does refer to, and how long it takes, says the same program:
#   swift run --package-path Checks -c release leak-check growth [how many of each, 100000 if not given]
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == --addresses ]]; then
  SCRATCH=.build-asan Scripts/build.sh Checks --configuration "$2" --sanitize=address --product leak-check
  ASAN_OPTIONS=detect_leaks=1 ".build-asan/$2/leak-check" leaks "${3:-50}"
  exit
fi

Scripts/build.sh Checks --configuration release --product leak-check
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# SwiftPM gives each program's entry a name of its own.
swiftc -o "$scratch/leak-check" @.build/release/leak-check.product/Objects.LinkFileList -Xclang-linker -fsanitize=leak \
  -Xlinker --defsym=main=leak_check_main
"$scratch/leak-check" leaks "${1:-50}"

# What would see nothing says nothing, either.
cat > "$scratch/Leak.swift" <<'SWIFT'
final class Node { var next: Node? }
func leak() { for _ in 0..<50 { let node = Node(); node.next = node } }
leak()
SWIFT
swiftc -o "$scratch/leak" "$scratch/Leak.swift" -Xclang-linker -fsanitize=leak
if "$scratch/leak" > /dev/null 2>&1; then
  echo "FAILED: this check does not see a leak" >&2
  exit 1
fi
