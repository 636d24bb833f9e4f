#include "api/request.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/problem.h"
#include "api/when.h"
#include "engine/look/look.h"
#include "engine/values/checks.h"

namespace hebb::api {

namespace {

[[noreturn]] void refuse(const Field& field, const std::string& written, const std::string& why) {
  throw invalid(field.name, "{} is \"{}\", which {}", named(field.name), written, why);
}

// The id that begins so, or of the task of that name, if it is no id itself.
std::optional<std::string> whole_id(Engine& engine, const Field& field, const std::string& begin) {
  constexpr std::size_t kShown = 5;
  const State& s = engine.state();
  // What was deleted is still called so: asked for again, nothing else is meant.
  if (begin.empty() || s.find(begin) || !is_utf8(begin)) return std::nullopt;
  std::vector<std::string> found;
  const auto& g = s.graph();
  for (graph::NodeId n = 0; n < g.node_bound(); ++n) {
    if (n != kFrontierNode && g.id(n).starts_with(begin) && s.exists(g.id(n)))
      found.emplace_back(g.id(n));
  }
  const bool by_name = found.empty();
  if (by_name) {  // of a task: labels and people have names, too
    found = ids_named(engine, begin);
    std::erase_if(found, [&](const std::string& id) {
      const auto n = s.find(id);
      return !n || g.nodes().state[*n] == 0;
    });
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  const std::size_t shown = std::min(found.size(), kShown);
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(shown));
  const std::size_t more = found.size() - shown;
  found.resize(shown);
  refuse(field, begin,
         fmt::format("{}: {}{}; {}",
                     by_name ? fmt::format("{} nodes are called", shown + more)
                             : fmt::format("begins {} ids", shown + more),
                     fmt::join(found, ", "), more > 0 ? ", …" : "",
                     by_name ? "give the id of the one that is meant"
                             : "write more of the one that is meant"));
}

}  // namespace

std::string zone_name(Session& session, Access access) {
  std::string zone = session.given_zone();
  return zone.empty() ? session.engine(access).state().policy().time_zone : zone;
}

namespace {

// The text of a field of time that names none by itself; nullptr: there is none.
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
    // A span is the same in every zone, which would have the database opened.
    const bool is_span = parse_duration(*text).has_value();
    const std::string zone = is_span ? "UTC" : zone_name(session, access);
    const TimeZone of(zone, session.given_zone().empty() ? "time_zone" : "tz");
    const auto read = [&](const std::string& written) {
      return read_when(written, session.now(), of,
                       f.bounds.back ? Direction::back : Direction::ahead);
    };
    ReadTime time = read(*text);
    if (f.bounds.whole_day) {  // with a clock behind it, it can be read only if it had none
      const ReadTime end = read(*text + " 23:59");
      if (std::holds_alternative<TimeMs>(end)) time = end;
    }
    if (const auto* why = std::get_if<std::string>(&time)) refuse(f, *text, "is no time: " + *why);
    if (exact.is_null()) exact = json;
    exact[f.name] = understood[f.name] = time_text(std::get<TimeMs>(time));
  }
  read_record(fields, exact.is_null() ? json : exact, record);
  for (const Field& f : fields) {
    if (f.kind != Kind::node) continue;
    const Json given = f.get(record);
    if (given.is_null()) continue;
    Json ids = f.list ? given : Json::array({given});
    for (Json& id : ids) {
      if (auto whole = whole_id(session.engine(access), f, id.get<std::string>()))
        id = *std::move(whole);
    }
    if (!f.list) ids = ids.front();
    if (ids == given) continue;
    f.set(record, ids);
    understood[f.name] = std::move(ids);
  }
  return understood;
}

}  // namespace hebb::api
