#!/usr/bin/env bash
# Tests the example of an archive in SQLite (Examples/SQLiteArchive).
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/build.sh Examples/SQLiteArchive --build-tests
swift test --package-path Examples/SQLiteArchive --scratch-path .build --skip-build
