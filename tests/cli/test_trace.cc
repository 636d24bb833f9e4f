// `hebb trace`, `hebb tools`, `hebb search` and `hebb promoted` as programs: what comes out, byte
// for byte, and how they end. Golden texts lie in tests/cli/golden.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include "tests/support/folder.h"

namespace {

namespace fs = std::filesystem;
using hebb::test::read_text;
using hebb::test::write_text;

const std::string kSource = HEBB_SOURCE_DIR;
const std::string kHebb = HEBB_BINARY;

class TraceFolder {
 public:
  TraceFolder() {
    setenv("HEBB_DB", folder_.file("hebb.db").c_str(), 1);
    unsetenv("HEBB_TRACE_KEY");
  }
  fs::path operator/(const std::string& name) const { return folder_.file(name); }

 private:
  hebb::test::Folder folder_;
};

struct Ran {
  std::string out, err;
  int status = 0;  // as a shell has it
};

// A shell script in which $hebb is the program.
Ran sh(const TraceFolder& folder, const std::string& script) {
  write_text(folder / "script", "hebb=" + kHebb + "\ncd " + (folder / "").string() + "\n" + script);
  const std::string line = "sh " + (folder / "script").string() + " >" + (folder / "out").string() +
                           " 2>" + (folder / "err").string() + " </dev/null";
  Ran ran;
  const int status = std::system(line.c_str());
  ran.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  ran.out = read_text(folder / "out");
  ran.err = read_text(folder / "err");
  return ran;
}

// With HEBB_GOLDEN=write in the environment the text becomes the golden one.
void check_golden(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(kSource) / "tests" / "cli" / "golden" / name;
  const char* mode = std::getenv("HEBB_GOLDEN");
  if (mode != nullptr && std::string(mode) == "write") write_text(path, text);
  CHECK(text == read_text(path));
}

const std::string kTraces =
    R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":1700000000000}
__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":5}
__TRACE__{"type":"tool_start","tool":"b","trace_id":"2","ts":1700000000010}
__TRACE__{"type":"tool_end","trace_id":"2","success":true,"duration_ms":5}
)";

}  // namespace

TEST_CASE("the example's session") {
  const TraceFolder folder;
  const Ran ran = sh(folder, kSource + "/examples/trace/run.sh $hebb");
  CHECK(ran.err.empty());
  CHECK(ran.status == 0);
  check_golden("trace_example.txt", ran.out);
}

TEST_CASE("suggestions as JSON") {
  const TraceFolder folder;
  write_text(folder / "traces", kTraces);
  const Ran ran =
      sh(folder, "$hebb trace <traces && $hebb --now 1700000000100 tools suggest a --json");
  CHECK(ran.err.empty());
  check_golden("tools_suggest.json", ran.out);
}

TEST_CASE("a file passes byte for byte, and without traces no database is made") {
  const TraceFolder folder;
  std::string bytes;
  for (int i = 0; i < 256 * 300; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  write_text(folder / "bytes", bytes + "\n__TRACE__not\r\n__TRACE__");
  const Ran ran = sh(folder, "$hebb trace <bytes");
  CHECK(ran.out == bytes + "\n__TRACE__not\r\n__TRACE__");
  CHECK(ran.err.empty());
  CHECK(ran.status == 0);
  CHECK_FALSE(fs::exists(folder / "hebb.db"));
}

TEST_CASE("closed standard descriptors stay closed, and nothing waits for ever") {
  const TraceFolder folder;
  CHECK(sh(folder, "timeout 20 $hebb record -- cat <&-").status == 0);
  CHECK(sh(folder, "echo x | timeout 20 $hebb record -- cat >&-").status != 124);
  CHECK(sh(folder, "echo x | timeout 20 $hebb record -- cat 2>&-").out == "x\n");
  CHECK(sh(folder, "timeout 20 $hebb trace -- cat <&-").status == 1);
  CHECK(sh(folder, "timeout 20 $hebb trace <&-").status == 1);
  CHECK(sh(folder, "echo x | timeout 20 $hebb trace -- cat >&-").status == 1);
  CHECK(sh(folder, "$hebb import - <&-").status == 66);
  CHECK(sh(folder, "$hebb init >&-").status == 1);
}

TEST_CASE("options after -- belong to the command, stderr and stdin are its own") {
  const TraceFolder folder;
  CHECK(sh(folder, "$hebb trace -- printf '%s ' --json -q --key x -- y").out ==
        "--json -q --key x -- y ");
  CHECK(sh(folder, "$hebb trace -- printf '%s \\n' '[a,b]' '' 'x y'").out == "[a,b] \n \nx y \n");
  CHECK(sh(folder, "$hebb trace --summary printf y").out == "y");
  // The command begins with the first word that is no option of ours, whatever follows.
  CHECK(sh(folder, "$hebb trace printf '%s ' x -- --json -q").out == "x -- --json -q ");
  CHECK(sh(folder, "$hebb --db x.db trace --key=k printf '%s ' --key '[a,b]'").out ==
        "--key [a,b] ");
  CHECK(sh(folder, "$hebb trace -- node --version || true").err.find("hebb node") ==
        std::string::npos);
  CHECK(sh(folder, "echo in | $hebb trace --key -- cat").status == 0);
  for (const std::string mark : {"", "-- "}) {
    CHECK(sh(folder, "$hebb record " + mark + "printf '%s ' --json '[a,b]' -- y").out ==
          "--json [a,b] -- y ");
  }
  const Ran ran = sh(folder, "echo in | $hebb trace -- sh -c 'cat; echo err >&2'");
  CHECK(ran.out == "in\n");
  CHECK(ran.err == "err\n");
}

TEST_CASE("exit codes and signals") {
  const TraceFolder folder;
  CHECK(sh(folder, "$hebb trace -- sh -c 'exit 33'").status == 33);
  CHECK(sh(folder, "$hebb trace -- sh -c 'kill -KILL $$'").status == 137);
  CHECK(sh(folder, "$hebb trace -- no-such-program").status == 127);
  CHECK(sh(folder, "$hebb trace -- /etc/passwd").status == 126);
  CHECK(sh(folder, "$hebb trace -- no-such-program").err.find("no-such-program") !=
        std::string::npos);
  CHECK(sh(folder, "$hebb trace -- yes | head -1").out == "y\n");
  CHECK(sh(folder, "$hebb trace -- echo x >/dev/full").status == 1);
}

TEST_CASE("a signal sent to hebb reaches the program") {
  const TraceFolder folder;
  const Ran ran = sh(folder,
                     "mkfifo up\n"
                     "$hebb trace -- sh -c 'trap \"echo caught; exit 5\" TERM; echo >up; "
                     "while :; do sleep 0.01; done' &\n"
                     "read line <up\nkill -TERM $!\nwait $!");
  CHECK(ran.status == 5);
  CHECK(ran.out == "caught\n");
}

TEST_CASE("a database that cannot be written is one warning, and the output is the same") {
  const TraceFolder folder;
  write_text(folder / "traces", "out\n" + kTraces + "end");
  const auto check = [](const Ran& ran) {
    CHECK(ran.out == "out\nend");
    CHECK(ran.status == 0);
    CHECK(ran.err.find("warning: the trace was not learned") != std::string::npos);
    CHECK(ran.err.find('\n') == ran.err.size() - 1);
  };
  check(sh(folder, "$hebb --db /no/such/folder/x.db trace <traces"));
  write_text(folder / "garbage", std::string(10000, 'g'));
  check(sh(folder, "$hebb --db garbage trace <traces"));
  CHECK(read_text(folder / "garbage") == std::string(10000, 'g'));
  CHECK(sh(folder, "$hebb --db garbage trace -- sh -c 'cat traces; exit 4'").status == 4);
}

TEST_CASE("the key: of the option or of the environment") {
  const TraceFolder folder;
  write_text(folder / "traces", kTraces);
  CHECK(sh(folder, "$hebb trace --key k <traces").out == kTraces);
  CHECK(sh(folder, "HEBB_TRACE_KEY=k $hebb trace <traces").out == kTraces);
  CHECK(sh(folder, "sed 's/}$/,\"key\":\"k\"}/' traces | $hebb trace --key k").out.empty());
}

TEST_CASE("with --no-trace it is as if hebb were not there") {
  const TraceFolder folder;
  write_text(folder / "traces", kTraces);
  CHECK(sh(folder, "$hebb trace --no-trace -- cat traces").out == kTraces);
  CHECK(sh(folder, "$hebb trace --no-trace <traces").out == kTraces);
  CHECK(sh(folder, "$hebb trace --no-trace -- sh -c 'exit 9'").status == 9);
  CHECK_FALSE(fs::exists(folder / "hebb.db"));
}

TEST_CASE("the summary, as text and as JSON") {
  const TraceFolder folder;
  write_text(folder / "traces", kTraces + "__TRACE__{}\n" + kTraces);
  CHECK(
      sh(folder, "$hebb trace --summary <traces >x").err ==
      "hebb: 2 calls: 2 succeeded, 0 failed, 0 unfinished; 2 ends without a start; 2 starts with a "
      "trace_id seen before; 1 line with the prefix was no event: output; learned 2 tools, 1 "
      "link\n");
  CHECK(
      sh(folder, "$hebb trace --json <traces >x").err ==
      R"({"tools_called":["a","b"],"traces":[)"
      R"({"type":"tool_start","trace_id":"1","tool":"a","ts":1700000000000},)"
      R"({"type":"tool_end","trace_id":"1","success":true,"duration_ms":5},)"
      R"({"type":"tool_start","trace_id":"2","tool":"b","ts":1700000000010},)"
      R"({"type":"tool_end","trace_id":"2","success":true,"duration_ms":5},)"
      R"({"type":"tool_start","trace_id":"1","tool":"a","ts":1700000000000},)"
      R"({"type":"tool_end","trace_id":"1","success":true,"duration_ms":5},)"
      R"({"type":"tool_start","trace_id":"2","tool":"b","ts":1700000000010},)"
      R"({"type":"tool_end","trace_id":"2","success":true,"duration_ms":5}],"traces_left_out":0,)"
      R"("calls":2,"succeeded":2,"failed":0,"unfinished":0,"unmatched":2,"repeated":2,"dropped":0,)"
      R"("invalid":1,"nodes":0,"links":0,"known":1,"skipped":0})"
      "\n");
}

TEST_CASE("events without a time are taken and not shown, and their errors are told") {
  const TraceFolder folder;
  write_text(folder / "traces", R"(before
__TRACE__{"type":"tool_start","tool":"a","trace_id":"1"}
__TRACE__{"type":"tool_end","trace_id":"1","success":true}
__TRACE__{"type":"tool_start","tool":"b","trace_id":"2"}
__TRACE__{"type":"tool_end","trace_id":"2","success":false,"error":"\u001b[31m no \"file\""}
__TRACE__{"type":"tool_start","tool":"c","trace_id":"3"}
__TRACE__{"type":"tool_end","trace_id":"3","success":true}
after)");
  const Ran ran = sh(folder, "$hebb --now 1700000000000 trace --json <traces");
  CHECK(ran.out == "before\nafter");
  CHECK(ran.err.starts_with(R"({"tools_called":["a","c"],)"));
  CHECK(ran.err.find(R"("success":false,"error":"\u001b[31m no \"file\""})") != std::string::npos);
  CHECK(sh(folder, "$hebb --now 1700000000000 tools suggest a")
            .out.find("c       1.0  100 %   1.000  2023-11-14") != std::string::npos);
  CHECK(sh(folder, "$hebb trace --summary <traces").err.find("1 known before") !=
        std::string::npos);
}

TEST_CASE("an error is told without the secrets in it") {
  const TraceFolder folder;
  write_text(folder / "traces", R"(__TRACE__{"type":"tool_start","tool":"b","trace_id":"2"}
__TRACE__{"type":"tool_end","trace_id":"2","success":false,"error":"401 for ?token=s3cret-77aa"}
)");
  const Ran ran = sh(folder, "$hebb trace --json <traces");
  CHECK(ran.err.find(R"("error":"401 for ?token=[masked]"})") != std::string::npos);
}

TEST_CASE("a tool that is not known is an error that says what to do") {
  const TraceFolder folder;
  write_text(folder / "traces", kTraces);
  const Ran ran = sh(folder, "$hebb trace <traces; $hebb tools suggest nobody");
  CHECK(ran.status == 1);
  CHECK(ran.err ==
        "hebb: no tool \"nobody\" is known; traces make tools known: `hebb trace -- COMMAND`\n");
  CHECK(sh(folder, "$hebb tools suggest b").out == "nothing is known to go with b\n");
}

TEST_CASE("search counts, promoted lists") {
  const TraceFolder folder;
  write_text(
      folder / "history.jsonl",
      R"({"kind":"node","at":1700000000000,"id":"t1","type":"TASK","state":"OPEN","name":"Flaky login test","project":"shop"}
{"kind":"node","at":1700000000000,"id":"t2","type":"TASK","state":"OPEN","name":"Logout","description":"login is left","project":"shop"}
{"kind":"node","at":1700000000000,"id":"t3","type":"NOTE","name":"Deploy","project":"bank"}
)");
  const Ran ran =
      sh(folder,
         "$hebb import history.jsonl >/dev/null 2>&1\n"
         "for i in 1 2 3 4 5; do $hebb --now $((1700000001000 + i * 86400000)) search flaky login; "
         "done\n"
         "$hebb --now 1700432002000 search login --json\n"
         "$hebb search --type NOTE deploy\n"
         "$hebb promoted\n"
         "$hebb --now 1700432002000 promoted --recalled-within 1d --project shop --json\n"
         "$hebb promoted --min-recalls 99\n");
  CHECK(ran.err == "no node was looked up that often\n");
  check_golden("search_promoted.txt", ran.out);
}

TEST_CASE("any text may be searched for") {
  const TraceFolder folder;
  CHECK(sh(folder, "$hebb init >/dev/null 2>&1; $hebb search '\"AND (*'").status == 0);
}
