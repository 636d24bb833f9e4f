#include "tests/support/napfd.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/fold/resolve.h"
#include "engine/fold/state.h"
#include "engine/study/backtest.h"
#include "reward/presets.h"

namespace hebb::test {

using study::state_with;

namespace {

constexpr std::array<std::string_view, 5> kColumns{"Name", "Duration", "LastRun", "Verdict",
                                                   "Cycle"};

// The fields of a line. One in quotes may hold the separator; a quote in it is written twice.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ';' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

class VerdictReader {
 public:
  std::vector<Verdict> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      fields_ = split(line);
      if (width_ == 0) {
        read_head();
      } else {
        read_row();
      }
    }
    if (rows_.empty()) throw UnreadableInput("it has no row with a verdict");
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Verdict& a, const Verdict& b) { return a.cycle < b.cycle; });
    return std::move(rows_);
  }

 private:
  void read_head() {
    width_ = fields_.size();
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto found = std::find(fields_.begin(), fields_.end(), kColumns[i]);
      if (found == fields_.end()) {
        throw UnreadableInput(
            fmt::format("line {}: the head has no column {}; verdicts are CSV with the columns {}, "
                        "separated by \";\"",
                        line_, kColumns[i], fmt::join(kColumns, ", ")));
      }
      place_[i] = static_cast<std::size_t>(found - fields_.begin());
    }
  }

  const std::string& field(std::size_t column) const { return fields_[place_[column]]; }

  [[noreturn]] void refuse(std::size_t column, std::string_view allowed) const {
    throw UnreadableInput(fmt::format("line {}: {} is \"{}\"; it has to be {}", line_,
                                      kColumns[column], field(column).substr(0, 64), allowed));
  }

  template <class Number>
  Number number(std::size_t column, std::string_view allowed) const {
    const std::string& text = field(column);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse(column, allowed);
    return value;
  }

  void read_row() {
    if (fields_.size() != width_) {
      throw UnreadableInput(fmt::format("line {}: it has {} fields, and the head has {}", line_,
                                        fields_.size(), width_));
    }
    Verdict row;
    row.test = field(0);
    if (row.test.empty()) refuse(0, "the name of a test");
    constexpr std::string_view kDuration = "a number of at least 0";
    row.duration = number<double>(1, kDuration);
    if (!(row.duration >= 0 && row.duration < 1e15)) refuse(1, kDuration);
    std::string time = field(2);
    if (time.size() > 10 && time[10] == ' ') time[10] = 'T';
    if (time.size() == 16) time += ":00";
    const auto at = parse_rfc3339(time + "Z");
    if (!at || *at < Limits::kEarliestTime) refuse(2, "a time such as 2015-02-13 16:13:00");
    row.at = *at;
    const int verdict = number<int>(3, "1 (failed) or 0 (passed)");
    if (verdict != 0 && verdict != 1) refuse(3, "1 (failed) or 0 (passed)");
    row.failed = verdict == 1;
    row.cycle = number<std::int64_t>(4, "a whole number");
    rows_.push_back(std::move(row));
  }

  std::size_t width_ = 0;
  std::array<std::size_t, kColumns.size()> place_{};
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::vector<Verdict> rows_;
};

// --- orderings -----------------------------------------------------------------------------------

using Rows = std::vector<const Verdict*>;

// Puts the tests of a cycle in order; then is told how they came out.
class Ordering {
 public:
  virtual ~Ordering() = default;
  virtual void order(Rows& cycle) = 0;
  virtual void learn(const Rows& /*cycle: as it stands in the file*/) {}
};

// The engine, with tests as its tasks.
class Hebb : public Ordering {
 public:
  explicit Hebb(const reward::Policy& policy) : state_(state_with(policy)) {}

  void order(Rows& cycle) override {
    now_ = std::max(now_, (*std::min_element(cycle.begin(), cycle.end(), [](auto* a, auto* b) {
                            return a->at < b->at;
                          }))->at);
    for (const Verdict* row : cycle) add(row->test);
    const reward::View view = state_.view();
    const auto ranked = reward::Ranking(view, now_).all(view.graph);
    places_.assign(state_.graph().node_bound(), 0);
    for (std::size_t i = 0; i < ranked.size(); ++i) places_[ranked[i].node] = i;
    std::stable_sort(cycle.begin(), cycle.end(),
                     [&](auto* a, auto* b) { return place(*a) < place(*b); });
  }

  void learn(const Rows& cycle) override {
    Rows in_time = cycle;
    std::stable_sort(in_time.begin(), in_time.end(),
                     [](auto* a, auto* b) { return a->at < b->at; });
    for (const Verdict* row : in_time) {
      now_ = std::max(now_, row->at);
      OutcomeSignal signal;
      signal.outcome = row->failed ? OutcomeKind::failure : OutcomeKind::success;
      signal.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", row->duration);
      take(row->test, std::move(signal));
    }
  }

 private:
  std::size_t place(const Verdict& row) const { return places_[*state_.find(row.test)]; }

  void add(const std::string& test) {
    if (state_.find(test)) return;
    NodeUpsert node;
    node.type = "TEST";
    node.state = std::string(kOpen);
    take(test, std::move(node));
  }

  void take(const std::string& subject, Payload payload) {
    Event e;
    e.at = now_;
    e.subject = subject;
    e.key = event_key(payload, std::to_string(++events_));
    e.payload = std::move(payload);
    if (!resolve(state_, e)) state_.apply(e);
  }

  State state_;
  std::vector<std::size_t> places_;  // by NodeId
  TimeMs now_ = 0;
  std::size_t events_ = 0;
};

// By what a test's verdicts so far are worth, the most first; equal ones by name.
class ByVerdicts : public Ordering {
 public:
  // Verdicts of one test, the latest last; true: failed.
  using Worth = double (*)(const std::vector<bool>& verdicts);
  explicit ByVerdicts(Worth worth) : worth_(worth) {}

  void order(Rows& cycle) override {
    std::unordered_map<std::string, double> worth;
    for (const Verdict* row : cycle) worth.try_emplace(row->test, worth_(verdicts_[row->test]));
    std::stable_sort(cycle.begin(), cycle.end(), [&](auto* a, auto* b) {
      const double x = worth.at(a->test), y = worth.at(b->test);
      return x != y ? x > y : a->test < b->test;
    });
  }

  void learn(const Rows& cycle) override {
    for (const Verdict* row : cycle) verdicts_[row->test].push_back(row->failed);
  }

 private:
  Worth worth_;
  std::unordered_map<std::string, std::vector<bool>> verdicts_;
};

// The last four one after the other, as the paper's heuristic looks at them; one that is not there
// counts as failed.
double last_verdicts(const std::vector<bool>& verdicts) {
  double worth = 0;
  for (std::size_t back = 1; back <= 4; ++back) {
    const bool failed = verdicts.size() < back || verdicts[verdicts.size() - back];
    worth = 2 * worth + (failed ? 1 : 0);
  }
  return worth;
}

// Failures among the runs, each run counting .9 of the next one, beginning with one failure in
// three.
double decayed_rate(const std::vector<bool>& verdicts) {
  double failures = 0, runs = 0;
  for (const bool failed : verdicts) {
    failures = 0.9 * failures + (failed ? 1 : 0);
    runs = 0.9 * runs + 1;
  }
  return (failures + 1) / (runs + 3);
}

// What nobody can know: failing tests first, the shortest of them first of all.
class Oracle : public Ordering {
 public:
  void order(Rows& cycle) override {
    std::stable_sort(cycle.begin(), cycle.end(), [](auto* a, auto* b) {
      return a->failed != b->failed ? a->failed : a->duration < b->duration;
    });
  }
};

class RandomOrder : public Ordering {
 public:
  void order(Rows& cycle) override {
    for (std::size_t i = cycle.size(); i > 1; --i) std::swap(cycle[i - 1], cycle[bits_() % i]);
  }

 private:
  std::mt19937_64 bits_{1};
};

struct Named {
  std::string name;
  std::unique_ptr<Ordering> ordering;
  int times = 1;
};

reward::Policy tests_policy(const std::vector<reward::Setting>& settings) {
  reward::Policy policy = reward::from_toml(reward::preset("tests").toml);
  for (const auto& [key, value] : settings) reward::set(policy, key, value);
  reward::check(policy);
  return policy;
}

}  // namespace

std::vector<Verdict> read_verdicts(Input& input) {
  std::string_view text = input.rest(Limits::kDocumentBytes);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return VerdictReader().read(text);
}

double napfd(std::span<const Verdict* const> order, double budget) {
  double all = 0, used = 0, failures = 0, found = 0, places = 0, run = 0;
  for (const Verdict* row : order) {
    all += row->duration;
    failures += row->failed ? 1 : 0;
  }
  if (failures == 0) return 1;
  for (const Verdict* row : order) {
    if (used + row->duration > all * budget) continue;
    used += row->duration;
    ++run;
    if (!row->failed) continue;
    ++found;
    places += run;
  }
  const double share = found / failures, n = static_cast<double>(order.size());
  return share - places / (failures * n) + share / (2 * n);
}

NapfdResult measure_napfd(std::span<const Verdict> rows, const NapfdOptions& options) {
  std::vector<Named> orderings;
  orderings.push_back({"random", std::make_unique<RandomOrder>(), std::max(1, options.shuffles)});
  orderings.push_back({"last verdicts first", std::make_unique<ByVerdicts>(last_verdicts)});
  orderings.push_back({"decayed failure rate", std::make_unique<ByVerdicts>(decayed_rate)});
  orderings.push_back(
      {"hebb, preset tests", std::make_unique<Hebb>(tests_policy(options.settings))});
  orderings.push_back({"oracle: failing first", std::make_unique<Oracle>()});

  std::map<std::int64_t, Rows> cycles;
  std::unordered_map<std::string, int> tests;
  NapfdResult result;
  for (const Verdict& row : rows) {
    cycles[row.cycle].push_back(&row);
    tests.try_emplace(row.test);
    result.failed += row.failed;
  }
  result.verdicts = rows.size();
  result.tests = tests.size();
  result.cycles = cycles.size();
  result.budgets = options.budgets;
  for (const auto& o : orderings) {
    result.scores.push_back({o.name, std::vector<double>(options.budgets.size(), 0)});
  }
  for (const auto& [number, cycle] : cycles) {
    for (std::size_t o = 0; o < orderings.size(); ++o) {
      const auto& [name, ordering, times] = orderings[o];
      for (int i = 0; i < times; ++i) {
        Rows ordered = cycle;
        ordering->order(ordered);
        for (std::size_t b = 0; b < options.budgets.size(); ++b) {
          result.scores[o].napfd[b] += napfd(ordered, options.budgets[b]) / times;
        }
      }
      ordering->learn(cycle);
    }
  }
  for (auto& score : result.scores) {
    for (double& x : score.napfd) x /= static_cast<double>(std::max<std::size_t>(1, cycles.size()));
  }
  return result;
}

}  // namespace hebb::test
