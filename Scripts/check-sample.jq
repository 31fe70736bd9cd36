# From flights (jq -s), every number that the sample's summary and announcements show, worked out anew.
# Arguments: names, an object of airline names by code.

def tenth: if . == null then "-" else (. * 10 | round / 10 + 0 | tostring | if test("\\.") then . else . + ".0" end) end;
def delays: map(.departureDelay | values);
def late: 15;

def tally: [
  length,
  (map(select(has("departure") | not)) | length),
  (delays | map(select(. >= late)) | length),
  (delays | if length == 0 then null else add / length end | tenth),
  (delays | max // "-")
];
def airline: . as $code | if $names[$code] then "\($names[$code]) (\($code))" else $code end;
def row($title): "\($title)\t\(tally | map(tostring) | join(" "))";

def twoDigits: if . < 10 then "0\(.)" else "\(.)" end;
def describe: "\(.date) \(.scheduledDeparture / 100 | floor | twoDigits):\(.scheduledDeparture % 100 | twoDigits) "
  + "\(.origin) → \(.destination), \(.carrier | airline) \(.flight)";

# A list of the flights that beat every flight before them.
def records: reduce (.[] | select(.departureDelay != null)) as $flight ([];
  if length == 0 or .[-1].departureDelay < $flight.departureDelay then . + [$flight] else . end);

. as $flights
| (group_by(.origin)[] | .[0].origin as $airport
    | row("airport \($airport)"),
      (group_by(.carrier)[] | row("airline \($airport) \(.[0].carrier | airline)"))),
  row("all airports"),
  (group_by(.date)[] | row("day \(.[0].date)")),
  (records[-1] | "worst delay: \(.departureDelay) min, \(describe)"),
  (records[] | select(.departureDelay >= late) | "announced worst delay \(.departureDelay) min \(describe)"),
  (group_by(.origin)[] | map(select(has("departure") | not)) | .[0] | values
    | "announced first cancelled \(.origin) \(.carrier | airline)"),
  (group_by(.date)[]
    | "announced day closed \(.[0].date) \(length) flights, \(tally[1]) cancelled")
