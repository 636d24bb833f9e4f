#!/bin/sh
# Three workers in three languages empty one queue. Needs hebb in PATH (or HEBB=…), python3 and node.
#   examples/claims/run.sh [TASKS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tasks=${1:-60}
work=$(mktemp -d)
mkdir "$work/bin"
ln -s "${HEBB:-$(command -v hebb)}" "$work/bin/hebb"
PATH=$work/bin:$PATH
export PATH HEBB_DB="$work/tasks.db"

i=0
while [ "$i" -lt "$tasks" ]; do
  i=$((i + 1))
  echo "{\"kind\":\"node\",\"at\":$((1767225600000 + i)),\"id\":\"t$i\",\"type\":\"TASK\",\"state\":\"OPEN\"}"
done | hebb -q import -

mkfifo "$work/log"
hebb serve --port 0 2>"$work/log" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
exec 3<"$work/log"
read -r line <&3
host=${line#*listening=}
cat <&3 >/dev/null &

"$here/worker.sh" >"$work/sh" &
one=$!
python3 "$here/worker.py" "$host" >"$work/python" &
two=$!
node "$here/worker.mjs" >"$work/node" &
three=$!
wait $one && wait $two && wait $three

for worker in sh python node; do echo "$worker: $(wc -l <"$work/$worker") tasks"; done
done=$(sort "$work/sh" "$work/python" "$work/node" | wc -l)
distinct=$(sort -u "$work/sh" "$work/python" "$work/node" | wc -l)
echo "$done outcomes of $distinct tasks of $tasks"
[ "$done" -eq "$tasks" ] && [ "$distinct" -eq "$tasks" ]
