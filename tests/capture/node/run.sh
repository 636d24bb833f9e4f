#!/bin/sh
# run.sh SOURCE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests against the packages of package-lock.json,
# which are installed into WORK_FOLDER once. 77: skipped, with the reason on stdout.
set -eu
source=$1
work=$2
hebb=$3
script=$4

for program in node npm; do
  command -v "$program" >/dev/null || { echo "$program is not installed (Debian: nodejs, npm)"; exit 77; }
done
if [ "$script" = playwright.mjs ]; then
  CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
  [ -n "$CHROMIUM" ] || { echo "chromium is not installed (Debian: chromium)"; exit 77; }
  export CHROMIUM
fi

mkdir -p "$work"
# Several tests may start at once.
exec 9>"$work/lock"
flock 9
if ! cmp -s "$source/package-lock.json" "$work/installed.json"; then
  cp "$source/package.json" "$source/package-lock.json" "$work/"
  if ! (cd "$work" && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2); then
    # Without the registry there is nothing to test against; whatever else npm says is a failure.
    npm ping --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1 && exit 1
    echo "the packages are not here, and npm's registry cannot be reached ($(npm config get registry))"
    exit 77
  fi
  cp "$source/package-lock.json" "$work/installed.json"
fi
cp "$source"/*.mjs "$work/"
flock -u 9

cd "$work"
HEBB=$hebb exec node --test --test-reporter=spec "$script"
