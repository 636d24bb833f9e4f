#include "api/request.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/new_id.h"
#include "api/problem.h"
#include "api/when.h"
#include "engine/look/look.h"
#include "engine/values/checks.h"

namespace hebb::api {

namespace {

[[noreturn]] void refuse(const Field& field, const std::string& written, const std::string& why) {
  throw invalid(field.name, "{} is \"{}\", which {}", named(field.name), written, why);
}

// The ids of the tasks with exactly that name.
std::vector<std::string> tasks_named(Engine& engine, const std::string& name) {
  const State& s = engine.state();
  auto ids = ids_named(engine, name);
  std::erase_if(ids, [&](const std::string& id) {
    const bool is_task = s.graph().nodes().state[*s.find(id)] != 0;
    return !is_task || engine.content(id).name != name;
  });
  std::ranges::sort(ids);
  return ids;
}

// The id made by add that begins with this text, if no other id does.
std::optional<std::string> generated_id(Engine& engine, const std::string& beginning) {
  constexpr std::size_t kShortest = 3;
  if (beginning.size() < kShortest) return std::nullopt;
  const State& s = engine.state();
  const auto& g = s.graph();
  std::optional<std::string> found;
  for (graph::NodeId n = 0; n < g.node_bound(); ++n) {
    if (n == kFrontierNode || !g.id(n).starts_with(beginning)) continue;
    if (found) return std::nullopt;
    found = g.id(n);
  }
  if (found && s.exists(*found) && is_generated_id(engine, *found)) return found;
  return std::nullopt;
}

// The id of the node that this text means; nullopt: the text is an id itself, or means no node.
std::optional<std::string> meant_id(Session& session, Access access, const Field& field,
                                    const std::string& text) {
  Engine& engine = session.engine(access);
  const State& s = engine.state();
  if (text.empty() || s.find(text) || !is_utf8(text)) return std::nullopt;
  const auto named = tasks_named(engine, text);
  if (named.size() == 1) return named.front();
  if (named.empty()) return session.takes_beginnings() ? generated_id(engine, text) : std::nullopt;
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (const std::string& id : named) {
    if (shown.size() == kShown) break;
    const auto state = s.graph().nodes().state[*s.find(id)];
    shown.push_back(fmt::format("{} ({})", id, s.graph().states().name(state)));
  }
  refuse(field, text,
         fmt::format("{} tasks are called: {}{}; give the id of the one that is meant",
                     named.size(), fmt::join(shown, ", "), named.size() > kShown ? ", …" : ""));
}

}  // namespace

std::string zone_name(Session& session, Access access) {
  std::string zone = session.given_zone();
  return zone.empty() ? session.engine(access).state().policy().time_zone : zone;
}

namespace {

// The text of a time field that depends on the zone; nullptr: there is none.
const std::string* time_to_read(const Field& f, const Json& json) {
  if (f.kind != Kind::time || !json.is_object() || !json.contains(f.name)) return nullptr;
  const auto* text = json[f.name].get_ptr<const std::string*>();
  return text && !std::holds_alternative<TimeMs>(read_time(*text)) ? text : nullptr;
}

}  // namespace

bool is_exact(const Fields& fields, const Json& json) {
  return std::ranges::none_of(fields, [&](const Field& f) { return time_to_read(f, json); });
}

bool is_understood(const Fields& fields) {
  return std::ranges::any_of(
      fields, [](const Field& f) { return f.kind == Kind::time || f.kind == Kind::node; });
}

Json read_request(const Fields& fields, const Json& json, void* record, Session& session,
                  Access access) {
  Json understood, exact;
  for (const Field& f : fields) {
    const std::string* text = time_to_read(f, json);
    if (!text) continue;
    // A span needs no zone; to look up the zone could open the database.
    const bool is_span = parse_duration(*text).has_value();
    const std::string zone = is_span ? "UTC" : zone_name(session, access);
    const TimeZone time_zone(zone, session.given_zone().empty() ? "time_zone" : "tz");
    const auto read = [&](const std::string& written) {
      return read_when(written, session.now(), time_zone,
                       f.bounds.past ? Direction::back : Direction::ahead);
    };
    ReadTime time = read(*text);
    if (f.bounds.whole_day) {  // a text that a clock can be added to is a whole day
      const ReadTime end = read(*text + " 23:59");
      if (std::holds_alternative<TimeMs>(end)) time = end;
    }
    if (const auto* why = std::get_if<std::string>(&time)) refuse(f, *text, "is no time: " + *why);
    if (exact.is_null()) exact = json;
    exact[f.name] = understood[f.name] = time_text(std::get<TimeMs>(time));
  }
  try {
    read_record(fields, exact.is_null() ? json : exact, record);
  } catch (const fields::Invalid&) {
    throw problem_of(std::current_exception());
  }
  for (const Field& f : fields) {
    if (f.kind != Kind::node) continue;
    const Json given = f.get(record);
    if (given.is_null()) continue;
    Json ids = f.list ? given : Json::array({given});
    for (Json& id : ids) {
      if (auto meant = meant_id(session, access, f, id.get<std::string>())) id = *std::move(meant);
    }
    if (!f.list) ids = ids.front();
    if (ids == given) continue;
    f.set(record, ids);
    understood[f.name] = std::move(ids);
  }
  return understood;
}

}  // namespace hebb::api
