#!/usr/bin/env bash
# What must hold before a version gets its tag. It makes no tag, and changes nothing: it says which of the steps hold, and at the end the
# command that makes the tag. What a step needs to be seen again is in .build/steps/STEP.log.
#
#   Scripts/release.sh VERSION [--short]     all steps; with --short the proofs in their short form (some two hours, in full eight or more)
#   Scripts/release.sh VERSION --steps       the steps, without running them
#
# docs/public-api.md says what a version promises.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-}
form=${2:-}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ || ! $form =~ ^(|--short|--steps)$ ]]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 64
fi

# Nothing that is not committed, on main.
tree() {
  local changed
  changed=$(git status --porcelain)
  [[ -z $changed ]] || { echo "not committed:" && echo "$changed" && return 1; }
  [[ $(git branch --show-current) == main ]] || { echo "this is not main" && return 1; }
}

# The newest section of the changelog is that of this version, has today's date, and a higher number than the newest tag.
changelog() { Scripts/check-release.py "$version"; }

# Everything that lands is tested so, in an empty folder.
gate() {
  clone=$(mktemp -d)
  trap 'rm -rf "$clone"' EXIT
  git clone --quiet . "$clone/flask"
  "$clone/flask/.ci/run"
}

# No public declaration has changed unseen.
api() { Scripts/check-api.py; }

# This version reads what the last one has written.
formats() { Scripts/check-formats.sh; }

# The site of the documentation.
site() { Scripts/build-docs.py; }

# Each product builds by itself, in release.
products() { Scripts/check-products.sh; }

proofs() { if [[ $form == --short ]]; then Scripts/prove.sh --short; else Scripts/prove.sh; fi; }

# In the order of their cost.
steps=(tree changelog api formats site products gate proofs)
if [[ $form == --steps ]]; then
  printf '%s\n' "${steps[@]}"
  exit
fi

commit=$(git rev-parse HEAD)
mkdir -p .build/steps
failed=()
for step in "${steps[@]}"; do
  start=$SECONDS
  # In a shell of its own, in which a command that fails ends the step. `if` would switch that off.
  set +e
  (
    set -e
    "$step"
  ) >".build/steps/$step.log" 2>&1
  result=$?
  set -e
  if ((result == 0)); then
    printf '✔ %-10s %5d s\n' "$step" $((SECONDS - start))
  else
    printf '✘ %-10s %5d s\n' "$step" $((SECONDS - start))
    tail -n 5 ".build/steps/$step.log" | sed 's/^/    /'
    failed+=("$step")
  fi
done

if [[ $(git rev-parse HEAD) != "$commit" ]]; then
  echo "✘ main has moved since $commit, of which all this was seen"
  failed+=(main)
fi
if ((${#failed[@]})); then
  echo "✘ not ready: ${failed[*]} (.build/steps/STEP.log)"
  exit 1
fi
echo "✔ ready: git tag -s $version -m 'Flask $version' $commit"
