#!/bin/sh
# run.sh BUILD_FOLDER HEBB LIBHEBB SCRIPT: one of the scripts in node/, or "build": makes the npm package, in node/ of
# the build folder. 77: skipped, with the reason on stdout.
set -eu
build=$1 hebb=$2 library=$3 script=$4
here=$(cd "$(dirname "$0")" && pwd)
packages=$build/node-oracles
if [ "$script" = build ]; then
  "$here/../../scripts/npm-install" "$here/../node" "$packages"
  "$here/../../node/build.sh" "$hebb" "$library" "$packages/node_modules/node-api-headers/include" "$build/node"
  exit
fi
TMPDIR=$(mktemp -d)
export TMPDIR HEBB_PACKAGE="$build/node/hebb"
trap 'rm -rf "$TMPDIR"' EXIT
"$here/../node/run.sh" node-binding "$packages" "$hebb" "$script"
