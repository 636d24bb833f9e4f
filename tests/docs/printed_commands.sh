#!/bin/sh
# printed_commands.sh HEBB WORK_FOLDER: every command of gh, claude and task that the pages and the help print is one
# that these programs take; gh asks nothing of the net. 77: skipped, with the reason on stdout.
set -eu
hebb=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
for program in gh task; do
  command -v "$program" >/dev/null || { echo "$program is not installed (Debian: gh, taskwarrior)"; exit 77; }
done
"$root/scripts/npm-install" "$root/tests/node" "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$2/node_modules/@anthropic-ai/claude-code-linux-x64/claude" "$folder/bin/claude"
export PATH="$folder/bin:$PATH" HEBB_TASK=issue-12 GH_TOKEN=none GH_REPO=owner/repository
export HTTPS_PROXY=http://127.0.0.1:9 TASKRC=/dev/null TASKDATA="$folder"

{ cat "$root"/docs/*.md "$root"/*.md; "$hebb" import --help; "$hebb" mcp --help; "$hebb" serve --help; } |
  sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
  grep -oE '(gh (issue|api)|claude mcp|task export) ?[^|<>`;]*' | grep -v '…' |
  sed -e "s/\"'\$//; s/  */ /g; s/ \$//" -e '/--$/d' | sort -u >"$folder/commands"
for program in gh claude task; do grep -q "^$program" "$folder/commands"; done

failed=0
while read -r command; do
  mkdir "$folder/home"
  code=0
  (cd "$folder/home" && HOME="$folder/home" timeout 60 sh -c "$command") >"$folder/out" 2>&1 </dev/null || code=$?
  # gh reads its arguments before it asks for anything.
  case "$command" in gh*) grep -q 'proxyconnect' "$folder/out" && code=0 ;; esac
  [ $code = 0 ] || { echo "refused: $command"; cat "$folder/out"; failed=1; }
  rm -rf "$folder/home"
done <"$folder/commands"
cat "$folder/commands"
exit $failed
