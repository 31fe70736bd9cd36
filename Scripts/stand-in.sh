# For scripts that compile one of our modules where there is a module of Apple's, and run a client of both: sourced from the root
# of the repository, with --skip-build if it is built. Leaves the shell in a folder of its own with FlaskDiff, FlaskArchive and
# FlaskCore.
# shellcheck shell=bash

[[ ${1:-} == --skip-build ]] || swift build --quiet
bin=$(swift build --show-bin-path)
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# SwiftPM names a package after its folder.
package=$(basename "$root" | tr "[:upper:]" "[:lower:]")
cores=(FlaskDiff FlaskEntities FlaskArchive FlaskCore)
for module in "${cores[@]}"; do cp "$bin/Modules/$module.swiftmodule" "$scratch"; done
cd "$scratch"

# Compiles what stands in for a module.
compile_stand_in() { # module, file
  swiftc -swift-version 6 -parse-as-library -emit-module -emit-object -module-name "$1" -wmo "$2"
}

# Compiles a module of ours as its package does.
compile_module() { # module
  local sources
  mapfile -t sources < <(find "$root/Sources/$1" -name '*.swift')
  swiftc -swift-version 6 -warnings-as-errors -package-name "$package" -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility -I . -parse-as-library \
    -emit-module -emit-object -module-name "$1" -wmo "${sources[@]}"
}

# Compiles a client with what has been compiled here, and runs it: it has to say "ok".
run_client() { # file, options
  local objects=(./*.o) module source said
  # Of those sources that there are: a folder of builds may hold more.
  for module in "${cores[@]}"; do
    while read -r source; do objects+=("$bin/$module.build/$(basename "$source").o"); done \
      < <(find "$root/Sources/$module" -name '*.swift')
  done
  swiftc "${@:2}" -warnings-as-errors -I . -parse-as-library -module-name Client "$1" "${objects[@]}" -o client
  said=$(./client)
  [[ $said == ok ]] || { echo "✘ the client says: $said" >&2; return 1; }
}
