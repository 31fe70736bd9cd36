#!/usr/bin/env bash
# Applies Flask's JSON Patches with another implementation (jsonpatch of PyPI) to the encoded states that they were made
# from, over random edits of a state with nested structs, optionals, arrays, dictionaries, enums and types that encode
# themselves otherwise than they are stored. Ends with status 1 at the first state that is not what Swift encodes.
#
#   Scripts/check-json-patch.sh [how many edits, 10000 if not given] [seed]
#
# Needs what Scripts/install-tools.sh --proofs installs.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-10000}

Scripts/install-tools.sh --proofs
Scripts/build.sh Checks --configuration release --product json-patch-check
check=.build/release/json-patch-check
"$check" "$count" ${2+"$2"} | .build/venv/bin/python Scripts/check_json_patch.py "$count"
