#!/usr/bin/env bash
# Installs what the scripts need and a machine may lack; reaches for the network only then. Swift itself must be there.
#
#   Scripts/install-tools.sh               what the gate (.ci/run) needs
#   Scripts/install-tools.sh --proofs      and what Scripts/prove.sh needs, but for a browser
#   Scripts/install-tools.sh --browser     what the checks of pages need: headless Chromium, and Playwright in .build/venv
set -euo pipefail
cd "$(dirname "$0")/.."

packages=()
need() { command -v "$1" > /dev/null || packages+=("$2"); }
need python3 python3
# Where the store of shared groups in PostgreSQL is proven, a server is needed. The gate tests it if there is one.
server() { [[ $(uname) != Linux || -d /usr/lib/postgresql ]] || packages+=(postgresql); }
# For the stores of shared groups.
[[ $(uname) != Linux || -e /usr/include/sqlite3.h ]] || packages+=(libsqlite3-dev)
[[ $(uname) != Linux || -e /usr/include/postgresql/libpq-fe.h ]] || packages+=(libpq-dev)
case ${1:-} in
  --proofs)
    python3 -c 'import ensurepip' 2> /dev/null || packages+=(python3-venv)
    need script bsdutils
    need strace strace
    need valgrind valgrind
    server
    [[ $(uname) != Linux || -x /usr/sbin/pgbouncer ]] || packages+=(pgbouncer)
    [[ $(uname) != Linux ]] || need ip iproute2
    ;;
  --browser)
    python3 -c 'import ensurepip' 2> /dev/null || packages+=(python3-venv)
    server
    need chromium-headless-shell chromium-headless-shell
    [[ ${packages[*]} != *chromium* ]] || packages+=(fonts-dejavu-core)
    ;;
  "") ;;
  *) echo "usage: Scripts/install-tools.sh [--proofs | --browser]" >&2; exit 2 ;;
esac
if [[ ${#packages[@]} -gt 0 ]]; then
  root=()
  [[ $(id -u) -eq 0 ]] || root=(sudo)
  "${root[@]}" apt-get update -qq > /dev/null
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -qq -y --no-install-recommends "${packages[@]}" > /dev/null
fi

# Packages of Python, for what has to be applied or looked at by somebody else's code.
python() { # packages to import, packages to install
  [[ -x .build/venv/bin/python ]] || python3 -m venv .build/venv
  .build/venv/bin/python -c "import $1" 2> /dev/null || .build/venv/bin/pip install --quiet "${@:2}"
}
case ${1:-} in
  --proofs) python jsonpatch jsonpatch==1.33 ;;
  --browser) python 'jsonpatch, playwright' jsonpatch==1.33 playwright==1.65.2 ;;
esac
