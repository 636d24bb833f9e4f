#include "tests/engine/script_words.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/engine/script.h"

namespace hebb::test {

TimeMs parse_when(const std::string& text, TimeMs clock) {
  if (text == "never") return graph::kNever;
  if (const auto date =
          parse_rfc3339(text.find('T') == std::string::npos ? text + "T00:00:00Z" : text))
    return *date;
  const bool relative = text.starts_with('+') || text.starts_with('-');
  std::size_t used = 0;
  const double n = std::stod(text, &used);
  const std::string unit = text.substr(used);
  const TimeMs of = unit == "d" ? kDay : unit == "h" ? kHour : unit == "min" ? kMinute : 1;
  return (relative ? clock : kStart) + static_cast<TimeMs>(n * static_cast<double>(of));
}

Given::Given(const std::string& text, TimeMs at) : clock(at) {
  for (std::string word : split(text, " ")) {
    if (word.empty()) continue;
    const auto equals = word.find('=');
    const auto plain = [](const std::string& w) {
      if (!w.starts_with('"')) return w;
      std::string text = w.substr(1, w.size() - 2);
      for (auto at = text.find("\\\""); at != text.npos; at = text.find("\\\"", at))
        text.erase(at, 1);
      return text;
    };
    if (equals == std::string::npos || word.starts_with('"')) {
      words.push_back(plain(word));
    } else {
      options.emplace_back(word.substr(0, equals), plain(word.substr(equals + 1)));
    }
  }
}

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string date_of(TimeMs at) { return at == graph::kNever ? "never" : format_rfc3339(at); }

namespace {

// --- events --------------------------------------------------------------------------------------

Event node_of(const Given& g) {
  const std::string state = g.at(2, "");
  Event e = node(g.clock, g.at(0), g.at(1, "TASK"),
                 state.empty() && g.words.size() < 2 ? "OPEN"
                 : state == "-"                      ? ""
                                                     : state);
  auto& u = std::get<NodeUpsert>(e.payload);
  if (u.type == "-") u.type.reset();
  for (const auto& [key, value] : g.options) {
    if (key == "name") u.name = value;
    if (key == "description") u.description = value;
    if (key == "project") u.project = value;
    if (key == "properties") u.properties = value;
    if (key == "pinned") u.pinned = value == "yes";
    if (key == "opens") u.opens = value == "yes";
    if (key == "may_differ") e.may_differ = value == "yes";
    if (key == "priority") u.priority = value == "none" ? graph::kNoPriority : std::stoi(value);
    if (key == "due") u.due_at = parse_when(value, g.clock);
    if (key == "snoozed") u.snoozed_until = parse_when(value, g.clock);
    if (key == "estimate") u.estimate = parse_when(value, 0);
    if (key == "because") u.because = value;
    if (key != "vector") continue;
    for (const auto& x : split(value, ",")) u.vector.push_back(std::stof(x));
  }
  return e;
}

Event outcome_of(const Given& g, OutcomeKind kind) {
  Event e = success(g.clock, g.at(0));
  auto& signal = std::get<OutcomeSignal>(e.payload);
  signal.outcome = kind;
  if (const auto related = g.option("related"))
    signal.related = related->empty() ? Words() : split(*related, ",");
  if (const auto score = g.option("score")) signal.score = std::stod(*score);
  if (const auto ms = g.option("ms"))
    signal.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", *ms);
  return e;
}

}  // namespace

std::optional<Event> event_of(const std::string& what, const Given& g) {
  if (what == "node") return node_of(g);
  if (what == "remove") return remove(g.clock, g.at(0));
  if (what == "link") return link(g.clock, g.at(0), g.at(1), g.at(2), std::stod(g.at(3, "1")));
  if (what == "unlink") return unlink(g.clock, g.at(0), g.at(1), g.at(2));
  if (what == "success") return outcome_of(g, OutcomeKind::success);
  if (what == "failure") return outcome_of(g, OutcomeKind::failure);
  if (what == "partial") return outcome_of(g, OutcomeKind::partial);
  if (what == "pivot") return pivot(g.clock, g.at(0), std::stod(g.at(1, "1")));
  if (what == "policy") {
    Event e = policy(g.clock, {});
    for (const auto& option : g.options) {
      if (option.first != "key") std::get<PolicyChange>(e.payload).settings.push_back(option);
    }
    return e;
  }
  if (what == "state") {
    Event e = state(g.clock, g.at(0), g.at(1));
    std::get<StateChange>(e.payload).opens = g.option("opens") != "no";
    return e;
  }
  if (what == "forget") return forget(g.clock, {g.edge()}, {});
  if (what == "guide") {
    std::vector<Guide> guides;
    for (const auto& [id, x] : g.options) guides.push_back({id, std::stod(x)});
    return guide(g.clock, guides);
  }
  if (what == "claim") {
    Event e = partial(g.clock, g.at(0));
    e.payload = Claim{.agent = g.at(1, "ann"), .expires_at = g.clock + kDay};
    return e;
  }
  return std::nullopt;
}

RankQuery query_of(const Given& g) {
  RankQuery query;
  query.top = std::stoul(g.at(0, "1000000"));
  const auto list = [&](const char* name) {
    const auto text = g.option(name);
    return text ? split(*text, ",") : Words();
  };
  query.which.type = g.option("type").value_or("");
  query.which.state = g.option("state").value_or("");
  query.which.project = g.option("project").value_or("");
  query.which.assignee = g.option("assignee").value_or("");
  query.which.labels = list("labels");
  query.which.not_labels = list("not_labels");
  query.selection.changed = list("changed");
  if (g.option("among")) query.selection.among = list("among");
  if (const auto shard = g.option("shard")) {  // 2/5
    const auto slash = shard->find('/');
    query.selection.shard = Shard{std::stoll(*shard), std::stoll(shard->substr(slash + 1))};
  }
  if (const auto budget = g.option("budget")) query.selection.budget_seconds = std::stod(*budget);
  return query;
}

}  // namespace hebb::test
