// What search finds, in which order; and that any text may be searched for.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rapidcheck.h>
#include <sqlite3.h>

#include "engine/engine.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"
#include "engine/recall/recall.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::recall;
using hebb::test::kStart;
using Ids = std::vector<std::string>;

namespace {

class Nodes {
 public:
  Nodes() : engine_({":memory:"}) {}
  void put(const std::string& id, const std::string& name, const std::string& description = {},
           const std::string& type = "TASK", const std::string& project = {}) {
    NodeUpsert upsert;
    upsert.type = type;
    if (type == "TASK") upsert.state = "OPEN";
    upsert.name = name;
    upsert.description = description;
    upsert.project = project;
    engine_.append(Event{0, kStart, id, "", upsert});
  }
  Ids find(const std::string& text, const NodeFilter& filter = {}, std::size_t limit = 20) {
    engine_.sync();
    Ids ids;
    for (const auto& n : search_nodes(tables_of(engine_), {text, filter, limit}, kStart)) {
      ids.push_back(n.id);
    }
    return ids;
  }

  // As no reader would let it in: any bytes.
  void put_raw(const std::string& name, const std::string& description) {
    sqlite3_stmt* stmt = nullptr;
    auto* db = tables_of(engine_).handle();
    const std::string sql =
        "INSERT INTO node (id, name, description) VALUES ('r', ?1, ?2) ON CONFLICT (id) DO UPDATE"
        " SET name = excluded.name, description = excluded.description";
    REQUIRE(sqlite3_prepare_v2(db, sql.c_str(), -1, &stmt, nullptr) == SQLITE_OK);
    const auto bind = [&](int i, const std::string& text) {
      sqlite3_bind_text(stmt, i, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    };
    bind(1, name);
    bind(2, description);
    REQUIRE(sqlite3_step(stmt) == SQLITE_DONE);
    sqlite3_finalize(stmt);
  }
  void check_index() { CHECK_NOTHROW(tables_of(engine_).query(sql::Query::search_check).run()); }

 private:
  Engine engine_;
};

Ids sorted(Ids ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

TEST_CASE("words are found in id, name and description, whatever their case and accents") {
  Nodes nodes;
  nodes.put("fs:read_file", "Lecture", "Reads a file");
  nodes.put("t2", "Caf\xc3\xa9 terminal");
  CHECK(nodes.find("read") == Ids{"fs:read_file"});
  CHECK(nodes.find("LECTURE") == Ids{"fs:read_file"});
  CHECK(nodes.find("cafe") == Ids{"t2"});
  CHECK(nodes.find("CAF\xc3\x89") == Ids{"t2"});
  CHECK(nodes.find("absent").empty());
}

TEST_CASE("the last word may be the beginning of one") {
  Nodes nodes;
  nodes.put("t1", "payment gateway");
  CHECK(nodes.find("payment gate") == Ids{"t1"});
  CHECK(nodes.find("paym") == Ids{"t1"});
}

TEST_CASE("every word may be the beginning of one, after those nodes that hold the words") {
  Nodes nodes;
  nodes.put("begun", "payment gateway");
  nodes.put("half", "paym of nothing");
  nodes.put("whole", "paym gateway paym gateway and more words that make it longer");
  CHECK(nodes.find("paym gatew") == Ids{"whole", "begun", "half"});
}

TEST_CASE("a name in camelCase is found by its parts, and one in snake_case too") {
  Nodes nodes;
  nodes.put("a", "parseJsonFile");
  nodes.put("b", "parse_yaml_file");
  nodes.put("c", "HTTPServer");
  nodes.put("net.http2Client", "",
            "der \xc3\x9c"
            "berAllesLeser");
  CHECK(nodes.find("json") == Ids{"a"});
  CHECK(nodes.find("yaml") == Ids{"b"});
  CHECK(nodes.find("file parse") == Ids{"a", "b"});
  CHECK(nodes.find("parseFile") == Ids{"a", "b"});  // parts of what is typed, too
  CHECK(nodes.find("parseJson") == Ids{"a", "b"});  // the second has one of both
  CHECK(nodes.find("parsejsonfile") == Ids{"a"});
  CHECK(nodes.find("parse_json_file").front() == "a");
  CHECK(nodes.find("http") == Ids{"c", "net.http2Client"});
  CHECK(nodes.find("server") == Ids{"c"});
  CHECK(nodes.find("client") == Ids{"net.http2Client"});
  CHECK(nodes.find("alles") == Ids{"net.http2Client"});
  CHECK(nodes.find("uber") == Ids{"net.http2Client"});
  CHECK(nodes.find("sonfile").empty());  // no part begins so
}

TEST_CASE("Chinese, Japanese and Korean are found by any piece of a run") {
  Nodes nodes;
  nodes.put("zh", "\u4fee\u590d\u767b\u5f55\u9519\u8bef");       // 修复登录错误
  nodes.put("mixed", "\u4fee\u590dlogin\u9519\u8befparseJson");  // 修复login错误parseJson
  nodes.put(
      "ja",
      "\u30ed\u30b0\u30a4\u30f3\u753b\u9762\u304c\u843d\u3061\u308b");  // ログイン画面が落ちる
  nodes.put("ko", "\uc790\ub3d9\ub85c\uadf8\uc778\uc774 \uc2e4\ud328");  // 자동로그인이 실패
  nodes.put("rare", "\U00020bb7\u91ce\u5bb6");                           // 𠮷野家
  CHECK(nodes.find("\u767b\u5f55") == Ids{"zh"});                        // 登录
  CHECK(nodes.find("\u767b") == Ids{"zh"});                              // 登
  CHECK(sorted(nodes.find("\u8bef")) == Ids{"mixed", "zh"});             // 误, the last of a run
  CHECK(nodes.find("\u590d\u767b\u5f55\u9519") == Ids{"zh"});            // 复登录错
  CHECK(nodes.find("\u5f55\u767b").empty());  // 录登: not in this order
  CHECK(nodes.find("\u4fee\u9519").empty());  // 修错: not side by side
  CHECK(sorted(nodes.find("\u4fee\u590d \u9519\u8bef")) == Ids{"mixed", "zh"});  // 修复 错误
  CHECK(sorted(nodes.find("\u4fee\u590d\uff0c\u9519\u8bef")) == Ids{"mixed", "zh"});  // 修复，错误
  CHECK(nodes.find("\u590dlogin\u9519") == Ids{"mixed"});                             // 复login错
  CHECK(nodes.find("login") == Ids{"mixed"});
  CHECK(nodes.find("json") == Ids{"mixed"});
  CHECK(nodes.find("\u753b\u9762") == Ids{"ja"});        // 画面
  CHECK(nodes.find("\u30a4\u30f3") == Ids{"ja"});        // イン
  CHECK(nodes.find("\ub85c\uadf8\uc778") == Ids{"ko"});  // 로그인
  CHECK(nodes.find("\u91ce\u5bb6") == Ids{"rare"});      // 野家
  CHECK(nodes.find("\U00020bb7") == Ids{"rare"});        // 𠮷
}

TEST_CASE("the index stays whole, whatever the texts") {
  Nodes nodes;
  const std::vector<std::string> pieces = {
      "parse", "Json", "parse", "\u4fee",   "\u4fee", "\u590d", "\u30a4", " ", "_",
      "X",     "9",    "\xff",  "\xe4\xbd", "\u00e9", "\u0301", "\uff0c", "A", "a"};
  CHECK(rc::check([&](const std::vector<unsigned>& picks, const std::string& bytes) {
    std::string name;
    for (const unsigned pick : picks) name += pieces[pick % pieces.size()];
    nodes.put_raw(name, bytes);
    nodes.check_index();
  }));
}

TEST_CASE("the node of that very id comes first") {
  Nodes nodes;
  nodes.put("task-10", "task task task 1 1 1 1", "task 1 1 1");
  nodes.put("task-1", "something else");
  CHECK(nodes.find("task-1").front() == "task-1");
}

TEST_CASE(
    "a word in the name is worth more than in the id, and that more than in the description") {
  Nodes nodes;
  nodes.put("a", "words of no matter here", "fix the login soon");
  nodes.put("b", "fix the login soon", "words of no matter here");
  nodes.put("login", "fix that for us soon", "words of no matter here");
  for (int i = 0; i < 10; ++i) nodes.put("x" + std::to_string(i), "filler", "filler");
  CHECK(nodes.find("login soon") == Ids{"b", "login", "a"});
}

TEST_CASE("all words come before some words, a rare word before a common one") {
  Nodes nodes;
  nodes.put("some", "deploy deploy deploy deploy");
  nodes.put("all", "a long name in which there is a word like deploy and also one like rollback");
  for (int i = 0; i < 20; ++i) nodes.put("c" + std::to_string(i), "deploy it");
  nodes.put("rare", "rollback it");
  const auto ids = nodes.find("deploy rollback");
  REQUIRE(ids.size() == 20);
  CHECK(ids[0] == "all");
  CHECK(ids[1] == "rare");
  CHECK(nodes.find("deploy rollback", {}, 1) == Ids{"all"});
}

TEST_CASE("filters") {
  Nodes nodes;
  nodes.put("a", "word", "", "TASK", "shop");
  nodes.put("b", "word", "", "NOTE", "shop");
  nodes.put("c", "word", "", "TASK", "bank");
  NodeFilter filter;
  filter.project = "shop";
  CHECK(nodes.find("word", filter) == Ids{"a", "b"});
  filter.type = "TASK";
  CHECK(nodes.find("word", filter) == Ids{"a"});
  filter.state = "CLOSED";
  CHECK(nodes.find("word", filter).empty());
}

TEST_CASE("nothing typed is syntax") {
  using namespace std::string_literals;
  Nodes nodes;
  nodes.put("n", "alpha AND beta NEAR gamma \xe2\x80\x94 dash");
  for (const std::string& text : {
           "\""s,
           "alpha\""s,
           "\"alpha"s,
           "alpha AND"s,
           "AND"s,
           "NOT alpha"s,
           "OR OR"s,
           "NEAR(alpha, 2)"s,
           "alpha*"s,
           "*"s,
           "^alpha"s,
           "name:alpha"s,
           "{id name}: x"s,
           "-alpha"s,
           "(alpha"s,
           "alpha)"s,
           "+"s,
           "'"s,
           "alpha; DROP TABLE node"s,
           "\0"s,
           "alpha\0beta"s,
           "\xff\xfe"s,
           "\xe2\x80\x94"s,
           "alpha \xe2\x80\x94"s,
           "\xe2\x80\x94 alpha"s,
           ""s,
           " "s,
           std::string(100'000, 'a'),
           std::string(100'000, ' ') + "alpha",
           std::string("a ") + std::string(10'000, '('),
       }) {
    INFO("text: " << text.substr(0, 50));
    CHECK_NOTHROW(nodes.find(text));
  }
  CHECK(nodes.find("NEAR(alpha, 2)") == Ids{"n"});
  CHECK(nodes.find("alpha \xe2\x80\x94") == Ids{"n"});
  CHECK(nodes.find("alpha\0beta"s) == Ids{"n"});
  CHECK(nodes.find("!!!").empty());
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "w" + std::to_string(i) + " ";
  CHECK_NOTHROW(nodes.find("alpha " + many));
  CHECK(rc::check([&](const std::string& text) { nodes.find(text); }));
}

TEST_CASE("the expressions that are made of a text") {
  CHECK(search_expressions("fs:read file").all == "\"fs\" \"read\" \"file\"*");
  CHECK(search_expressions("fs:read").any == "\"fs\"* OR \"read\"*");
  CHECK(search_expressions("fs:read file").begun == "\"fs\"* \"read\"* \"file\"*");
  CHECK(search_expressions("getHTTPUrl").begun == "\"get\"* \"HTTP\"* \"Url\"*");
  CHECK(search_expressions("getUrl").any == "\"getUrl\"* OR \"get\"* OR \"Url\"*");
  CHECK(search_expressions("?!").all.empty());
  CHECK(search_expressions("?!").any.empty());
}
