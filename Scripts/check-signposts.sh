#!/usr/bin/env bash
# Compiles FlaskInsight where there is a module named os (Checks/Signposts stands in for it), and compiles and runs a client that
# marks operations with signposts.
#
# Usage: Scripts/check-signposts.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/stand-in.sh FlaskInsight "${1:-}"

compile_stand_in os "$root"/Checks/Signposts/os.swift
compile_module FlaskInsight
run_client "$root"/Checks/Signposts/Client.swift -swift-version 6
echo "✔ a client of OperationSignposts compiles and runs"
