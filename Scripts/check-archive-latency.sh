#!/usr/bin/env bash
# With every fsync delayed by 500 ms, mixing goes on: the longest mix stays under a tenth of that. The best of ten attempts
# counts, since the machine has other things to do. A program that saves where it mixes must be caught. Linux only; needs
# the right to trace processes.
#
#   Scripts/check-archive-latency.sh [seconds]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-4}
delay=500000
# A loop that does nothing was seen to stand still for 10 ms on a shared machine.
limit=$((delay / 10))

Scripts/install-tools.sh --proofs
Scripts/build.sh Checks --configuration release --product archive-latency
program=.build/release/archive-latency
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Sets longest_mix_us, longest_save_us, mixes and saves.
attempt() {
  local line
  line=$(strace -f --seccomp-bpf -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=$delay \
    "$program" "$folder/archives" "$seconds" "$@" | tail -n 1)
  echo "$line"
  mixes=0 saves=0 longest_mix_us=0 longest_save_us=0
  eval "$(grep -E '^(mixes|longest_mix_us|saves|longest_save_us)=' <<< "$line")"
  if [ "$saves" -lt 1 ] || [ "$longest_save_us" -lt "$delay" ] || [ "$mixes" -lt 1000 ]; then
    echo "FAILED: no save was delayed while something was mixed" >&2
    exit 1
  fi
}

echo "== A program that saves where it mixes"
attempt inline
if [ "$longest_mix_us" -lt "$limit" ]; then
  echo "FAILED: this check does not see a mix that waits" >&2
  exit 1
fi

echo "== Archived substances"
# A mix that waited for a save would take 500 ms in every attempt; a busy machine takes some ms from a thread now and then.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  attempt
  if [ "$longest_mix_us" -lt "$limit" ]; then
    echo "The longest mix took $longest_mix_us µs while saves took $longest_save_us µs."
    exit 0
  fi
done
echo "FAILED: the longest mix took $longest_mix_us µs" >&2
exit 1
