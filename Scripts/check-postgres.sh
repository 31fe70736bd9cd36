#!/usr/bin/env bash
# Tests the store of shared groups in PostgreSQL (Stores), each time with servers of its own. Without root, they run as the user; with root, as
# the user `postgres` that Debian's package makes.
#
#   Scripts/check-postgres.sh --conformance  the store conforms, with what a server may refuse: the gate. Nothing if no server is installed
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
# Servers that a test that was killed has left.
end() {
  for process in "$folder"/*/data/postmaster.pid; do kill -QUIT "$(head -n 1 "$process")" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT

Scripts/build.sh Stores --build-tests
FLASK_POSTGRES_FOLDER=$folder swift test --package-path Stores --scratch-path .build --skip-build --filter 'PostgresStoreTests|PostgresCasesTests'
