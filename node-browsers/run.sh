#!/bin/sh
# run.sh SOURCE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests, as tests/capture/node/run.sh runs those beside
# it, with a Chromium. 77: skipped, with the reason on stdout.
set -eu
CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { echo "chromium is not installed (Debian: chromium)"; exit 77; }
export CHROMIUM
exec "$1/../../capture/node/run.sh" "$@"
