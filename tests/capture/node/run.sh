#!/bin/sh
# run.sh SOURCE_FOLDER WORK_FOLDER HEBB SCRIPT: one of these tests against the packages of package-lock.json,
# which are installed into WORK_FOLDER once. 77: skipped, with the reason on stdout.
set -eu
source=$1
work=$2
hebb=$3
script=$4

"$source/../../../scripts/npm-install" "$source" "$work"
# Several tests may start at once.
exec 9>"$work/lock"
flock 9
cp "$source"/* "$work/"
flock -u 9

cd "$work"
HEBB=$hebb exec "${NODE:-node}" --test --test-reporter=spec "$script"
