#!/usr/bin/env bash
# Compiles FlaskSwiftUI where there is a module named SwiftUI (Checks/SwiftUI stands in for it), and compiles and runs a client
# that uses both: in Swift 5 mode, in Swift 6 mode, and with the main actor as default isolation.
#
# Usage: Scripts/check-swiftui.sh [--skip-build]
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/stand-in.sh FlaskSwiftUI "${1:-}"

compile_stand_in SwiftUI "$root"/Checks/SwiftUI/SwiftUI.swift
compile_module FlaskSwiftUI
for mode in "-swift-version 5" "-swift-version 6" "-swift-version 6 -default-isolation MainActor"; do
  # shellcheck disable=SC2086
  run_client "$root"/Checks/SwiftUI/Client.swift $mode
  echo "✔ a client of SwiftUI and FlaskSwiftUI, built with $mode, compiles and runs"
done
