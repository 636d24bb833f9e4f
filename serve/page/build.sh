#!/bin/sh
# Makes built/ anew from src/ and static/, with the packages of package-lock.json.
#   serve/page/build.sh [OUT_FOLDER]
# The packages are installed below build/page, not here. Exit code 77: npm's registry cannot be reached.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/built}
work=${HEBB_PAGE_WORK:-$here/../../build/page}
"$here/../../scripts/npm-install" "$here" "$work"
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$work"
cp "$here/build.mjs" .
node build.mjs "$here" "$out"
