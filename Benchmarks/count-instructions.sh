#!/usr/bin/env bash
# Prints the instructions per operation of a case of the benchmarks, such as `W1 observer`: the difference of two
# counts under callgrind, the same each time however busy the machine is.
#
# Usage: Benchmarks/count-instructions.sh [--skip-build] WORKLOAD CASE
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == --skip-build ]]; then
  shift
else
  Scripts/build.sh Benchmarks --configuration release --product flask-benchmarks > /dev/null
fi

# Without its debug information, some of which valgrind can't read.
program=$(mktemp)
trap 'rm -f "$program"' EXIT
strip -g -o "$program" .build/release/flask-benchmarks
chmod +x "$program"

# W5 copies a large dictionary with each operation, and W3 calls as many as a hundred handlers.
few=1000
[[ $1 != W3 ]] || few=200
[[ $1 != W5 ]] || few=20
# W19 is a trace of 10,000 operations that is full.
[[ $1 != W19 ]] || few=12000
# W18 first makes 10,000 elements.
[[ $1 != W18 ]] || few=100

# Else the seed of hashes differs from run to run, and W3's count by 90.
export SWIFT_DETERMINISTIC_HASHING=1

count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" repeat "$1" "$2" "$3" 2>&1 |
    sed -n 's/.*Collected : //p'
}
echo $((($(count "$1" "$2" $((2 * few))) - $(count "$1" "$2" $few)) / few))
