#!/usr/bin/env bash
# The proofs: what takes too long for the gate (.ci/run). By night in their short form; in full by hand, before an issue is closed that they
# concern, whose note has the figures then. CONTRIBUTING.md says which proof belongs to which folder.
#
#   Scripts/prove.sh [--short] [NAME …]      all if none is named; with --short those that have a short form, in a tenth of their length
#   Scripts/prove.sh --list                  what each shows, and how long it takes on an idle machine of two cores with nothing built
#
# The output of each is in .build/proofs/NAME.log; here come its last lines, in which its figures are, and its time. One that fails does
# not end the run.
set -euo pipefail
cd "$(dirname "$0")/.."

# Name, time in short and in full, what it shows. In the order in which they share what is built.
table='
sizes        2 min   2 min   the bytes of a program with each product, the memory of each thing, the time of a clean build: against targets
products     1 min   1 min   each product builds by itself, and nothing depends on anything
patches      1 min   3 min   10,000 (100,000) random patches, applied by another implementation
latency      1 min   2 min   4 s (a minute) of mixing while saves take half a second
leaks        1 min  10 min   50 of each thing leave nothing (500, in debug and in release, under AddressSanitizer)
growth       1 min   2 min   10,000 (100,000) of each thing, and what memory is left
api          1 min   6 min   no public declaration has changed since the last release that the list of changes does not name
formats      1 min   6 min   what the last release has archived is read
weight       1 min   1 min   tokens and types of each module, beside those of the last release
journeys     1 min   1 min   how many functions a mix, a chain, an action, a derived value and a save pass, by callgrind
benchmarks   3 min  10 min   times, instructions and allocations against targets
crash        2 min  11 min   100 (1,000) kills of each process that archives
inject       1 min  10 min   60 injections into the system calls of a save with a journal (every one)
docs         2 min   2 min   every block of Swift of the pages in Swift 5 mode, in Swift 6 mode, with the main actor as default isolation
stand-ins    1 min   1 min   what is for SwiftUI, UndoManager, Combine and os alone compiles and runs, against modules that stand in for them
site         1 min   1 min   the site of the documentation: no link leads nowhere, each symbol has a topic
sample       1 min   1 min   the tests of the sample, the sums of its data among them, and bad input
sqlite       2 min   3 min   real processes share a database: 8 (50) kills, ten greedy ones, a full disk, two versions, a backup; archives in SQLite
postgres     2 min   4 min   real processes share a server: 8 (50) kills of them and 3 (20) of it, 16,000 (100,000) mixes, a standby, a pooler
inspector    2 min   2 min   the server of the inspector, and its page in a browser
live-board   1 min   1 min   the board that lives in browsers, with a thousand connections
derived      2 min  10 min   1,000 random graphs of derived values over one flux and over two, beside four threads (in debug and in release)
views        6 min  40 min   1,000 (100,000) random programs of views on views, equal to lists computed by hand after each of 30 commits
simulate     4 min  20 min   100,000 (2,000,000) histories of archives, 20,000 of substances whose archives arrive late, shortened if one fails
simulate-sharing 4 min 20 min  50,000 (1,000,000) histories of two to five processes that share a group, with failures, kills, backups and clocks
diff         3 min   4 min   200 (5,000) random changes of each of 17 types of libraries, in each place of a state: told once, derived, undone
damage       -       5 min   a million damaged archives are read (the gate: 100,000)
threads      9 min  12 min   the tests of the modules in which threads meet (every test), and a minute of programs of users, under ThreadSanitizer
addresses    -       8 min   every test under AddressSanitizer
release      6 min  20 min   every test as release builds it (in full length, with FLASK_PROOFS=1)
mutants      -      hours    200 mutants of the sources, and which of them no test notices
'

# In a shell of its own, in which a command that fails ends the proof.
prove() { # name, length
  case $1-$2 in
    sizes-*) Scripts/measure-size.sh ;;
    products-*) Scripts/check-products.sh ;;
    patches-short) Scripts/check-json-patch.sh 10000 ;;
    patches-full) Scripts/check-json-patch.sh 100000 ;;
    latency-short) Scripts/check-archive-latency.sh 4 ;;
    latency-full) Scripts/check-archive-latency.sh 60 ;;
    leaks-short) Scripts/check-leaks.sh 50 ;;
    leaks-full)
      Scripts/check-leaks.sh --addresses debug 500
      Scripts/check-leaks.sh --addresses release 500
      ;;
    growth-*)
      Scripts/build.sh Checks --configuration release --product leak-check
      .build/release/leak-check growth $([[ $2 == short ]] && echo 10000 || echo 100000)
      ;;
    api-*) Scripts/check-api.py ;;
    formats-*) Scripts/check-formats.sh ;;
    weight-*) Scripts/measure-weight.py ;;
    journeys-*) Scripts/measure-journeys.py ;;
    benchmarks-short) Scripts/check-benchmarks.py ;;
    benchmarks-full) Scripts/check-benchmarks.py --full ;;
    crash-short) Scripts/archive-crash.sh 100 ;;
    crash-full) Scripts/archive-crash.sh 1000 ;;
    inject-short) Scripts/archive-inject.sh 60 ;;
    inject-full) Scripts/archive-inject.sh 0 ;;
    docs-*) Scripts/check-docs.py ;;
    stand-ins-*) Scripts/check-stand-ins.sh ;;
    site-*) Scripts/build-docs.py ;;
    sample-*) Scripts/check-sample.sh ;;
    sqlite-short) Scripts/check-sqlite.sh 8 ;;
    sqlite-full) Scripts/check-sqlite.sh 50 ;;
    postgres-short) Scripts/check-postgres.sh 8 ;;
    postgres-full) Scripts/check-postgres.sh 50 ;;
    inspector-*) Scripts/check-inspector.sh ;;
    live-board-*) Scripts/check-live-board.sh ;;
    derived-short) FLASK_FULL=1 swift test --filter DerivedGraphTests ;;
    derived-full)
      FLASK_FULL=1 swift test --filter DerivedGraphTests
      Scripts/test.sh release --filter DerivedGraphTests
      ;;
    views-short) FLASK_PROGRAMS=1000 Scripts/test.sh release --filter RandomViewsTests ;;
    views-full) FLASK_PROGRAMS=100000 Scripts/test.sh release --filter RandomViewsTests ;;
    simulate-short)
      FLASK_HISTORIES=50000 FLASK_ARRIVALS=2000 Scripts/test.sh release --filter 'LedgerSimulation|RebasedHistory'
      ;;
    simulate-full) FLASK_PROOFS=1 Scripts/test.sh release --filter 'LedgerSimulation|RebasedHistory' ;;
    simulate-sharing-short) FLASK_HISTORIES=50000 Scripts/test.sh release --filter SharedSimulationTests ;;
    simulate-sharing-full) FLASK_PROOFS=1 Scripts/test.sh release --filter SharedSimulationTests ;;
    diff-short) Scripts/check-libraries.sh 200 ;;
    diff-full) Scripts/check-libraries.sh 5000 ;;
    damage-full) FLASK_SEED=7 FLASK_MUTATIONS=1000000 swift test --filter MutationTests ;;
    threads-short)
      Scripts/check-threads.sh
      Scripts/test.sh threads --concurrent
      ;;
    threads-full)
      Scripts/check-threads.sh
      Scripts/test.sh threads
      ;;
    addresses-full) Scripts/test.sh addresses ;;
    release-short) FLASK_FULL=0 Scripts/test.sh release ;;
    release-full) FLASK_PROOFS=1 Scripts/test.sh release ;;
    mutants-full) Scripts/mutation/mutate.py --seed 1 --count 200 ;;
    *) echo "$1 has no $2 form" >&2; return 2 ;;
  esac
}

case ${1:-} in
  --one)
    prove "$2" "$3"
    exit
    ;;
  --list)
    printf '%-12s%-8s%-8s%s\n' name short full shows
    sed '/^$/d' <<< "$table"
    exit
    ;;
esac
length=full
if [[ ${1:-} == --short ]]; then
  length=short
  shift
fi
mapfile -t known < <(awk -v length_="$length" 'NF && !(length_ == "short" && $2 == "-") { print $1 }' <<< "$table")
[[ $# -gt 0 ]] || set -- "${known[@]}"
for name in "$@"; do
  [[ " ${known[*]} " == *" $name "* ]] || { echo "there is no proof $name ($length); Scripts/prove.sh --list has them" >&2; exit 2; }
done

Scripts/install-tools.sh --proofs
mkdir -p .build/proofs
failed=()
times=()
for name in "$@"; do
  echo "== $name"
  log=.build/proofs/$name.log
  start=$SECONDS
  status=0
  Scripts/prove.sh --one "$name" "$length" > "$log" 2>&1 || status=$?
  tail -n 8 "$log"
  if [[ $status -eq 0 ]]; then
    echo "✔ $name holds, after $((SECONDS - start)) s"
  else
    echo "✘ $name fails after $((SECONDS - start)) s: $log"
    failed+=("$name")
  fi
  times+=("$(printf '%6d s  %s' $((SECONDS - start)) "$name")")
done
printf '%s\n' "== $SECONDS s" "${times[@]}" | tee .build/proofs/times.txt
[[ ${#failed[@]} -eq 0 ]] || { echo "✘ not proven: ${failed[*]}"; exit 1; }
echo "✔ proven: $*"
