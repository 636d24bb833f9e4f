// The mapping files of trackers, read and checked; and the values to which their paths lead.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "engine/input/tracker.h"
#include "engine/values/checks.h"

namespace hebb::input {

namespace {

constexpr std::array<std::string_view, 3> kTimeForms{"compact", "zone", "date"};

Path path_of(std::string_view text) {
  Path path;
  const std::size_t each = text.find("[]");
  path.each = each != text.npos;
  path.to = split(text.substr(0, each), ".");
  if (path.each) {
    path.part = split(text.substr(std::min(each + 3, text.size())), ".");
  } else if (path.to.size() > 1) {
    path.part = {path.to.back()};
    path.to.pop_back();
  }
  path.whole = text;
  path.shown = fmt::format("{}", fmt::join(path.to, "."));
  return path;
}

// The type of an edge to a context that does not say it.
const char* edge_to(const Setting& node) {
  return node.has("LABEL") ? "LABELED_AS" : node.has("USER") ? "ASSIGNED_TO" : "IN_CATEGORY";
}

class MappingReader {
 public:
  explicit MappingReader(std::string_view file) : file_(file) {}

  Mapping read(const toml::table& root,
               std::initializer_list<const char*> needed = {"id", "name", "state"}) const {
    Mapping mapping = read(root, "recognise", "edges");
    mapping.name = file_;
    for (const char* key : needed) need(root, mapping, key);
    if (mapping["estimate"]) need(root, mapping, "estimate_in");
    return mapping;
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, std::string_view what) const {
    throw BadMapping(fmt::format("{}.toml: line {}: {}", file_, node.source().begin.line, what));
  }

  void need(const toml::table& table, const Mapping& mapping, std::string_view key) const {
    if (!mapping.settings[key_index(key)]) refuse(table, fmt::format("{} is missing", key));
  }

  Mapping read(const toml::table& table, Key first, Key last) const {
    Mapping mapping;
    for (const auto& [name, node] : table) {
      const std::string_view key = name.str();
      const std::size_t index = key_index(key);
      if (index < first.index || index > last.index)
        refuse(node, fmt::format("{} is no key here", key));
      if (key != "edges" && key != "kinds") {
        mapping.settings[index] = setting(node, key);
        continue;
      }
      if (!node.is_array_of_tables())
        refuse(node, fmt::format("{} has to be a list of tables", key));
      for (const toml::node& one : *node.as_array())
        mapping.inner.push_back(edge(*one.as_table(), key == "kinds"));
    }
    return mapping;
  }

  Mapping edge(const toml::table& table, bool is_kind) const {
    Mapping edge = read(table, is_kind ? Key("is") : Key("from"), "out");
    if (!is_kind) need(table, edge, "from");
    if (edge["has"] && edge["has"].texts.size() != 2) refuse(table, "has is a field and a text");
    if (!edge.inner.empty()) return edge;
    if (edge["node"] && !edge["out"])
      edge.settings[Key("out").index].texts = {edge_to(edge["node"])};
    if (!edge["in"] == !edge["out"]) refuse(table, "there has to be either in or out");
    edge.inner = {edge};
    return edge;
  }

  Setting setting(const toml::node& node, std::string_view key) const {
    Setting setting;
    const auto add = [&](const toml::node& one) {
      const auto text = one.value_exact<std::string>();
      const bool yes = one.value_exact<bool>().value_or(false);
      if (!text && !yes) refuse(one, fmt::format("{} has to be a text, texts or true", key));
      if (key == "times" &&
          std::find(kTimeForms.begin(), kTimeForms.end(), text.value_or("")) == kTimeForms.end())
        refuse(one, fmt::format("times: there is no form \"{}\"", text.value_or("true")));
      if (key == "estimate_in" && unit_ms(text.value_or("")) == 0)
        refuse(one, "estimate_in has to be seconds or minutes");
      setting.texts.push_back(text.value_or("true"));
      setting.paths.push_back(path_of(setting.texts.back()));
    };
    const toml::array* all = node.as_array();
    if (!all) add(node);
    for (std::size_t i = 0; all && i < all->size(); ++i) add((*all)[i]);
    if (!setting) refuse(node, fmt::format("{} is an empty list", key));
    return setting;
  }

  std::string_view file_;
};

}  // namespace

std::optional<Element> walk(Element value, const Texts& names, std::string_view path) {
  for (const std::string& name : names) {
    const auto next = find(as_object(value, path), name);
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

std::optional<Element> value_of(Element item, const Setting& field) {
  for (const Path& path : field.paths) {
    const auto to = walk(item, path.to, path.shown);
    if (const auto value = to ? walk(*to, path.part, path.shown) : to) return value;
  }
  return std::nullopt;
}

std::string text_of(Element item, const Setting& field, const Setting& otherwise) {
  const auto value = value_of(item, field);
  if (value) return std::string(as_text(*value, field.text()));
  return std::string(otherwise.text());
}

bool has_member(Element item, const Setting& field) {
  const Object object = as_object(item, field.text());
  return std::any_of(field.paths.begin(), field.paths.end(), [&](const Path& path) {
    return !path.to.empty() && object[path.to.front()].error() == simdjson::SUCCESS;
  });
}

std::vector<Part> parts_of(Element item, const Setting& field, const Setting& wrapped,
                           bool or_text) {
  for (const Path& path : field.paths) {
    auto value = walk(item, path.to, path.shown);
    const bool is_last = &path == &field.paths.back();
    if (!value || (!path.each && !is_last && !walk(*value, path.part, path.shown))) continue;
    if (!path.each) return {{*value, path.part, path.shown}};
    std::vector<Part> parts;
    const auto add = [&](Element element) {
      const bool is_text = or_text && element.is_string();
      parts.push_back({element, is_text ? Texts() : path.part,
                       fmt::format("{}[{}]", path.shown, parts.size()), true});
    };
    if (value->is_object() && wrapped) {
      const auto inner = find(as_object(*value, path.shown), wrapped.texts[0]);
      if (!inner) add(*value);
      value = inner;
    }
    if (value)
      for (const Element element : as_array(*value, path.shown)) add(element);
    return parts;
  }
  return {};
}

void check_whole(Element item, const Setting& field, const Setting& wrapped) {
  if (!wrapped) return;
  for (const Path& path : field.paths) {
    const auto list = path.each ? walk(item, path.to, path.shown) : std::nullopt;
    if (!list || !list->is_object()) continue;
    simdjson::dom::array items;
    std::uint64_t all = 0;
    const Object object = as_object(*list, path.shown);
    if (object[wrapped.texts[0]].get(items) != simdjson::SUCCESS ||
        object[wrapped.texts[1]].get(all) != simdjson::SUCCESS || all <= items.size())
      continue;
    refuse(refusal::kBadValue,
           fmt::format("{}: {} of {} were taken, the file does not have the others", path.shown,
                       items.size(), all));
  }
}

std::optional<Place> place_at(const Part& part) {
  Place place{part.whole, part.whole, std::nullopt, part.path};
  for (const std::string& names : part.names) {
    const Object object = as_object(place.value, place.path);
    const Texts all = split(names, "|");
    const auto there =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return find(object, one); });
    const std::string& name = there == all.end() ? all.front() : *there;
    place.path += "." + name;
    if (&names != &part.names.back() && there == all.end()) return std::nullopt;
    place.holder = place.value;
    place.value = need(object, name, place.path);
  }
  return place;
}

Texts split(std::string_view text, std::string_view separator) {
  Texts parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + separator.size(), text.size()));
    parts.emplace_back(part);
  }
  return parts;
}

std::string as_rfc3339(std::string_view form, std::string_view text) {
  std::string time(text);
  if (form == "compact") {  // 20261201T130500Z
    if (!has_form(text, "00000000T000000Z")) return {};
    for (const std::size_t at : {13U, 11U, 6U, 4U}) time.insert(at, at > 8 ? ":" : "-");
    return time;
  }
  if (form == "date") return time.size() == 10 ? time + "T00:00:00Z" : "";  // 2026-12-01
  const std::size_t sign = time.size() < 24 ? 0 : time.size() - 5;
  if (sign == 0 || (time[sign] != '+' && time[sign] != '-')) return {};
  return time.insert(sign + 3, ":");  // "zone": 2026-12-01T13:05:00.000+0000
}

std::optional<TimeMs> time_in(const Mapping& mapping, Element item, const Setting& field) {
  const auto value = value_of(item, field);
  if (!value) return std::nullopt;
  std::optional<TimeMs> other;
  for (const std::string& form : mapping["times"].texts)
    if (!other) other = parse_rfc3339(as_rfc3339(form, as_text(*value, field.text())));
  return other && *other >= Limits::kEarliestTime ? *other : as_time(*value, field.text());
}

std::optional<std::string> skipped(const Mapping& mapping, Element item) {
  if (value_of(item, mapping["header"]) && !value_of(item, mapping["id"])) return std::nullopt;
  for (const std::string& text : mapping["skip"].texts) {
    const Texts parts = split(text, "!");
    const auto value = value_of(item, {{parts[0]}, {path_of(parts[0])}});
    if (!value || value->is_bool()) {
      if (value && value->get_bool().value() && parts.size() == 1) return "with " + text;
      continue;
    }
    if (parts.size() == 1) return "with " + text;
    const std::string_view is = as_text(*value, parts[0]);
    if (is != parts[1]) return fmt::format("of {} {}", parts[0], cut(is, kShownBytes));
  }
  const Setting& in_url = mapping["skip_url"];
  const std::string url = in_url ? origin_of(mapping, item, item).url : "";
  const std::size_t number = url.find_last_not_of("0123456789") + 1;
  for (const std::string& text : in_url.texts)
    if (number < url.size() && std::string_view(url).substr(0, number).ends_with(text))
      return fmt::format("with {} in the address", text);
  return "";
}

TimeMs unit_ms(std::string_view name) {
  return name == "seconds" ? 1000 : name == "minutes" ? 60'000 : 0;
}

bool Setting::has(std::string_view text) const { return place_in(*this, text) < texts.size(); }

std::size_t place_in(const Setting& setting, std::string_view text) {
  const Texts& texts = setting.texts;
  const auto place = std::find_if(texts.begin(), texts.end(), [&](const std::string& one) {
    if (one.find('|') == one.npos) return one == text;
    const Texts both = split(one, "|");
    return std::find(both.begin(), both.end(), text) != both.end();
  });
  return static_cast<std::size_t>(place - texts.begin());
}

Mapping read_mapping(const TrackerText& text) {
  try {
    return MappingReader(text.name).read(toml::parse(text.toml));
  } catch (const toml::parse_error& e) {
    throw BadMapping(
        fmt::format("{}.toml: line {}: {}", text.name, e.source().begin.line, e.description()));
  }
}

Mapping read_recognition(const TrackerText& text) {
  const std::string_view head = text.toml.substr(0, text.toml.find("\n\n"));
  return MappingReader(text.name).read(toml::parse(head), {});
}

const Mapping& mapping_of(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string_view, std::unique_ptr<Mapping>> read;
  const std::lock_guard lock(mutex);
  for (const TrackerText& text : tracker_texts()) {
    if (text.name != name) continue;
    auto& mapping = read[text.name];
    if (!mapping) mapping = std::make_unique<Mapping>(read_mapping(text));
    return *mapping;
  }
  throw BadMapping(fmt::format("there is no {}.toml", name));
}

}  // namespace hebb::input
