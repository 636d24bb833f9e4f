// Every script of tests/engine/scripts goes each of seven ways to its answers: those of an engine
// as it is; from a graph cache that is mapped anew each time; from a rebuilt mirror; from a log
// that another database took, as a whole or a few lines at a time in another order; beside the
// naive model; and from the copy of another machine that follows a ledger on a server.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/tables.h"
#include "sql/upstream.h"
#include "tests/engine/script.h"
#include "tests/engine/script_words.h"
#include "tests/support/checks.h"
#include "tests/support/cluster.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

// --- a script on one way -------------------------------------------------------------------------

enum class Way { plain, graph_cache, rebuilt, shuffled, exported, naive, server };

class Run {
 public:
  // server: the URL of a ledger, on the way of that name.
  Run(Way way, const std::string& server) : way_(way), server_(server) { open_own(); }

  std::string take(const Statement& s) {
    std::string text = s.text;
    TimeMs at = clock_;
    if (text.starts_with('@')) {
      const auto space = text.find(' ');
      at = parse_when(text.substr(1, space - 1), clock_);
      text = trimmed(text.substr(space));
    }
    const auto space = std::min(text.find(' '), text.size());
    const std::string what = text.substr(0, space), rest = trimmed(text.substr(space));
    if (what.starts_with('+') || what == "clock") {
      clock_ = parse_when(what == "clock" ? rest : what, clock_);
      return "";
    }
    if (what == "keep") {
      const auto equals = rest.find(" = ");
      const std::string question = rest.substr(equals + 3);
      const auto end = std::min(question.find(' '), question.size());
      kept_[rest.substr(0, equals)] =
          answer_to(question.substr(0, end), trimmed(question.substr(end)), at);
      return wrong_;
    }
    const std::string answer = what == "take" ? ingested(rest, at) : answer_to(what, rest, at);
    if (!s.is_asked)
      return answer == "" ? "" : fmt::format("expected to be taken\nfound    {}\n", answer);
    return wrong_ + compare_answer(answer, replaced(s.answer, kept_));
  }

  std::string end() {
    own().sync();
    auto problems = own().verify();
    Engine& answers = ask();
    if (way_ == Way::server) {
      answers.sync();
      problems = answers.verify();
    }
    return wrong_ + (problems.empty() ? "" : "verify: " + problems.front() + "\n");
  }

 private:
  void open_own() {
    own_.reset();
    if (way_ == Way::server) {
      own_.emplace(machine("own"));
    } else {
      own_.emplace(open(path_, way_ == Way::graph_cache ? 0 : kNoGraphCache));
    }
  }
  // One that keeps its copy in a folder of its own.
  Engine machine(const std::string& name) const {
    ::setenv("XDG_CACHE_HOME", dir_.file(name).c_str(), 1);
    return open(server_, kNoGraphCache);
  }
  Engine& own() { return *own_; }

  // The engine that answers, after what holds on this way was checked.
  Engine& ask() {
    const auto position = own().ledger().last_position();
    if (position == asked_) return elsewhere_ ? *elsewhere_ : own();
    if (way_ == Way::graph_cache) {  // the first time of all that came, later of that and a tail
      if (asked_ < 0) own().rebuild();
      open_own();
      const bool is_mapped = own().state().graph().nodes().created_at.is_view();
      if (asked_ < 0 && !is_mapped) wrong_ += "no graph cache is used\n";
    }
    asked_ = position;
    Engine& engine = own();
    if (way_ == Way::rebuilt) {
      engine.rebuild();
      for (const auto& problem : engine.verify()) wrong_ += problem + "\n";
    } else if (way_ == Way::naive) {
      wrong_ += check_naive(engine, naive_of(engine), clock_);
      wrong_ += check_ranking(engine, clock_);
    } else if (way_ == Way::server) {
      if (!elsewhere_) elsewhere_.emplace(machine("other"));
      sql::Database& copy = tables_of(*elsewhere_);
      if (const auto why = copy.upstream()->freshen(copy, 0)) wrong_ += *why + "\n";
      wrong_ += difference(content(*elsewhere_), content(engine));
      return *elsewhere_;
    } else if (way_ == Way::shuffled || way_ == Way::exported) {
      elsewhere_.emplace(way_ == Way::shuffled ? imported_shuffled(engine, random_)
                                               : imported(engine));
      wrong_ += difference(content(*elsewhere_), content(engine));
      return *elsewhere_;
    }
    return engine;
  }
  // Without what undone events leave behind: that the latest event was so late.
  static std::string content(Engine& engine) {
    const std::string text = dump(engine.state());
    return text.substr(0, text.find("\nstamp "));
  }

  std::string ingested(const std::string& rest, TimeMs now) {
    const auto space = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string head = rest.substr(0, space), content = trimmed(rest.substr(space)) + "\n";
    const auto parts = split(head, ",");  // the format, and how
    IngestRequest request;
    request.content = content;
    request.file = "file";
    request.format = find_format(parts[0]);
    request.read.now = now;
    bool prune = false;
    for (const auto& how : parts) {
      if (how == "prune") prune = true;
      if (how.starts_with("prefix=")) request.read.prefix = how.substr(7);
      if (how == "strict") request.strict = true;
      if (how == "each") request.read.each = true;
      if (how == "dated") request.latest = latest_taken(now);
      if (how.starts_with("task=")) request.read.task = how.substr(5);
      if (how.starts_with("changed=")) request.read.changed = {how.substr(8)};
    }
    if (request.format == nullptr) throw std::invalid_argument("no format " + parts[0]);
    try {
      summary_ = own().ingest(request);
    } catch (const UnreadableInput& e) {
      return std::string("unreadable ") + e.what();
    }
    gone_ = {};
    if (!request.strict || summary_.refused == 0)
      gone_ = own().find_gone(
          {request.format, request.read.prefix, summary_.listed, now, request.latest}, prune);
    Words reasons;
    for (const auto& r : summary_.refusals) reasons.push_back("refused " + r.refusal.reason);
    return joined(reasons);
  }

  std::string answer_to(const std::string& what, const std::string& rest, TimeMs at) {
    const Given given(rest, at);
    try {
      if (auto event = event_of(what, given)) {
        if (const auto key = given.option("key")) *event = keyed(std::move(*event), *key);
        const auto applied = own().append(*event);
        return applied == Applied::applied ? "" : "duplicate";
      }
      if (const auto command = commands().find(what); command != commands().end())
        return command->second(*this, given);
      if (const auto question = questions().find(what); question != questions().end())
        return question->second(ask(), given);
    } catch (const Refused& e) {
      return "refused " + e.refusal().reason;
    } catch (const reward::BadPolicy& e) {
      return std::string("bad policy: ") + e.what();
    } catch (const std::invalid_argument& e) {
      return std::string("invalid: ") + e.what();
    }
    throw std::invalid_argument("no such command: " + what);
  }

  std::int64_t position(const Given& g) {
    const std::string& of = g.at(0);
    if (of == "last") return own().ledger().last_position();
    if (std::isdigit(static_cast<unsigned char>(of[0])) && of.find(':') == std::string::npos)
      return std::stoll(of);
    return own().ledger().position_of(of).value_or(0);
  }

  // What the engine of the script does, or says of what it did last.
  using Command = std::function<std::string(Run&, const Given&)>;
  static const std::map<std::string, Command>& commands();

  Way way_;
  const std::string server_;
  Folder dir_;
  std::string path_ = dir_.file("a.db");
  std::optional<Engine> own_, elsewhere_;
  std::int64_t asked_ = -1;
  Random random_{7};
  TimeMs clock_ = kStart;
  std::string wrong_;
  std::map<std::string, std::string> kept_;
  IngestSummary summary_;
  Gone gone_;
  RecalibrationReport report_;
};

const std::map<std::string, Run::Command>& Run::commands() {
  const auto edges = [](const std::vector<EdgeChange>& changes) {
    Words all;
    for (const auto& c : changes) all.push_back(c.edge.source + " " + c.edge.target);
    return fmt::format("{}", fmt::join(all, ", "));
  };
  const auto said = [](std::int64_t IngestSummary::*member) {
    return [=](Run& r, const Given&) { return fmt::format("{}", r.summary_.*member); };
  };
  static const std::map<std::string, Command> all{
      {"undo",
       [](Run& r, const Given& g) {
         r.own().undo(r.position(g), g.clock, std::stoll(g.at(1, "0")));
         return std::string();
       }},
      {"undone",
       [](Run& r, const Given& g) {
         return r.own().undone().contains(r.position(g)) ? "yes" : "no";
       }},
      {"events",
       [](Run& r, const Given&) { return fmt::format("{}", r.own().ledger().last_position()); }},
      {"recalibrate",
       [](Run& r, const Given& g) {
         r.report_ = r.own().recalibrate(g.clock);
         return std::string(r.report_.repeated ? "repeated" : "");
       }},
      {"guides",
       [](Run& r, const Given&) {
         Words ids;
         for (const Guide& guide : r.report_.guides) ids.push_back(guide.node);
         return joined(ids);
       }},
      {"entered", [](Run& r, const Given&) { return joined(r.report_.entered); }},
      {"left", [](Run& r, const Given&) { return joined(r.report_.left); }},
      {"dormant", [edges](Run& r, const Given&) { return edges(r.report_.became_dormant); }},
      {"dormant_weight",  // of the first of them
       [](Run& r, const Given&) {
         return fmt::format("{}", r.report_.became_dormant.at(0).weight);
       }},
      {"woke", [edges](Run& r, const Given&) { return edges(r.report_.woke); }},
      // The nodes, and then the edges, that it took, or would take.
      {"gc",
       [](Run& r, const Given& g) {
         const TimeMs age = parse_when("+" + g.at(0), 0);
         const GcReport report = r.own().gc(g.clock, age, g.at(1, "") == "dry");
         Words all = report.nodes;
         for (const auto& e : report.edges) all.push_back(e.source + "-" + e.type + "-" + e.target);
         return joined(all);
       }},
      {"claims",
       [](Run& r, const Given&) {
         Words tasks;
         for (const auto& claim : r.own().claims()) tasks.push_back(claim.task);
         return joined(tasks);
       }},
      {"applied", said(&IngestSummary::applied)},
      {"duplicates", said(&IngestSummary::duplicates)},
      {"gone", [](Run& r, const Given&) { return joined(r.gone_.ids); }},
      {"pruned", [](Run& r, const Given&) { return fmt::format("{}", r.gone_.pruned); }},
      {"changed",
       [](Run& r, const Given&) { return fmt::format("{}", fmt::join(r.summary_.changed, "; ")); }},
      {"notes",
       [](Run& r, const Given&) { return fmt::format("{}", fmt::join(r.summary_.notes, "\n")); }},
      {"detail",
       [](Run& r, const Given&) {
         return r.summary_.refusals.empty() ? "" : r.summary_.refusals[0].refusal.detail;
       }},
      // The reasons of the dead letters, and what became of all of them when they were tried again.
      {"letters",
       [](Run& r, const Given&) {
         Words reasons;
         for (const auto& letter : r.own().dead_letters()) reasons.push_back(letter.reason);
         return joined(reasons);
       }},
      {"retry",
       [](Run& r, const Given& g) {
         std::vector<std::int64_t> ids;
         for (const auto& letter : r.own().dead_letters()) ids.push_back(letter.id);
         const auto s = r.own().retry_dead_letters(ids, g.clock, latest_taken(g.clock));
         return fmt::format("{} applied {} refused", s.applied, s.refused);
       }},
  };
  return all;
}

void go(Way way, const char* name) {
  std::optional<Cluster> cluster;
  if (way == Way::server) cluster.emplace();
  // Of so many small databases most of the time would be that of a disk.
  if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 1);
  std::size_t statements = 0, runs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(HEBB_SOURCE_DIR "/tests/engine/scripts")) {
    for (const Script& script : read_scripts(entry.path())) {
      if (script.without.contains(name)) continue;
      Run run(way, cluster ? fmt::format("{}&ledger={}", cluster->url(), ++runs) : "");
      std::string wrong;
      for (const Statement& s : script.statements) {
        ++statements;
        try {
          wrong = run.take(s);
        } catch (const std::exception& e) {
          wrong = std::string("it throws ") + e.what() + "\n";
        }
        if (wrong.empty()) continue;
        FAIL_CHECK(s.where << ": " << script.name << "\nway      " << name << "\nline     "
                           << s.text << "\n"
                           << wrong);
        break;
      }
      if (!wrong.empty()) continue;
      wrong = run.end();
      if (!wrong.empty()) FAIL_CHECK(script.name << " at its end, way " << name << "\n" << wrong);
    }
  }
  CHECK(statements > 100);
}

TEST_CASE("scripts: an engine as it is") { go(Way::plain, "plain"); }
TEST_CASE("scripts: from a graph cache") { go(Way::graph_cache, "graph_cache"); }
TEST_CASE("scripts: from a rebuilt mirror") { go(Way::rebuilt, "rebuilt"); }
TEST_CASE("scripts: from a log that arrives in another order") { go(Way::shuffled, "shuffled"); }
TEST_CASE("scripts: from a log that another database took") { go(Way::exported, "exported"); }
TEST_CASE("scripts: beside the naive model") { go(Way::naive, "naive"); }
TEST_CASE("scripts: from a copy of a ledger on a server") { go(Way::server, "server"); }

}  // namespace
}  // namespace hebb::test
