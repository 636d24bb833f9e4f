#!/bin/sh
# A skill from its recording to its recording anew, in a small shop (shop.html) on this machine: demo.sh [HEBB].
# Needs python3 and a Chromium (scripts/install-deps --browser). What it prints is in demo.txt.
set -eu
case ${1:-} in
  */*) hebb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
  *) hebb=${1:-hebb} ;;
esac
cd "$(dirname "$0")"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
export HEBB_DB="$work/demo.db"
cp shop.html "$work"

say() { printf '\n# %s\n' "$1"; }
# Ports, times and folders differ from run to run.
steady() { sed -E "s/localhost:$port/localhost:8080/g; s/[0-9]+ ms/N ms/g; s#evidence: .*#evidence: FOLDER#; s/[0-9-]{10}T[0-9:]{8}Z/TIME/"; }
# What a command prints, and its exit code where that is not 0.
run() {
  code=0
  "$@" > "$work/out" 2>&1 || code=$?
  steady < "$work/out"
  [ "$code" -eq 0 ] || echo "[exit $code]"
}

mkfifo "$work/port"
python3 - "$work" > "$work/port" <<'PYTHON' &
import functools, http.server, sys
class Shop(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Shop, directory=sys.argv[1]))
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
server=$!
read -r port < "$work/port"
shop="http://localhost:$port/shop.html"

say 'what has to hold at the end, and the steps: done once in a browser, kept with how each element is found'
run "$hebb" skill contract set ordered --text 'Thank you, Ada: Black tea for ada@tea.example'
run "$hebb" skill record "localhost:$port" order --from steps.jsonl --start-url "$shop" --contract ordered
run "$hebb" skill show order | tail -n 5

say 'done again without an agent and without a model'
run "$hebb" skill run order

say 'three times in a row, and it is proven'
run "$hebb" -q skill run order --runs 2
run "$hebb" skill recall

say 'the shop is built anew: other order, other words. Nothing is guessed'
sed -i 's/Place the order/Place your order/; s/>Email</>Where to write to</; s/Green tea/White tea/' "$work/shop.html"
run "$hebb" skill run order --step-timeout 3000
run "$hebb" skill recall --stale

say 'its failure report has the steps, what the lost element was, and what the page has now'
steps=$(ls "$work"/demo.db.evidence/failure-*/steps.jsonl)
steady < "$steps"

say 'a person or a model names what is meant now, and the skill is recorded anew'
sed 's/"name":"Email"/"name":"Where to write to"/; s/"name":"Place the order"/"name":"Place your order"/' "$steps" > "$work/steps.jsonl"
run "$hebb" skill record "localhost:$port" order --from "$work/steps.jsonl" --start-url "$shop" --contract ordered
run "$hebb" skill run order
