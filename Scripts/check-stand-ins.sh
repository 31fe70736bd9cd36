#!/usr/bin/env bash
# Compiles each of our modules that has code for a module of Apple's against one that stands in for it, and a client of both:
#
#   combine     FlaskActions and Combine (OpenCombine): the client's store is an `ObservableObject`; it is compiled
#   swiftui     FlaskSwiftUI and SwiftUI (Checks/SwiftUI): the client runs in Swift 5 mode, in Swift 6 mode, and with the main actor as
#               default isolation
#   undo        FlaskHistory and Foundation's UndoManager (Checks/UndoManager): the client undoes by a manager that is isolated to the main
#               actor, and by one that is not, and runs
#   signposts   FlaskInsight and os (Checks/Signposts): the client marks operations with signposts, and runs
#
# Usage: Scripts/check-stand-ins.sh [--skip-build] [NAME …]      all if none is named
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
bin=$root/.build/debug

if [[ ${1:-} == --skip-build ]]; then shift; else Scripts/build.sh .; fi
[[ $# -gt 0 ]] || set -- combine swiftui undo signposts

# SwiftPM names a package after its folder, as an identifier.
package=$(basename "$root" | tr "[:upper:]" "[:lower:]" | tr -c "[:alnum:]\n" _)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Goes to a folder of its own with the modules that one of ours depends on.
begin() { # module
  mkdir "$scratch/$1"
  mapfile -t below < <(cd "$root" && Scripts/manifest.py below "$1")
  for name in "${below[@]}"; do cp "$bin/Modules/$name.swiftmodule" "$scratch/$1"; done
  cd "$scratch/$1"
}

# Compiles what stands in for a module.
compile_stand_in() { # module, file, options
  swiftc -swift-version 6 -parse-as-library -emit-module -emit-object -module-name "$1" -wmo "${@:2}"
}

# Compiles a module of ours as its package does.
compile_module() { # module, options
  local sources
  mapfile -t sources < <(find "$root/Sources/$1" -name '*.swift')
  swiftc -swift-version 6 -warnings-as-errors -package-name "$package" -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility -I . -parse-as-library \
    -emit-module -emit-object -module-name "$1" -wmo "${@:2}" "${sources[@]}"
}

# Compiles a client with what has been compiled here, and runs it: it has to say "ok".
run_client() { # file, options
  local objects=(./*.o) module source said
  # Of those sources that there are: a folder of builds may hold more.
  for module in "${below[@]}"; do
    while read -r source; do objects+=("$bin/$module.build/$(basename "$source").o"); done \
      < <(find "$root/Sources/$module" -name '*.swift')
  done
  swiftc "${@:2}" -warnings-as-errors -I . -parse-as-library -module-name Client "$1" "${objects[@]}" -o client
  said=$(./client)
  [[ $said == ok ]] || { echo "✘ the client says: $said" >&2; return 1; }
}

check_combine() {
  # In a folder of its own: in .build other packages would find a module Combine, too.
  local combine=$root/.build/stand-ins helpers options
  (cd "$root" && SCRATCH=$combine Scripts/build.sh Checks/Combine)
  helpers=$(find "$combine/checkouts/OpenCombine/Sources/COpenCombineHelpers" -name include -type d)
  options=(-I "$combine/debug/Modules" -I "$helpers")
  [[ ! -e "$combine/debug/COpenCombineHelpers.build/module.modulemap" ]] ||
    options+=(-Xcc "-fmodule-map-file=$combine/debug/COpenCombineHelpers.build/module.modulemap")
  begin FlaskActions
  compile_module FlaskActions -DDEBUG "${options[@]}"
  swiftc -swift-version 6 -warnings-as-errors -I . "${options[@]}" -typecheck -parse-as-library -module-name Client \
    "$root"/Checks/Combine/Client.swift
  echo "✔ FlaskActions compiles against Combine, and a store is an ObservableObject"
}

check_swiftui() {
  local mode
  begin FlaskSwiftUI
  compile_stand_in SwiftUI "$root"/Checks/SwiftUI/SwiftUI.swift
  compile_module FlaskSwiftUI
  for mode in "-swift-version 5" "-swift-version 6" "-swift-version 6 -default-isolation MainActor"; do
    # shellcheck disable=SC2086
    run_client "$root"/Checks/SwiftUI/Client.swift $mode
    echo "✔ a client of SwiftUI and FlaskSwiftUI, built with $mode, compiles and runs"
  done
}

check_undo() {
  local isolation
  for isolation in MAIN_ACTOR NONISOLATED; do
    begin FlaskHistory
    compile_stand_in UndoStandIn "$root"/Checks/UndoManager/UndoManager.swift "-D$isolation"
    compile_module FlaskHistory -DUNDO_STAND_IN
    run_client "$root"/Checks/UndoManager/Client.swift -swift-version 6
    echo "✔ a client that undoes by a manager ($isolation) compiles and runs"
    rm -rf "$scratch/FlaskHistory"
  done
}

check_signposts() {
  begin FlaskInsight
  compile_stand_in os "$root"/Checks/Signposts/os.swift
  compile_module FlaskInsight
  run_client "$root"/Checks/Signposts/Client.swift -swift-version 6
  echo "✔ a client of OperationSignposts compiles and runs"
}

for name in "$@"; do
  declare -F "check_$name" > /dev/null || { echo "there is no stand-in $name" >&2; exit 2; }
  "check_$name"
done
