#!/bin/sh
# demo.sh [HEBB]: a small plan, and an agent (agent.py) that works through it. The output is in demo.txt. Needs python3.
set -eu
case ${1:-} in
  */*) hebb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
  *) hebb=${1:-hebb} ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
HEBB_DB=$work/tasks.db
export HEBB_DB

# Four tasks; what each does is its name. The tests pass only when the bug is fixed.
task() { "$hebb" -q --now "$1" node set "$2" --type TASK --state OPEN --name "$3"; }
task 2026-01-05T09:00:00Z write 'echo "1 + 1 = 3" > sum.txt'
task 2026-01-05T09:01:00Z test 'grep -q "= 2" sum.txt'
task 2026-01-05T09:02:00Z fix 'sed -i s/3/2/ sum.txt'
task 2026-01-05T09:03:00Z release 'cp sum.txt released.txt'
"$hebb" -q --now 2026-01-05T09:04:00Z link write test BLOCKS
"$hebb" -q --now 2026-01-05T09:04:00Z link write fix BLOCKS
"$hebb" -q --now 2026-01-05T09:04:00Z link test release BLOCKS
"$hebb" -q --now 2026-01-05T09:05:00Z recalibrate

python3 "$here/agent.py" 10 "$hebb" --now 2026-01-05T10:00:00Z mcp
echo "released: $(cat released.txt)"
