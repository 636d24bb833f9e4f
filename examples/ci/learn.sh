#!/bin/sh
# Tells hebb how the tests went: the last step of a job of CI, whether they failed or not.
#   learn.sh REPORT...
# $HEBB_DB is the database. $HEBB_CHANGED, where it is set, names a file with the changed files, one on each line.
# A report that is missing is said and left out. Ends with 0 where all others could be read.
set -eu
for report; do
  shift
  if [ -f "$report" ]; then set -- "$@" "$report"; else echo "learn.sh: there is no $report" >&2; fi
done
[ $# -gt 0 ] || exit 0
if [ -f "${HEBB_CHANGED:-}" ]; then
  while IFS= read -r path; do set -- "$@" "--changed=$path"; done <"$HEBB_CHANGED"
fi
mkdir -p "$(dirname "$HEBB_DB")"
hebb ingest --each --tz UTC "$@" || [ $? = 3 ] # 3: some items were refused, all others count
