#!/bin/sh
# run.sh PAGE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests of the page (PAGE_FOLDER is serve/page), with the
# packages of its package-lock.json, which are installed into WORK_FOLDER once. 77: skipped, with the reason on
# stdout.
set -eu
page=$1
work=$2
hebb=$3
script=$4
source=$(cd "$(dirname "$0")" && pwd)

CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { echo "chromium is not installed (Debian: chromium)"; exit 77; }
"$page/../../scripts/npm-install" "$page" "$work"
cp "$source"/*.mjs "$work/"
cd "$work"
HEBB=$hebb HEBB_PAGE=$page CHROMIUM=$CHROMIUM exec node --test --test-reporter=spec "$script"
