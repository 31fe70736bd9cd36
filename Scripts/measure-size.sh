#!/usr/bin/env bash
# What the library adds to an app: bytes of a stripped release program with each product over one without any, the
# memory of a substance, an observer and a reactor with its owner, and the processor time of a clean release build of
# FlaskCore. Fails where a figure is above what `sizes` in Benchmarks/targets.json allows.
#
# Usage: Scripts/measure-size.sh
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
mapfile -t products < <(python3 -c '
import json, subprocess
built = subprocess.run(["Scripts/manifest.py", "products"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
held = {row["figure"] for row in json.load(open("Benchmarks/targets.json"))["sizes"]}
print(*(name for name in built if name in held), sep="\n")')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/Size"
{
  cat <<MANIFEST
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Size",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flask", path: "$repository")],
  targets: [
    .executableTarget(name: "WithNothing"),
MANIFEST
  for product in "${products[@]}"; do
    echo "    .executableTarget(name: \"With$product\", dependencies: [.product(name: \"$product\", package: \"Flask\")]),"
  done
  echo '  ]'
  echo ')'
} > "$scratch/Size/Package.swift"
for product in Nothing "${products[@]}"; do
  mkdir -p "$scratch/Size/Sources/With$product"
  # All of a product is linked, whatever is used of it.
  { [ "$product" = Nothing ] || echo "import $product"; echo 'print(1)'; } > "$scratch/Size/Sources/With$product/main.swift"
done

# The first release build of a clone is the clean one. Later ones need a folder of their own for it.
build=.build
[ ! -e .build/release/FlaskCore.build ] || build=$scratch/build
# What SwiftPM needs for itself is not counted.
swift package --scratch-path "$build" describe > /dev/null
TIMEFORMAT='%U %S'
seconds=$({ time SCRATCH=$build Scripts/build.sh . --configuration release --target FlaskCore > "$scratch/log" 2>&1; } 2>&1) ||
  { cat "$scratch/log" >&2; exit 1; }
Scripts/build.sh "$scratch/Size" --configuration release
for product in Nothing "${products[@]}"; do
  strip -o "$scratch/With$product" ".build/release/With$product"
done

Scripts/build.sh Benchmarks --configuration release --product flask-allocations
.build/release/flask-allocations memory > "$scratch/memory.json"
cd "$scratch"
python3 - "$repository/Benchmarks/targets.json" "$seconds" "${products[@]}" <<'REPORT'
import json
import os
import sys

targets, seconds, products = sys.argv[1], sys.argv[2], sys.argv[3:]
figures = json.load(open("memory.json"))
figures["clean release build of FlaskCore"] = sum(map(float, seconds.split()))
for product in products:
    figures[product] = (os.path.getsize(f"With{product}") - os.path.getsize("WithNothing")) / 1024
failures = 0
print(f"{'':4}{'':36}{'':>10}{'target':>10}{'allowed':>10}")
for row in json.load(open(targets))["sizes"]:
    if row["figure"] not in figures:  # Where allocations can't be counted.
        continue
    figure, target = figures[row["figure"]], row.get("target")
    is_failure = figure > row["allowed"]
    failures += is_failure
    mark = "✘" if is_failure else "~" if target is not None and figure > target else "✔"
    wanted = "" if target is None else f"{target:,}"
    print(f"{mark:4}{row['figure']:36}{figure:10,.0f}{wanted:>10}{row['allowed']:10,}  {row['unit']}")
print("✔ within target   ~ target missed, within its tolerance   ✘ failed")
if failures:
    sys.exit(f"{failures} figures are above their limit")
REPORT
