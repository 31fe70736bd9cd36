#!/usr/bin/env bash
# The proofs: what CI does a part of, in full. By hand, before an issue is closed, whose note has the figures then. Hours for all of them.
#
#   Scripts/prove.sh [NAME …]      all if none is named
#   Scripts/prove.sh --list
#
# The output of each is in .build/proofs/NAME.log; here come its last lines, in which its figures are, and its time. One that fails does
# not end the run.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A proofs=(
  [release]="every test as release builds it, with FLASK_FULL=1 and FLASK_PROOFS=1"
  [threads]="every test under ThreadSanitizer"
  [addresses]="every test under AddressSanitizer"
  [damage]="a million damaged archives are read"
  [crash]="1,000 kills of each process that archives, a minute of sharing"
  [inject]="every injection into every system call of a save"
  [latency]="a minute of mixing while saves take half a second"
  [patches]="100,000 random patches, applied by another implementation"
  [leaks]="500 of each thing, in debug and in release, under AddressSanitizer with its search for leaks"
  [growth]="100,000 of each thing, and what memory is left"
  [benchmarks]="the benchmarks in their long form against their targets"
  [mutants]="200 mutants of the sources, and which of them no test notices"
)
order=(release threads addresses damage crash inject latency patches leaks growth benchmarks mutants)

prove() { # name
  case $1 in
    release) FLASK_FULL=1 FLASK_PROOFS=1 Scripts/test-release.sh ;;
    threads) Scripts/test-threads.sh ;;
    addresses) Scripts/test-addresses.sh ;;
    damage) FLASK_SEED=7 FLASK_MUTATIONS=1000000 swift test --filter MutationTests ;;
    crash) Scripts/archive-crash.sh 1000 60 ;;
    inject) Scripts/archive-inject.sh 0 ;;
    latency) Scripts/check-archive-latency.sh 60 ;;
    patches) Scripts/check-json-patch.sh 100000 ;;
    leaks)
      Scripts/check-leaks.sh --addresses debug 500
      Scripts/check-leaks.sh --addresses release 500
      ;;
    growth)
      Scripts/build.sh Checks --configuration release --product leak-check
      .build/release/leak-check growth 100000
      ;;
    benchmarks) Scripts/check-benchmarks.py --full ;;
    mutants) Scripts/mutation/mutate.py --seed 1 --count 200 ;;
  esac
}

# In a shell of its own, in which a command that fails ends the proof.
if [[ ${1:-} == --one ]]; then
  prove "$2"
  exit
fi

if [[ ${1:-} == --list ]]; then
  for name in "${order[@]}"; do printf '%-12s%s\n' "$name" "${proofs[$name]}"; done
  exit
fi
[[ $# -eq 0 ]] || order=("$@")
for name in "${order[@]}"; do
  [[ -n ${proofs[$name]:-} ]] || { echo "there is no proof $name; Scripts/prove.sh --list names them" >&2; exit 2; }
done

Scripts/install-tools.sh
mkdir -p .build/proofs
failed=()
for name in "${order[@]}"; do
  echo "== $name: ${proofs[$name]}"
  log=.build/proofs/$name.log
  start=$SECONDS
  status=0
  Scripts/prove.sh --one "$name" > "$log" 2>&1 || status=$?
  tail -n 8 "$log"
  if [[ $status -eq 0 ]]; then
    echo "✔ $name holds, after $((SECONDS - start)) s"
  else
    echo "✘ $name fails after $((SECONDS - start)) s: $log"
    failed+=("$name")
  fi
done
[[ ${#failed[@]} -eq 0 ]] || { echo "✘ not proven: ${failed[*]}"; exit 1; }
echo "✔ proven: ${order[*]}"
