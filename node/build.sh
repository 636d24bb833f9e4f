#!/bin/sh
# Makes the npm package hebb-VERSION.tgz in OUT, and in OUT/hebb what is in it. For x86-64, on Linux.
#   node/build.sh HEBB LIBHEBB HEADERS OUT
# HEBB: the program, which is asked for its operations. LIBHEBB: libhebb.so.0, which goes into the package: for others
# one that runs on their systems too. HEADERS: the folder of node_api.h: of Node, or of npm's node-api-headers.
set -eu
hebb=$1 library=$2 headers=$3 out=$4
here=$(cd "$(dirname "$0")" && pwd)
version=$("$hebb" --version | grep -o '[0-9][0-9.]*[0-9]' | head -n 1)

package=$out/hebb
addon=$package/prebuilds/linux-x64
rm -rf "$package"
mkdir -p "$addon"
cp "$here"/*.js "$here"/vitest.* "$here"/README.md "$here/../LICENSE" "$package"
sed "s/\"version\": .*/\"version\": \"$version\",/" "$here/package.json" >"$package/package.json"
node "$here/generate.mjs" "$hebb" "$package"
cp -L "$library" "$addon/libhebb.so.0"
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Wconversion -Werror -fPIC -shared -fvisibility=hidden -s \
  -I"$headers" -I"$here/../c" "$here/addon.c" -o "$addon/hebb.node" "$addon/libhebb.so.0" -Wl,-rpath,'$ORIGIN'
(cd "$out" && npm pack --silent --ignore-scripts ./hebb >/dev/null)
