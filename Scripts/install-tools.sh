#!/usr/bin/env bash
# Installs what the checks need and a new machine may lack. Swift itself must be there.
set -euo pipefail

packages=()
command -v jq > /dev/null || packages+=(jq)
command -v script > /dev/null || packages+=(bsdutils)
command -v strace > /dev/null || packages+=(strace)
command -v python3 > /dev/null || packages+=(python3)
command -v valgrind > /dev/null || packages+=(valgrind)
[ "$(uname)" != Linux ] || [ -e /usr/include/sqlite3.h ] || packages+=(libsqlite3-dev)
[ ${#packages[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
"${root[@]}" apt-get update -qq > /dev/null
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -qq -y "${packages[@]}" > /dev/null
