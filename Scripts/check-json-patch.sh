#!/usr/bin/env bash
# Applies Flask's JSON Patches with another implementation (jsonpatch of PyPI) to the encoded states that they were made
# from, over random edits of a state with nested structs, optionals, arrays, dictionaries, enums and types that encode
# themselves otherwise than they are stored. Ends with status 1 at the first state that is not what Swift encodes.
#
#   Scripts/check-json-patch.sh [how many edits, 10000 if not given] [seed]
#
# By hand with 100000. The environment for Python is made in .build/venv, or in JSON_PATCH_VENV if that is set.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-10000}
venv=${JSON_PATCH_VENV:-.build/venv}

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import jsonpatch' 2> /dev/null || "$venv/bin/pip" install --quiet jsonpatch==1.33
Scripts/build.sh Checks --configuration release --product json-patch-check
check=.build/release/json-patch-check
"$check" "$count" ${2+"$2"} | "$venv/bin/python" Scripts/check_json_patch.py "$count"
