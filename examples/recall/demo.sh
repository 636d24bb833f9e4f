#!/bin/sh
# demo.sh [HEBB]: an agent's notes. Those that are asked for again and again are promoted into its context.
# The output is in demo.txt.
set -eu
exec 2>&1
case ${1:-} in
  */*) hebb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
  *) hebb=${1:-hebb} ;;
esac
cd "$(dirname "$0")"
HEBB_DB=$(mktemp -d)/demo.db
export HEBB_DB
trap 'rm -rf "$(dirname "$HEBB_DB")"' EXIT

say() { printf '\n# %s\n' "$1"; }
# on DAY …: runs hebb as of that day, so that every run prints the same.
on() { day=$1; shift; "$hebb" --now $((1767225600000 + day * 86400000)) "$@"; }

on 0 import nodes.jsonl > /dev/null

say 'a week of work: the notes are looked for when they are needed'
on 1 search login
for day in 2 3 4 5; do on "$day" search 'flaky login' --limit 1 > /dev/null; done
on 6 node get note-3 > /dev/null

say 'what was asked for at least five times belongs into the context'
on 7 promoted
on 7 promoted --json

say 'walking the graph counts nothing'
on 8 neighbors note-2
on 8 explain note-2 > /dev/null
on 8 promoted --min-recalls 1 --project web

say 'a month later, without what nobody asks for any more'
on 37 promoted --min-recalls 1 --recalled-within 30d
on 37 node get note-3 > /dev/null
on 37 promoted --min-recalls 1 --recalled-within 30d
