#!/bin/sh
# Installs hebb on Debian 12 for a job of CI, from source. As root, or with sudo.
#   install-hebb.sh ADDRESS COMMIT [PREFIX]
# ADDRESS is what git clones, COMMIT a commit or tag of it. The program goes to PREFIX/bin (/usr/local) and is kept
# as .hebb/program-COMMIT: where a cache has brought that, nothing is built.
set -eu
address=$1 commit=$2 prefix=${3:-/usr/local}
kept=.hebb/program-$commit

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if [ ! -x "$kept" ]; then
  source=$(mktemp -d)
  trap 'rm -rf "$source"' EXIT
  git clone -q "$address" "$source"
  git -C "$source" checkout -q "$commit"
  (
    cd "$source"
    scripts/install-deps
    cmake --preset release -DHEBB_INSTALL=OFF
    cmake --build --preset release --target hebb
  )
  mkdir -p .hebb
  rm -f .hebb/program-*
  cp "$source/build/release/hebb" "$kept"
fi
as_root apt-get update -qq
as_root apt-get install -qq --no-install-recommends libfmt9 libsimdjson14 >/dev/null # what the program needs to run
as_root mkdir -p "$prefix/bin"
as_root cp "$kept" "$prefix/bin/hebb"
hebb --version
