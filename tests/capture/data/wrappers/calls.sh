# The calls that the test of the wrappers expects. $1: the folder of trace.sh.
set -eu
. "$1/trace.sh"

inner() { echo "outer $(($1 + $2))"; }
outer() { traced in:ner inner "$@"; }
boom() { return 4; }
plus() {
  read -r n
  echo "method $((base + n))"
}

traced out:er outer 1 2
traced bro:ken boom || echo "caught boom"
traced bro:ken sh -c 'exit 9' || echo "caught undefined"
base=2
echo 3 | traced meth:od plus
sh -c 'echo key ${HEBB_TRACE_KEY-none}'
exit 7
