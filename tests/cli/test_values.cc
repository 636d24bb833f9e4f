// Values that cannot be, given on the command line and in files: refused, with what was meant.
#include <catch2/catch.hpp>

#include "engine/input/input.h"
#include "tests/cli/all_commands.h"
#include "tests/cli/hebb.h"

using hebb::test::Args;
using hebb::test::Hebb;
using hebb::test::lines_of;
using hebb::test::name_of;
using hebb::test::ProcessResult;
using hebb::test::run_process;
using hebb::test::words_of;

namespace {

bool says(const ProcessResult& r, const std::string& text) {
  return r.err.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a weight that is no number is refused, not replaced") {
  const Hebb hebb;
  hebb.fill();
  const auto edges = [&] { return hebb.json({"neighbors", "task-3"})["edges"]; };
  const auto before = edges();
  const auto try_weight = [&](const std::string& weight, int code, const std::string& why) {
    CAPTURE(weight);
    const auto r = hebb.run({"link", "task-3", "task-5", "RELATES_TO", "--weight=" + weight});
    CHECK(r.exit_code == code);
    CHECK(says(r, why));
    CHECK(hebb.run({"pivot", "task-3", "--weight=" + weight}).exit_code == code);
  };
  for (const auto* weight : {"0", "-1"}) try_weight(weight, 1, "more than 0 and finite");
  for (const auto* weight : {"inf", "-inf", "nan", "1e999", "much"})
    try_weight(weight, 2, "has to be a number");
  CHECK(edges() == before);
}

TEST_CASE("properties are an object as it was given, or refused") {
  const Hebb hebb;
  hebb.fill();
  const std::vector<std::pair<std::string, std::string>> bad = {
      {R"({"a":1,"a":2})", "duplicate_key"},
      {R"({"a":{"b":1,"b":1}})", "duplicate_key"},
      {R"({"n":158456325028528675187087900671})", "out_of_range"},
      {R"({"n":1e999})", "not_finite"},
  };
  for (const auto& [json, reason] : bad) {
    CAPTURE(json);
    const auto node = hebb.run({"node", "set", "task-1", "--properties=" + json});
    CHECK(node.exit_code == 1);
    CHECK(says(node, "(" + reason + ")"));
    const auto edge = hebb.run({"link", "task-3", "task-5", "RELATES_TO", "--properties=" + json});
    CHECK(edge.exit_code == 1);
    CHECK(says(edge, "(" + reason + ")"));
  }
  for (const std::string json : {"null", "[1]", "{", "{a:1}", "{\"a\":\"\xff\"}", "{} {}"}) {
    CHECK(hebb.run({"node", "set", "task-1", "--properties=" + json}).exit_code == 2);
    CHECK(hebb.run({"link", "task-3", "task-5", "R", "--properties=" + json}).exit_code == 2);
  }
  for (const std::string option : {"--type", "--state", "--name", "--description"}) {
    CHECK(hebb.run({"node", "set", "task-1", option, "\xff"}).exit_code == 2);
  }
  CHECK(hebb.run({"link", "task-3", "task-5", "\xff"}).exit_code == 2);
  CHECK(hebb.json({"node", "get", "task-1"})["node"].at("properties").empty());
  const std::string exact = R"({"n":18446744073709551615,"x":0.1})";
  CHECK(hebb.run({"node", "set", "task-1", "--properties", exact}).exit_code == 0);
  CHECK(hebb.json({"node", "get", "task-1"})["node"].at("properties").dump() == exact);
}

TEST_CASE("an option with nothing behind its = does not take the next word", "[slow]") {
  const Hebb hebb;
  hebb.fill();
  for (const Args& args : std::vector<Args>{{"--db=", "claim", "list"},
                                            {"--db", "", "claim", "list"},
                                            {"claim", "list", "--db="},
                                            {"--tz=", "rank"},
                                            {"done", "task-1", "--on-outcome=", "--json"},
                                            {"serve", "--token-file=", "--port=0"},
                                            {"record", "--session=", "--", "true"}}) {
    INFO(name_of(args));
    const auto r = hebb.run(args);
    CHECK(r.exit_code == 2);
    CHECK(r.err.find("the value is empty") != std::string::npos);
  }
  CHECK(hebb.run({"next", "--claim=", "--agent", "ann"}).err.find("--claim=") != std::string::npos);
  // Behind a COMMAND words are not hebb's.
  CHECK(hebb.run({"trace", "--", "echo", "--db=", "a"}).out == "--db= a\n");
  for (const Args& command : hebb::test::all_commands(hebb)) {
    if (command.front() == "serve") continue;  // it would not end, if it took the next word
    Args words{HEBB_BINARY, "__complete"};
    words.insert(words.end(), command.begin(), command.end());
    words.emplace_back("--");
    for (const std::string& line : lines_of(run_process(words).out)) {
      if (line.starts_with("--help") || line.starts_with("--version")) continue;
      Args args = command;
      args.push_back(words_of(line).front() + "=");
      args.emplace_back("--version");
      INFO(name_of(args));
      const auto r = hebb.run(args);
      INFO(r.out << r.err);
      CHECK((r.out.starts_with("hebb ") ||
             (r.exit_code == 2 && r.err.find("--version") == std::string::npos)));
    }
  }
}

TEST_CASE("a flag may be said to be false, and is nothing else than true or false") {
  const Hebb hebb;
  hebb.fill();
  for (const std::string no : {"false", "0"}) {
    CHECK(hebb.run({"node", "set", "task-1", "--pinned=" + no}).exit_code == 0);
    CHECK(hebb.json({"node", "get", "task-1"})["node"]["pinned"] == false);
  }
  CHECK(hebb.run({"node", "set", "task-1", "--pinned=maybe"}).exit_code == 2);
  CHECK(hebb.run({"dead-letters", "drop", "--all=false"}).exit_code == 2);
  CHECK(hebb.run({"neighbors", "task-1", "--in=false"}).out ==
        hebb.run({"neighbors", "task-1"}).out);
  CHECK(hebb.run({"node", "set", "task-1", "--pinned=true"}).exit_code == 0);
  CHECK(hebb.json({"node", "get", "task-1"})["node"]["pinned"] == true);
}

TEST_CASE("an outcome's id that only looks like a number is an id") {
  const Hebb hebb;
  hebb.fill();
  for (const std::string id : {"1e1", "1.0", " 8", "-5", "8"}) {
    CAPTURE(id);
    CHECK(hebb.run({"outcome", "task-1", "failure", "--outcome-id", id}).exit_code == 0);
    const auto last = hebb.json({"undo"})["events"].front()["event"];
    const bool is_plain = id == "8" || id.front() == '-';  // a position, or an option
    const Args args = is_plain ? Args{"undo", "--id", id} : Args{"undo", id};
    CHECK(hebb.json(args)["event"] == last);
  }
  CHECK(hebb.run({"undo", "1.5"}).err.find("no outcome with the id") != std::string::npos);
}

TEST_CASE("names given by hand are those that a file may have") {
  const Hebb hebb;
  hebb.fill();
  const std::string line = "two\nlines";
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"node", "set", line, "--type", "T"},
                                             {"node", "set", "n", "--type", line},
                                             {"node", "set", "n", "--type", "T", "--state", line},
                                             {"node", "set", "n", "--type", ""},
                                             {"link", "task-1", "task-2", line},
                                             {"unlink", "task-1", "task-2", line},
                                             {"pivot", line}}) {
    const auto r = hebb.run(args);
    INFO(r.err);
    CHECK(r.exit_code == 1);
    CHECK(says(r, "(bad_id)"));
  }
}

TEST_CASE("times on the command line are milliseconds or RFC 3339, and seconds are told so") {
  Hebb hebb;
  hebb.fill();
  const std::string meant = "1795347164 looks like seconds; in milliseconds it is 1795347164000";
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"rank", "--as-of"},
                                             {"explain", "task-1", "--as-of"},
                                             {"backtest", "x.jsonl", "--since"},
                                             {"backtest", "x.jsonl", "--until"}}) {
    auto with = args;
    with.emplace_back("1795347164");
    const auto r = hebb.run(with);
    CHECK(r.exit_code == 2);
    CHECK(says(r, meant));
    with.back() = "-5";
    CHECK(hebb.run(with).exit_code == 2);
    with.back() = "0";
    CHECK(hebb.run(with).exit_code == 2);
  }
  const auto by_ms = hebb.run({"rank", "--as-of", "1767300000000"});
  CHECK(by_ms.exit_code == 0);
  CHECK(hebb.run({"rank", "--as-of", "2026-01-01T20:40:00Z"}).out == by_ms.out);

  const auto at_start = hebb.run({"rank"});
  for (const std::string now : {"1795347164", "0", "-1", "soon", "1e999"}) {
    hebb.now = now;
    CHECK(hebb.run({"rank"}).exit_code == 2);
  }
  hebb.now = "1795347164";
  CHECK(says(hebb.run({"rank"}), "--now: " + meant));
  hebb.now = "2026-01-05T01:00:00+01:00";
  CHECK(hebb.run({"rank"}).out == at_start.out);
}

TEST_CASE("an option --since takes no seconds either") {
  const Hebb hebb;
  hebb.run({"init"});
  const auto r = hebb.run({"actions", "sequences", "--since", "1795347164"});
  CHECK(r.exit_code == 2);
  CHECK(says(r, "looks like seconds; in milliseconds it is 1795347164000"));
  for (const std::string since : {"7d", "2026-01-01T00:00:00Z", "1767225600000"}) {
    CHECK(hebb.run({"actions", "sequences", "--since", since}).exit_code == 0);
  }
}

TEST_CASE("an outcome to come is refused and kept, until it has come or is asked for") {
  Hebb hebb;
  hebb.fill();
  const std::string later =
      R"({"taskId":"task-3","outcome":"partial","timestamp":"2026-01-05T01:00:00Z"})"
      "\n";
  const auto refused = hebb.run({"ingest", "-"}, later);
  CHECK(refused.exit_code == 3);
  CHECK(says(refused, "(stdin):1: future: its time, 2026-01-05T01:00:00Z, is still to come"));
  CHECK(hebb.run({"dead-letters", "retry", "4"}).exit_code == 3);
  hebb.now = "2026-01-05T01:00:00Z";
  CHECK(hebb.run({"dead-letters", "retry", "4"}).exit_code == 0);
  hebb.now = "2026-01-05T00:00:00Z";
  CHECK(hebb.run({"ingest", "-"}, later).exit_code == 0);  // is there already

  const std::string other = R"({"taskId":"task-3","outcome":"partial","timestamp":1800000000000})"
                            "\n";
  CHECK(hebb.run({"ingest", "-"}, other).exit_code == 3);
  CHECK(hebb.run({"dead-letters", "retry", "--all", "--allow-future"}).exit_code == 3);
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].size() == 3);  // those of the beginning
  const std::string node = R"({"kind":"node","at":1800000000000,"id":"n","type":"T"})"
                           "\n";
  CHECK(hebb.run({"import", "-"}, node).exit_code == 3);
  CHECK(hebb.run({"import", "--allow-future", "-"}, node).exit_code == 0);
}

TEST_CASE("a policy from the beginning holds for a history that is imported after it") {
  // Two failures, of which the first is forgotten at .5 a day.
  const std::string history =
      R"({"kind":"node","at":1700000000000,"id":"t","type":"TASK","state":"OPEN"})"
      "\n"
      R"({"kind":"outcome","at":1700000000000,"taskId":"t","outcome":"failure"})"
      "\n"
      R"({"kind":"outcome","at":1700086400000,"taskId":"t","outcome":"failure"})"
      "\n";
  const auto held = [&](const std::vector<std::string>& options, bool outcome_before) {
    const Hebb hebb;
    if (outcome_before) {
      hebb.run({"node", "set", "other", "--type", "TASK", "--state", "OPEN"});
      hebb.run({"ingest", "-"}, R"({"outcome":"failure","taskId":"other","id":"o"})");
    }
    std::vector<std::string> set{"policy", "set", "type.REWARD_NEGATIVE.decay_per_day=0.5"};
    set.insert(set.end(), options.begin(), options.end());
    CHECK(hebb.run(set).exit_code == 0);
    CHECK(hebb.run({"import", "-"}, history).exit_code == 0);
    return hebb.json({"explain", "frontier", "t", "REWARD_NEGATIVE"})["stored_weight"]
        .get<double>();
  };
  CHECK(held({}, false) == Approx(1.5));
  CHECK(held({}, true) == Approx(1.9));  // in force from its own time on, which is later
  CHECK(held({"--from-the-beginning"}, true) == Approx(1.5));
}

TEST_CASE("somebody else's outcome under a used id is refused and kept") {
  const Hebb hebb;
  hebb.fill();
  const auto r = hebb.run({"ingest", "-"}, R"({"taskId":"task-3","outcome":"failure","id":"run-7"})"
                                           "\n");
  CHECK(r.exit_code == 3);
  CHECK(says(r, "(stdin):1: conflict: the id \"run-7\" is that of event 18, success of task-1"));
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].size() == 4);
}

TEST_CASE("times of a report without a zone are taken as UTC with a word, or as --tz says",
          "[slow]") {
  const std::string report = R"(<testsuite hostname="build-7" timestamp="2026-01-02T09:00:00">)"
                             "<testcase/></testsuite>";
  const auto ingest = [&](const Hebb& hebb, std::vector<std::string> more, const std::string& xml) {
    std::vector<std::string> args{"ingest", "--format", "junit", "--task", "task-1", "-"};
    args.insert(args.end(), more.begin(), more.end());
    return hebb.run(args, xml);
  };
  const auto time = [&](std::vector<std::string> more, const std::string& xml) {
    const Hebb hebb;
    hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
    const auto r = ingest(hebb, more, xml);
    INFO(r.err);
    CHECK(r.exit_code == 0);
    CHECK(r.err.empty());
    return *hebb::parse_rfc3339(
        hebb.json({"node", "get", "task-1"})["node"].at("outcome_at").get<std::string>());
  };
  const auto at = [&](const std::string& timestamp) {
    return "<testsuite timestamp=\"" + timestamp + "\"><testcase/></testsuite>";
  };
  constexpr std::int64_t kNine = 1767344400000;  // 2026-01-02T09:00:00Z
  constexpr std::int64_t kHour = 3'600'000;
  CHECK(time({"--tz", "UTC"}, report) == kNine);
  CHECK(time({"--tz", "Asia/Tokyo"}, report) == kNine - 9 * kHour);
  CHECK(time({}, at("2026-01-02T09:00:00Z")) == kNine);
  CHECK(time({"--tz", "Asia/Tokyo"}, at("2026-01-02T09:00:00Z")) == kNine);
  Hebb hebb;
  hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
  const auto nowhere = ingest(hebb, {"--tz", "Europe/Nowhere"}, report);
  CHECK(nowhere.exit_code == 2);
  CHECK(says(nowhere, "--tz: there is no time zone \"Europe/Nowhere\""));
  const auto guessed = ingest(hebb, {}, report);
  CHECK(guessed.exit_code == 0);
  CHECK(says(guessed, "(stdin): its times have no zone and were taken as UTC; --tz ZONE"));
  CHECK(hebb.json({"node", "get", "task-1"})["node"].at("outcome_at") ==
        "2026-01-02T09:00:00.000Z");
  // Of a zone in the east, it is still to come.
  const auto later = ingest(hebb, {}, at("2026-01-05T09:00:00"));
  CHECK(later.exit_code == 0);
  CHECK(says(later, "1 timestamp in it is no time that can be, such as \"2026-01-05T09:00:00\""));
  CHECK(says(later, "--tz ZONE"));
  CHECK(ingest(hebb, {"--tz", "Asia/Tokyo"}, at("2026-01-05T09:00:00")).exit_code == 0);
}

TEST_CASE("tasks that block one another: every command that could make or meet it says so") {
  const Hebb hebb;
  hebb.fill();
  CHECK(hebb.json({"stats"}).at("blocking_cycle").empty());
  CHECK_FALSE(says(hebb.run({"link", "task-2", "task-4", "BLOCKS"}), "can be ranked"));
  const auto link = hebb.run({"link", "task-4", "task-2", "BLOCKS"});
  CHECK(link.exit_code == 0);
  CHECK(says(link, "task-4 blocks task-2 blocks task-4: none of these 2 can be ranked"));
  CHECK(hebb.json({"link", "task-4", "task-2", "BLOCKS"}).at("blocking_cycle").size() == 2);
  CHECK_FALSE(says(hebb.run({"link", "task-2", "task-3", "BLOCKS"}), "can be ranked"));

  const std::string both = "task-2 blocks task-4 blocks task-2: none of these 2 can be ranked";
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"stats"}, {"rank"}, {"rank", "--near", "bug"}}) {
    CHECK(says(hebb.run(args), both));
  }
  CHECK(hebb.json({"stats"}).at("blocking_cycle").size() == 2);
  CHECK_FALSE(says(hebb.run({"rank", "--as-of", "1767300000000"}), "can be ranked"));
  hebb.run({"unlink", "task-4", "task-2", "BLOCKS"});
  CHECK_FALSE(says(hebb.run({"rank"}), "can be ranked"));

  const auto imported = hebb.run(
      {"import", "-"},
      R"({"kind":"edge","at":1767571260000,"source":"task-4","target":"task-2","type":"BLOCKS"})"
      "\n");
  CHECK(imported.exit_code == 0);
  CHECK(says(imported, both));
}
