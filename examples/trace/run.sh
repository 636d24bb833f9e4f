#!/bin/sh
# Runs the toy agent under `hebb trace` with a database of its own, and asks what was learned.
# Usage: examples/trace/run.sh [path of hebb]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
hebb=${1:-hebb}
db=$(mktemp -d)/hebb.db
now=1701792001000  # so that every run prints the same
trap 'rm -rf "$(dirname "$db")"' EXIT

echo '$ hebb trace --summary -- agent.sh'
"$hebb" --db "$db" --now $now trace --summary -- "$here/agent.sh" 2>&1
echo
echo '$ hebb trace --summary < the same output, saved'
"$here/agent.sh" | "$hebb" --db "$db" --now $now trace --summary 2>&1 >/dev/null
for tool in fs:read json:parse report:write; do
  echo
  echo "\$ hebb tools suggest $tool"
  "$hebb" --db "$db" --now $now tools suggest "$tool"
done
