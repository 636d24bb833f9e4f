#!/bin/sh
# demo.sh [HEBB]: records a conversation of a client (calls.jsonl) with an MCP server (server.sh), and shows what
# was recorded and learned. The output is in demo.txt.
set -eu
case ${1:-} in
  */*) hebb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
  *) hebb=${1:-hebb} ;;
esac
cd "$(dirname "$0")"
HEBB_DB=$(mktemp -d)/demo.db
export HEBB_DB
trap 'rm -rf "$(dirname "$HEBB_DB")"' EXIT

say() { printf '\n# %s\n' "$1"; }
# Times differ from run to run.
steady() { sed -E 's/"id":"[0-9a-f-]{36}"/"id":"0"/; s/"timestamp":[0-9]+/"timestamp":0/; s/"duration_ms":[0-9.e-]+/"duration_ms":0/'; }

say 'what the client gets: the same as without the recorder'
"$hebb" record --agent-id planner --session demo -- sh ./server.sh < calls.jsonl

say 'turns are scored; the one that changed something reinforces the edges of its tools to Button'
"$hebb" import nodes.jsonl > /dev/null
"$hebb" actions score
"$hebb" actions score

say 'for training'
"$hebb" actions export --format jsonl | steady
