#!/bin/sh
# A worker on the command line: claims a task, does it, says how it came out, until none is left.
# Prints the tasks that it did.
set -eu
agent=${1:-sh}
while :; do
  next=$(hebb next --claim --agent "$agent" --json | tr -d ' \n')
  token=$(expr "$next" : '.*"token":\([0-9]*\)') || exit 0
  task=$(expr "$next" : '.*"id":"\([^"]*\)"')
  # The work is to be done here.
  hebb -q outcome "$task" success --token "$token" --agent "$agent"
  echo "$task"
done
