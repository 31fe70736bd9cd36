#!/usr/bin/env bash
# Runs the sample (Examples/) on its own data and on bad input. The sums of its own data are literals of its tests, which run first; what it
# prints of other input is compared with what it prints of the same flights read in another way, and with wc. Ends with status 1 if anything
# differs.
# Builds it first; SAMPLE_BUILD_FLAGS goes to `swift build` (for example: -c release).
set -euo pipefail
export LC_ALL=C.UTF-8

cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
inspected_run=
trap '[ -z "$inspected_run" ] || kill -KILL "$inspected_run" 2> /dev/null; rm -rf "$scratch"' EXIT

failures=0
fail() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}
expect() { # what, expected, actual
  if [ "$2" = "$3" ]; then
    echo "ok: $1"
  else
    fail "$1"
    diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") >&2 || true
  fi
}

# Runs the sample; what it says is in $scratch/out and $scratch/err, its status in $status.
# One that hangs (a lock that nobody releases) ends with status 124.
run() {
  status=0
  timeout 120 "$sample" "$@" > "$scratch/out" 2> "$scratch/err" || status=$?
  if grep -q 'Flask fault' "$scratch/err"; then fail "a fault: $(cat "$scratch/err")"; fi
}
lines_read() { tail -n 1 "$scratch/out"; }

# What the sample printed, a line for each number or announcement, sorted.
normalise() {
  awk '
    function numbers() { return $(NF-4) " " $(NF-3) " " $(NF-2) " " $(NF-1) " " $NF }
    function title() { sub(/ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+$/, ""); sub(/^ +/, ""); return $0 }
    /^(worst delay|first cancelled|day closed) +[0-9A-Z]/ { gsub(/  +/, " "); print "announced " $0; next }
    /^worst delay:/ { print; next }
    /^airport and airline /  { part = "airport"; next }
    /^day  /                 { part = "day"; next }
    /^airlines |^lines read:|^$/ { next }
    /^all airports/          { n = numbers(); print "all airports\t" n; next }
    /^  /                    { n = numbers(); print "airline " airport " " title() "\t" n; next }
    part == "airport"        { airport = $1; print "airport " $1 "\t" numbers(); next }
    part == "day"            { print "day " $1 "\t" numbers(); next }
                             { print "not expected: " $0 }
  ' "$1" | sort
}
# What the sample prints of a file.
printed_of() {
  "$sample" "$1" > "$scratch/printed" 2> /dev/null || echo "the sample ends with status $? for $1"
  [ -s "$scratch/printed" ] || echo "the sample prints nothing for $1"
  normalise "$scratch/printed"
}

Scripts/install-tools.sh --proofs
swift test --package-path Examples --scratch-path .build --quiet
# shellcheck disable=SC2086
Scripts/build.sh Examples --product FlaskSample ${SAMPLE_BUILD_FLAGS:-}
# shellcheck disable=SC2086
Scripts/build.sh Examples --product TodoList ${SAMPLE_BUILD_FLAGS:-}
# shellcheck disable=SC2086
sample=$(swift build --package-path Examples --scratch-path .build ${SAMPLE_BUILD_FLAGS:-} --show-bin-path)/FlaskSample
resources=Examples/Sources/FlaskSample/Resources
flights=$resources/flights.jsonl

echo "== The shipped data"
run
cp "$scratch/out" "$scratch/shipped"
total=$(wc -l < "$flights")
expect "status" 0 "$status"
expect "lines are those that wc counts" "lines read: $total ($total flights, 0 blank, 0 bad)" "$(lines_read)"
expect "flights are those that wc counts" "$total" "$(awk '/^all airports/ { print $3 }' "$scratch/out")"
expect "cancelled are the records without a departure" "$(grep -vc '"departure":' "$flights")" \
  "$(awk '/^all airports/ { print $4 }' "$scratch/out")"
expect "airline names are the lines of the CSV but the first" "$(($(wc -l < "$resources/airlines.csv") - 1))" \
  "$(awk '/^airlines / { print $2 }' "$scratch/out")"
expect "nothing on standard error, no progress line in a pipe" "" "$(cat "$scratch/err")"

echo "== Ways to read it"
run "$flights"
expect "a file gives the same as no argument" "$(cat "$scratch/shipped")" "$(cat "$scratch/out")"
status=0
# shellcheck disable=SC2002
cat "$flights" | "$sample" - > "$scratch/out" 2> "$scratch/err" || status=$?
expect "standard input gives the same" "0 $(cat "$scratch/shipped")" "$status $(cat "$scratch/out")"
dd if="$flights" bs=997 2> /dev/null | "$sample" - > "$scratch/out"
expect "standard input in odd pieces gives the same" "$(cat "$scratch/shipped")" "$(cat "$scratch/out")"
run --quiet
expect "--quiet leaves the announcements out" "$(sed '1,/^$/d' "$scratch/shipped")" "$(cat "$scratch/out")"
run --quiet --board
expect "--board shows the latest flights of the last day by airport" "EWR, the latest of 337
  288 min, 2013-01-04 16:35 EWR → SAV, ExpressJet Airlines Inc. (EV) 3805
  203 min, 2013-01-04 18:58 EWR → PHX, United Air Lines Inc. (UA) 1111
  177 min, 2013-01-04 08:55 EWR → GSO, ExpressJet Airlines Inc. (EV) 3815
JFK, the latest of 317
  208 min, 2013-01-04 17:30 JFK → PHX, JetBlue Airways (B6) 179
  145 min, 2013-01-04 17:45 JFK → SFO, American Airlines Inc. (AA) 177
  141 min, 2013-01-04 22:45 JFK → PWM, JetBlue Airways (B6) 608
LGA, the latest of 255
  155 min, 2013-01-04 10:30 LGA → ORD, American Airlines Inc. (AA) 321
  89 min, 2013-01-04 16:02 LGA → IAD, Mesa Airlines Inc. (YV) 3771
  65 min, 2013-01-04 09:55 LGA → ATL, Envoy Air (MQ) 4654" "$(sed '/^$/,$d' "$scratch/out")"
head -n 1000 "$flights" > "$scratch/first"
run --limit 1000
expect "--limit stops after that many lines" "$(printed_of "$scratch/first")" "$(normalise "$scratch/out")"
expect "--limit counts that many lines" "lines read: 1000 (1000 flights, 0 blank, 0 bad)" "$(lines_read)"
sort -t, -k2 "$flights" > "$scratch/shuffled"
run "$scratch/shuffled"
expect "days that come and go" \
  "$(normalise "$scratch/shipped" | grep -v ^announced)" "$(normalise "$scratch/out" | grep -v ^announced)"
run --airlines "$scratch/absent.csv"
expect "without names, status" 0 "$status"
expect "without names the codes stand" \
  "$(normalise "$scratch/shipped" | grep ^airline | sed -E 's/[^ ]+ [^ ]+ [^(]*\(([^)]+)\)/\1/' | sort)" \
  "$(normalise "$scratch/out" | grep ^airline | sed -E 's/[^ ]+ [^ ]+ //' | sort)"
expect "without names a line says so" 1 "$(grep -c '^FlaskSample: no airline names: ' "$scratch/err")"

echo "== Bad input"
: > "$scratch/empty"
run "$scratch/empty"
expect "an empty file" "0 lines read: 0 (0 flights, 0 blank, 0 bad)" "$status $(lines_read)"
printf 'garbage\n[1]\n{}\n\n\0\377\n{"date":' > "$scratch/garbage"
run --quiet "$scratch/garbage"
expect "garbage is counted, status 0" "0 lines read: 6 (0 flights, 1 blank, 5 bad)" "$status $(lines_read)"
expect "garbage is reported by its lines" "FlaskSample: line 1: not a readable JSON object
FlaskSample: line 2: not a readable JSON object
FlaskSample: line 3: \`date\` is missing
FlaskSample: line 5: not a readable JSON object
FlaskSample: line 6: not a readable JSON object" "$(cat "$scratch/err")"
run --quiet --strict "$scratch/garbage"
expect "garbage with --strict, status" 65 "$status"
run --quiet --strict
expect "good input with --strict, status" 0 "$status"
head -c $(($(head -n 100 "$flights" | wc -c) - 20)) "$flights" > "$scratch/truncated"
run "$scratch/truncated"
expect "a truncated last line" "0 lines read: 100 (99 flights, 0 blank, 1 bad)" "$status $(lines_read)"
expect "a truncated last line leaves the others right" \
  "$(head -n 99 "$flights" > "$scratch/whole" && printed_of "$scratch/whole")" "$(normalise "$scratch/out")"
sed '7s/"UA"/"U\\u001b[2J"/; 9s/.*/{"carrier":"UA"}/; 11s/"departureDelay":[-0-9]*/"departureDelay":9000000000000000000/' \
  "$flights" > "$scratch/odd"
sed '9d;11d' "$flights" | sed '7{/"UA"/d}' > "$scratch/even"
bad=$((total - $(wc -l < "$scratch/even")))
run "$scratch/odd"
expect "odd values are bad lines" "lines read: $total ($((total - bad)) flights, 0 blank, $bad bad)" "$(lines_read)"
expect "odd values leave the others right" "$(printed_of "$scratch/even")" "$(normalise "$scratch/out")"
sed 's/$/\r/' "$flights" > "$scratch/crlf"
run "$scratch/crlf"
expect "CRLF" "$(cat "$scratch/shipped")" "$(cat "$scratch/out")"
{ printf '\357\273\277'; cat "$flights"; } > "$scratch/bom"
run "$scratch/bom"
expect "a byte-order mark" "$(cat "$scratch/shipped")" "$(cat "$scratch/out")"
printf %s "$(cat "$flights")" > "$scratch/unterminated"
run "$scratch/unterminated"
expect "no line break at the end" "$(cat "$scratch/shipped")" "$(cat "$scratch/out")"
{ head -n 1 "$flights"; head -c 50000000 /dev/zero | tr '\0' x; echo; sed -n 2p "$flights"; } > "$scratch/huge"
run --quiet "$scratch/huge"
expect "a huge line" "0 lines read: 3 (2 flights, 0 blank, 1 bad)" "$status $(lines_read)"
expect "a huge line is reported" "FlaskSample: line 2: longer than 1048576 bytes" "$(cat "$scratch/err")"
run "$scratch/absent"
expect "a missing file" "66  FlaskSample: $scratch/absent: No such file or directory" \
  "$status $(cat "$scratch/out") $(cat "$scratch/err")"
run --quiet "$scratch"
expect "a folder" "66 FlaskSample: $scratch: Is a directory" "$status $(cat "$scratch/err")"
status=0
"$sample" > /dev/full 2> "$scratch/err" || status=$?
expect "a full disk" "74 FlaskSample: standard output: No space left on device" "$status $(cat "$scratch/err")"

echo "== Archives"
summary=$(sed '1,/^$/d' "$scratch/shipped")
resumed() { sed -n 's/^FlaskSample: going on after line \([0-9]*\),.*/\1/p' "$scratch/err"; }
run --quiet --archive "$scratch/kept" --limit 1000
expect "the first run goes on after nothing" "0 " "$status $(resumed)"
run --quiet --archive "$scratch/kept" --limit 1000
expect "the second run goes on after the first" "1000 2000" "$(resumed) $(lines_read | awk '{ print $3 }')"
run --quiet --archive "$scratch/kept"
expect "three runs give the summary of one" "2000 $summary" "$(resumed) $(cat "$scratch/out")"
run --archive "$scratch/kept"
expect "one more counts and announces nothing" "$total $(cat <(grep ^airlines "$scratch/shipped") <(echo) <(echo "$summary"))" \
  "$(resumed) $(cat "$scratch/out")"
run --quiet --archive "$scratch/kept" "$flights"
expect "another input has counts of its own" " $summary" "$(resumed) $(cat "$scratch/out")"
{ head -n 50 "$scratch/garbage"; cat "$flights"; } > "$scratch/mixed"
run --quiet "$scratch/mixed"
cp "$scratch/out" "$scratch/one"
run --quiet --archive "$scratch/bad" --limit 5 "$scratch/mixed"
run --quiet --archive "$scratch/bad" "$scratch/mixed"
expect "bad lines are counted once" "$(cat "$scratch/one")" "$(cat "$scratch/out")"

# Kills a run that has saved what it knows of the first $1 lines, and has read more.
killed() {
  local saved
  "$sample" --quiet --archive "$scratch/killed" - < "$scratch/pipe" > /dev/null 2>&1 &
  local pid=$!
  exec 9> "$scratch/pipe"
  head -n "$1" "$flights" >&9
  for _ in $(seq 100); do
    # The folder is not there until something has been saved.
    saved=$({ find "$scratch/killed" -name '*.archive' -newer "$scratch/mark" 2> /dev/null || true; } | wc -l)
    [ "$saved" -ge 1 ] && break
    sleep 0.1
  done
  sed -n "$(($1 + 1)),$(($1 + 500))p" "$flights" >&9
  sleep 0.2
  kill -9 "$pid"
  exec 9>&-
  wait "$pid" 2> /dev/null || true
  touch "$scratch/mark"
}
mkfifo "$scratch/pipe"
touch "$scratch/mark"
killed 1500
killed 2500
status=0
"$sample" --quiet --archive "$scratch/killed" - < "$flights" > "$scratch/out" 2> "$scratch/err" || status=$?
expect "a run after two that were killed goes on after what they saved" "0 2500" "$status $(resumed)"
expect "a run after two that were killed gives the summary of one" "$summary" "$(cat "$scratch/out")"
expect "all four are in one file" 1 "$(find "$scratch/killed" -name '*.archive' | wc -l)"
: > "$scratch/sealed"
status=0
"$sample" --quiet --archive "$scratch/sealed" > "$scratch/out" 2> "$scratch/err" || status=$?
expect "an archive folder that cannot be: status, and the summary all the same" "73 $summary" "$status $(cat "$scratch/out")"
# One for each save that fails: a slow run tries it before the end, too.
expect "a fault says that the group was not saved" yes "$(grep -q 'archiveNotSaved' "$scratch/err" && echo yes || echo no)"

echo "== Looked at while it runs"
# The status of what is asked for by GET, with a header if one is given; the answer is in $scratch/answer.
ask() { # address, header
  python3 - "$@" > "$scratch/answer" << 'END'
import http.client, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
connection.request("GET", url.path, headers=dict([sys.argv[2].split(": ")]) if len(sys.argv) > 2 else {})
answer = connection.getresponse()
print(answer.status)
print(answer.read().decode())
END
  head -n 1 "$scratch/answer"
}
# Waits for a line of the inspected run, in standard error; prints what follows the words.
inspected() { # words
  for _ in $(seq 600); do
    sed -n "s|^FlaskSample: $1||p" "$scratch/inspected.err" | grep . && return
    sleep 0.1
  done
}
: > "$scratch/inspected.err"
"$sample" --inspect --quiet --limit 500 > "$scratch/out" 2> "$scratch/inspected.err" &
inspected_run=$!
address=$(inspected 'the inspector is at ')
expect "its address is one of this machine" yes \
  "$(grep -qE '^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$' <<< "$address" && echo yes || echo no)"
inspected 'everything is read; ' > /dev/null
expect "the page is served" "200 yes" "$(ask "$address") $(grep -q '<title>Flask inspector' "$scratch/answer" && echo yes || echo no)"
# What happens is shown a moment later.
for _ in $(seq 600); do
  found=$(ask "${address}export.html")
  if grep -qF '["flights","499","500"]' "$scratch/answer"; then
    found="$found, all of it"
    break
  fi
  sleep 0.1
done
expect "it has what happened" "200, all of it" "$found"
expect "a wrong token gets nothing" 404 "$(ask "${address%/*/}/00000000000000000000000000000000/")"
expect "a foreign host gets nothing" 403 "$(ask "$address" "Host: evil.example")"
expect "a foreign origin gets nothing" 403 "$(ask "$address" "Origin: http://evil.example")"
expect "the summary is there before the end" "lines read: 500 (500 flights, 0 blank, 0 bad)" "$(lines_read)"
kill -INT "$inspected_run"
# One that does not end is killed, with status 137.
for _ in $(seq 1200); do
  kill -0 "$inspected_run" 2> /dev/null || break
  sleep 0.1
done
kill -KILL "$inspected_run" 2> /dev/null || true
status=0
wait "$inspected_run" || status=$?
inspected_run=
expect "Ctrl-C ends it, with the status of the run" "0 " "$status $(grep -v '^FlaskSample: ' "$scratch/inspected.err" || true)"
run --inspect --replay "$scratch/absent"
expect "a replay is not looked at" 64 "$status"

echo "== Recordings"
run --quiet --limit 100 --record "$scratch/whole.flask"
cp "$scratch/out" "$scratch/recorded"
run --replay "$scratch/whole.flask"
expect "a whole recording gives the summary of its run, status 0" "0 $(tail -n 1 "$scratch/recorded")" "$status $(lines_read)"
head -c $(($(wc -c < "$scratch/whole.flask") / 2)) "$scratch/whole.flask" > "$scratch/cut.flask"
run --replay "$scratch/cut.flask"
expect "a recording that is cut off has a status of its own" 71 "$status"
expect "a recording that is cut off gives a summary of what comes before" 1 "$(grep -c '^lines read: ' "$scratch/out")"
sed '$d' "$scratch/whole.flask" > "$scratch/endless.flask"
run --replay "$scratch/endless.flask"
expect "a recording without its last line has that status, too" 71 "$status"

echo "== Command line"
run --help
expect "--help, status" 0 "$status"
for word in USAGE --quiet --board --limit --strict --airlines --archive --record --replay --inspect 'standard input' 'Exit status'; do
  grep -q -e "$word" "$scratch/out" || fail "--help tells of $word"
done
for wrong in --nonsense "--limit -1" "--limit x" "a b"; do
  # shellcheck disable=SC2086
  run $wrong
  expect "wrong usage: $wrong" 64 "$status"
done

echo "== Terminal"
script -qec "stty cols 100; $sample --quiet $flights" /dev/null < /dev/null > "$scratch/terminal"
expect "a progress line on a terminal" yes \
  "$(grep -q $'\r\033\\[K[0-9]* lines read' "$scratch/terminal" && echo yes || echo no)"
expect "the progress line is gone before the summary" "$(sed '1,/^$/d' "$scratch/shipped")" \
  "$(tr -d '\r' < "$scratch/terminal" | sed 's/.*\x1b\[K//')"
TERM=dumb script -qec "$sample --quiet $flights" /dev/null < /dev/null > "$scratch/terminal"
expect "no progress line on a dumb terminal" no "$(grep -q $'\033' "$scratch/terminal" && echo yes || echo no)"

echo "== The todo list"
expect "the todo list shows what is visible, and counts what is left" "[ ] milk
left: 0 → 1
[ ] milk  [ ] bread
left: 1 → 2
[x] milk  [ ] bread
left: 2 → 1
[ ] bread

left: 1 → 0" "$("$(dirname "$sample")/TodoList")"

if [ "$failures" -gt 0 ]; then
  echo "$failures checks of the sample failed" >&2
  exit 1
fi
echo "The sample is right."
