#!/bin/sh
# make.sh HEBB FILE: a database with one of each kind of event, written by that program. Needs sqlite3.
set -eu
hebb=$1 file=$2
folder=$(cd "$(dirname "$0")" && pwd)
outcomes=$(mktemp)
trap 'rm -f "$outcomes"' EXIT
rm -f "$file" "$file"-*

run() {
  now=$1
  shift
  # Some refuse input, and a key of the policy has two names.
  "$hebb" --db "$file" --now "$now" "$@" || echo "exit $?: $*"
}

run 1767571200000 init
run 1767571200000 import "$folder/world.jsonl"
cat > "$outcomes" <<'EOF'
{"taskId":"task-1","outcome":"failure","id":"r-1","timestamp":1767400000000}
{"taskId":"task-2","outcome":"success","id":"r-2","timestamp":1767410000000,"relatedNodes":["task-1"]}
{"taskId":"task-9","outcome":"success","id":"r-3","timestamp":1767420000000}
{"taskId":"task-1","outcome":"partial","id":"r-4","timestamp":1767430000000}
EOF
run 1767571200000 ingest "$outcomes"
run 1767571200000 link task-3 task-4 RELATES_TO --weight 0.5
run 1767571300000 link task-1 epic-1 IN_CATEGORY
run 1767571300000 link task-3 docs ASSIGNED_TO
run 1767571300000 pivot task-3
run 1767571300000 policy set top_k=2
run 1767571300000 policy set type.RELATES_TO.cap=4
run 1767571300000 policy set restraint=0.6
run 1767571300000 policy set failure_penalty=0.6
run 1767571400000 recalibrate
run 1767571500000 node set late --type TASK --state OPEN --name "Ärger mit dem Kuchen"
run 1767571500000 undo 20
run 1767571500000 node delete task-5
cat > "$outcomes" <<'EOF'
{"taskId":"task-3","outcome":"success","id":"r-5","timestamp":1767000000000}
{"taskId":"task-3","outcome":"success","id":"r-6","timestamp":1767571550000}
EOF
run 1767571600000 ingest "$outcomes"
run 1767571600000 search cookie
run 1767571600000 node get task-1
run 1786000000000 recalibrate
run 1786000000000 gc --older-than 215d
run 1786000000000 verify
sqlite3 "$file" 'PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM;'
