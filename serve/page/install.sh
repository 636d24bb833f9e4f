#!/bin/sh
# install.sh WORK_FOLDER: the packages of package-lock.json into WORK_FOLDER, once. 77: skipped, with the reason
# on stdout.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
for program in node npm; do
  command -v "$program" >/dev/null || { echo "$program is not installed (Debian: nodejs, npm)"; exit 77; }
done
mkdir -p "$work"
# Several tests may start at once.
exec 9>"$work/lock"
flock 9
cmp -s "$here/package-lock.json" "$work/installed.json" && exit 0
cp "$here/package.json" "$here/package-lock.json" "$work/"
# esbuild is a program for each kind of machine, in a package of its own: no script has to be run.
if ! (cd "$work" && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2); then
  # Without the registry there is nothing to build with; whatever else npm says is a failure.
  npm ping --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1 && exit 1
  echo "the packages are not here, and npm's registry cannot be reached ($(npm config get registry))"
  exit 77
fi
cp "$here/package-lock.json" "$work/installed.json"
