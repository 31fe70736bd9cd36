#!/usr/bin/env bash
# Changes values of swift-collections, of Foundation and of BigInt in every place of a state at random (Checks/Libraries): each change has to
# be notified once, derived, patched, undone and archived.
#
#   Scripts/check-libraries.sh [how many changes of each type, 200 if not given]
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/build.sh Checks/Libraries --build-tests
FLASK_VALUES="${1:-200}" swift test --package-path Checks/Libraries --scratch-path .build --skip-build
