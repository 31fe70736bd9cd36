#!/usr/bin/env bash
# Tests the store of shared groups in PostgreSQL (Stores), each time with servers of its own. They run as the user; for root, as the user
# `postgres` that Debian's package makes.
#
#   Scripts/check-postgres.sh --conformance  the store conforms, and the cases of the contract: the gate. Nothing if no server is installed
#   Scripts/check-postgres.sh [KILLS]        and real processes: KILLS of four in the middle of saves (8), 2 of 5 as many of the server, 2,000
#                                            times as many mixes, cut answers, a promoted standby, a pooler. As root, the processes are in two
#                                            networks of their own
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s nullglob
programs=(/usr/lib/postgresql/*/bin/initdb)
if [[ ${#programs[@]} -eq 0 ]] && ! command -v initdb > /dev/null; then
  [[ ${1:-} == --conformance ]] || { echo "no server of PostgreSQL is installed" >&2; exit 1; }
  echo "no server of PostgreSQL is installed: left out"
  exit
fi
folder=$(mktemp -d /tmp/flask-postgres-XXXXXX)
chmod 777 "$folder"
networks=()
end() {
  # Servers that a test that was killed has left.
  for process in "$folder"/*/data/postmaster.pid; do kill -QUIT "$(head -n 1 "$process")" 2> /dev/null || true; done
  for network in "${networks[@]}"; do ip netns delete "${network%=*}"; done
  rm -rf "$folder"
}
trap end EXIT
export FLASK_POSTGRES_FOLDER=$folder

test() { swift test --package-path Stores --scratch-path .build --skip-build --filter "$1"; }

Scripts/build.sh Stores --build-tests
if [[ ${1:-} == --conformance ]]; then
  test 'PostgresStoreTests|PostgresCasesTests|PostgresDecisionsTests|PostgresAnswersTests|FlaskPostgresTests.PageTests'
  exit
fi

# A network of its own, with one cable to this machine.
network() { # name, number
  ip netns add "$1" || return 1
  networks+=("$1=10.87.$2.1")
  ip link add "$1" type veth peer name cable netns "$1"
  ip address add "10.87.$2.1/24" dev "$1"
  ip link set "$1" up
  ip -n "$1" address add "10.87.$2.2/24" dev cable
  ip -n "$1" link set cable up
}
if [[ $(id -u) -eq 0 ]] && command -v ip > /dev/null; then
  { network "flask-$$-1" 1 && network "flask-$$-2" 2; } || echo "no networks can be made: the processes share that of this machine"
fi
kills=${1:-8}
FLASK_NAMESPACES="${networks[*]}" FLASK_KILLS=$kills FLASK_SERVER_KILLS=$((kills * 2 / 5)) FLASK_MIXES=$((kills * 2000)) test Postgres
