#include "skill/store/secrets.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "secrets/find.h"
#include "secrets/mask.h"
#include "secrets/names.h"
#include "text/ascii.h"

namespace hebb::skill {
namespace {

constexpr std::string_view kSlotBegin = "${SECRET:";
constexpr std::string_view kUnnamed = "VALUE";

struct Slot {
  std::size_t from = 0, to = 0;
  std::string_view name;
};

std::optional<Slot> next_slot(std::string_view text, std::size_t at) {
  for (std::size_t from = text.find(kSlotBegin, at); from != std::string_view::npos;
       from = text.find(kSlotBegin, from + 1)) {
    std::size_t end = from + kSlotBegin.size();
    while (end < text.size() && is_word_char(text[end])) ++end;
    const std::string_view name =
        text.substr(from + kSlotBegin.size(), end - from - kSlotBegin.size());
    if (end < text.size() && text[end] == '}' && !name.empty()) return Slot{from, end + 1, name};
  }
  return std::nullopt;
}

bool meets_slot(std::string_view text, std::size_t from, std::size_t to) {
  for (auto s = next_slot(text, 0); s && s->from < to; s = next_slot(text, s->to)) {
    if (s->to > from) return true;
  }
  return false;
}

bool only_slots(std::string_view text) {
  const auto first = next_slot(text, 0);
  return first && first->from == 0 && first->to == text.size();
}

void replace_outside_slots(std::string& text, std::string_view what, std::string_view by) {
  if (text.find(what) == std::string::npos) return;
  std::string out;
  std::size_t done = 0;
  for (auto slot = next_slot(text, 0); done < text.size(); slot = next_slot(text, done)) {
    const std::string_view before =
        std::string_view(text).substr(0, slot ? slot->from : text.size());
    for (std::size_t at = before.find(what, done); at != std::string_view::npos;
         at = before.find(what, done)) {
      out.append(text, done, at - done);
      out += by;
      done = at + what.size();
    }
    const std::size_t next = slot ? slot->to : text.size();
    out.append(text, done, next - done);
    done = next;
  }
  text = std::move(out);
}

void replace_in(Json& value, std::string_view what, std::string_view by) {
  if (value.is_string()) {
    replace_outside_slots(value.get_ref<std::string&>(), what, by);
  } else if (value.is_structured()) {
    for (Json& inner : value) replace_in(inner, what, by);
  }
}

void replace_in(Chain& chain, std::string_view what, std::string_view by) {
  for (Selector& s : chain) {
    replace_outside_slots(s.value, what, by);
    replace_outside_slots(s.has_text, what, by);
    replace_in(s.within, what, by);
  }
}

// In all texts of a step; not in words of the format, such as a selector's type.
void replace_everywhere(Artifact& artifact, std::string_view what, std::string_view by) {
  for (Step& step : artifact.steps) {
    for (Chain* chain : {&step.selectors, &step.to, &step.focus}) replace_in(*chain, what, by);
    for (Chain& frame : step.frames) replace_in(frame, what, by);
    for (auto& [key, value] : step.args.items()) {
      if (key != "button") replace_in(value, what, by);
    }
    replace_in(step.extra, what, by);
  }
  replace_in(artifact.extra, what, by);
}

// The name of a slot for the content of a field, if the field's name is that of a secret.
std::optional<std::string> secret_field(const Chain& chain) {
  for (const Selector& s : chain) {
    const bool structural = s.type == SelectorType::xpath || s.type == SelectorType::css;
    const bool type = structural && s.value.find("type=\"password\"") != std::string::npos;
    if (type) return "PASSWORD";
    if (structural ? secrets::mentions_secret(s.value) : secrets::is_secret_name(s.value))
      return structural || !secrets::find_secrets(s.value).spans.empty() ? "PASSWORD"
                                                                         : slot_name(s.value);
  }
  return std::nullopt;
}

// The name of a slot for a field: by its visible name, else by another; none that has a secret in
// it.
std::string field_name(const Chain& chain) {
  const auto named = [](const Selector& s) {
    return s.type != SelectorType::node_ref && !s.value.empty() &&
           secrets::find_secrets(s.value).spans.empty();
  };
  const auto shown = std::find_if(chain.begin(), chain.end(), [&](const Selector& s) {
    return named(s) && !is_structural(s.type);
  });
  if (shown != chain.end()) return slot_name(shown->value);
  const auto any = std::find_if(chain.begin(), chain.end(), named);
  return any == chain.end() ? std::string(kUnnamed) : slot_name(any->value);
}

// The parameter of an address, or the variable, whose value begins at `at`.
std::string name_before(std::string_view text, std::size_t at, std::string_view otherwise) {
  if (at == 0 || text[at - 1] != '=') return std::string(otherwise);
  std::size_t from = at - 1;
  while (from > 0 && (is_word_char(text[from - 1]) || text[from - 1] == '-')) --from;
  return from == at - 1 ? std::string(otherwise) : slot_name(text.substr(from, at - 1 - from));
}

// Whether the value is a secret in any place.
bool is_secret_alone(std::string_view value) {
  const auto spans = secrets::find_secrets(value).spans;
  return spans.size() == 1 && spans.front().from == 0 && spans.front().to == value.size();
}

}  // namespace

SecretSlots::SecretSlots(std::string_view kept) {
  for (std::string& name : slot_names(kept)) taken_.insert(std::move(name));
}

std::string SecretSlots::new_name(const std::string& name) {
  std::string own = free_name(name, taken_);
  taken_.insert(own);
  last_.push_back(own);
  return own;
}

std::string SecretSlots::name_of(const std::string& value, const std::string& name) {
  const auto known = names_.find(value);
  return known != names_.end() ? known->second : names_[value] = new_name(name);
}

// Only the name of a masked value is known.
std::string SecretSlots::masked_name(const std::string& name) {
  const auto known = masked_.find(name);
  return known != masked_.end() ? known->second : masked_[name] = new_name(name);
}

std::string SecretSlots::text(std::string_view text, std::string_view name, bool selects) {
  std::string out;
  std::size_t at = 0;
  for (const auto& [from, to, sure] : secrets::find_secrets(text).spans) {
    const std::string value(text.substr(from, to - from));
    const bool any = !selects || text.find("://") != std::string_view::npos;
    if (meets_slot(text, from, to) || value.size() < SecretValues::kLeastBytes) continue;
    if (value.find(secrets::kMasked) != std::string::npos) continue;
    if (!any && !is_secret_alone(value)) continue;
    out += text.substr(at, from - at);
    out += slot(name_of(value, name_before(text, from, name)));
    at = to;
  }
  out += text.substr(at);
  // A value that was masked before is unknown.
  for (at = out.find(secrets::kMasked); at != std::string::npos; at = out.find(secrets::kMasked))
    out.replace(at, secrets::kMasked.size(), slot(masked_name(name_before(out, at, name))));
  return out;
}

void SecretSlots::json(Json& value, std::string_view name, bool selects) {
  if (value.is_string()) {
    value = text(value.get_ref<const std::string&>(), name, selects);
  } else if (value.is_array()) {
    for (Json& inner : value) json(inner, name, selects);
  } else if (value.is_object()) {
    for (auto& [key, inner] : value.items()) {
      const bool chain = key == "selectors" || key == "frames" || key == "to" || key == "focus";
      json(inner, key == "extra" ? kUnnamed : name, selects || chain);
    }
  }
}

std::vector<std::string> SecretSlots::step(Step& step) {
  last_.clear();
  Json json = write_step(step);
  const Json before = json;
  this->json(json, field_name(step.selectors), false);
  if (json != before) step = read_step(json, "step");
  return std::exchange(last_, {});
}

std::vector<std::string> slot_names(std::string_view text) {
  std::vector<std::string> names;
  for (auto s = next_slot(text, 0); s; s = next_slot(text, s->to)) names.emplace_back(s->name);
  return names;
}

std::string slot(std::string_view name) { return fmt::format("{}{}}}", kSlotBegin, name); }

std::string slot_name(std::string_view field) {
  std::string name;
  for (const char c : field) {
    if (is_word_char(c)) {
      name += is_lower(c) ? static_cast<char>(c - 32) : c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "VALUE" : name.substr(0, 64);
}

std::string free_name(const std::string& name, const std::set<std::string>& taken) {
  std::string own = name;
  for (int i = 2; taken.contains(own); ++i) own = fmt::format("{}_{}", name, i);
  return own;
}

std::vector<std::string> hide_secrets(Artifact& artifact) {
  SecretSlots slots(dump(write_artifact(artifact)));
  return slots.artifact(artifact);
}

std::optional<std::string> SecretSlots::typed(const Chain& field, std::string& text) {
  auto name = secret_field(field);
  if (!name || text.empty() || only_slots(text)) return std::nullopt;
  name = text == secrets::kMasked ? masked_name(*name) : name_of(text, *name);
  text = slot(*name);
  return name;
}

std::vector<std::string> SecretSlots::artifact(Artifact& artifact) {
  std::vector<std::string> hidden;
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    Step& step = artifact.steps[i];
    std::vector<std::string> names;
    const auto value = step.args.find("value");
    if (step.kind == StepKind::fill && value != step.args.end() && value->is_string()) {
      if (auto name = typed(step.selectors, value->get_ref<std::string&>()))
        names.push_back(*std::move(name));
    }
    for (std::string& name : this->step(step)) names.push_back(std::move(name));
    for (const std::string& name : names) hidden.push_back(fmt::format("step {}: {}", i, name));
  }
  json(artifact.extra, kUnnamed, false);
  for (const auto& [value, name] : names_) {
    if (value.size() >= SecretValues::kLeastBytes) replace_everywhere(artifact, value, slot(name));
  }
  return hidden;
}

std::optional<std::string> hide_value(Artifact& artifact, std::size_t step,
                                      const std::string& name) {
  Json& args = artifact.steps.at(step).args;
  const auto found = args.find("value");
  if (found == args.end() || !found->is_string()) return std::nullopt;
  const auto value = found->get<std::string>();
  if (value.empty() || only_slots(value)) return std::nullopt;
  const auto taken = slot_names(dump(write_artifact(artifact)));
  std::string own = free_name(name, {taken.begin(), taken.end()});
  *found = slot(own);
  if (value.size() >= SecretValues::kLeastBytes) replace_everywhere(artifact, value, slot(own));
  return own;
}

void SecretValues::add(std::string_view name, std::string_view value) {
  given_.insert_or_assign(std::string(name), std::string(value));
}

void SecretValues::add_lines(std::string_view text) {
  int number = 0;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line.remove_prefix(7);
    const std::size_t sign = line.find('=');
    const std::string_view name = line.substr(0, sign);
    const bool named = sign != std::string_view::npos && !name.empty() &&
                       std::all_of(name.begin(), name.end(), is_word_char);
    if (!named) invalid("secrets", fmt::format("line {} is not NAME=VALUE", number));
    std::string_view value = line.substr(sign + 1);
    const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                        value.back() == value.front();
    add(name, quoted ? value.substr(1, value.size() - 2) : value);
  }
}

std::optional<std::string> SecretValues::find(const std::string& name) const {
  if (const auto given = given_.find(name); given != given_.end()) return given->second;
  if (const char* value = std::getenv(("HEBB_SECRET_" + name).c_str())) return value;
  return std::nullopt;
}

std::string SecretValues::fill(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (auto s = next_slot(text, 0); s; s = next_slot(text, at)) {
    const std::string name(s->name);
    const auto value = find(name);
    if (!value) {
      invalid(slot(name), fmt::format("has no value; set HEBB_SECRET_{} or give it by "
                                      "--secrets-fd",
                                      name));
    }
    if (value->size() < kLeastBytes) {
      invalid(slot(name), fmt::format("is shorter than {} bytes; it could not be kept out of "
                                      "evidence",
                                      kLeastBytes));
    }
    used_.emplace(*value, name);
    memory_.remember(*value, secrets::Origin::configured);
    out += text.substr(at, s->from - at);
    out += *value;
    at = s->to;
  }
  out += text.substr(at);
  return out;
}

std::string SecretValues::scrub(std::string_view text, bool cut) const {
  std::string out(text);
  for (const auto& [value, name] : used_) {
    replace_outside_slots(out, value, slot(name));
    // The value as escaped in JSON.
    std::string escaped = dump(Json(value));
    escaped = escaped.substr(1, escaped.size() - 2);
    replace_outside_slots(out, escaped, slot(name));
  }
  out = memory_.scrub(out, cut);
  // Also secrets that the page itself shows.
  const auto spans = secrets::find_secrets(out).spans;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    if (!meets_slot(out, span->from, span->to))
      out.replace(span->from, span->to - span->from, secrets::kMasked);
  }
  return out;
}

void SecretValues::fill(Chain& chain) {
  for (Selector& s : chain) {
    s.value = fill(s.value);
    s.has_text = fill(s.has_text);
    fill(s.within);
  }
}

void SecretValues::fill_selectors(Step& step) {
  fill(step.selectors);
  fill(step.to);
  fill(step.focus);
  for (Chain& frame : step.frames) fill(frame);
}

}  // namespace hebb::skill
