#include "skill/store/secrets.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "secrets/mask.h"
#include "secrets/names.h"

namespace hebb::skill {
namespace {

constexpr std::string_view kSlotBegin = "${SECRET:";

bool is_name_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

struct Slot {
  std::size_t from = 0, to = 0;
  std::string_view name;
};

std::optional<Slot> next_slot(std::string_view text, std::size_t at) {
  for (std::size_t from = text.find(kSlotBegin, at); from != std::string_view::npos;
       from = text.find(kSlotBegin, from + 1)) {
    std::size_t end = from + kSlotBegin.size();
    while (end < text.size() && is_name_char(text[end])) ++end;
    const std::string_view name =
        text.substr(from + kSlotBegin.size(), end - from - kSlotBegin.size());
    if (end < text.size() && text[end] == '}' && !name.empty()) return Slot{from, end + 1, name};
  }
  return std::nullopt;
}

bool only_slots(std::string_view text) {
  const auto first = next_slot(text, 0);
  return first && first->from == 0 && first->to == text.size();
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), by), at += by.size();
}

void replace_in(Json& value, std::string_view what, std::string_view by) {
  if (value.is_string()) {
    replace_all(value.get_ref<std::string&>(), what, by);
  } else if (value.is_structured()) {
    for (Json& inner : value) replace_in(inner, what, by);
  }
}

void replace_everywhere(Artifact& artifact, std::string_view what, std::string_view by) {
  for (Step& step : artifact.steps) {
    replace_in(step.args, what, by);
    replace_in(step.extra, what, by);
  }
  replace_in(artifact.extra, what, by);
}

// The name of the step's field, if it is the name of a secret.
std::optional<std::string> secret_field(const Chain& chain) {
  for (const Selector& s : chain) {
    const bool structural = s.type == SelectorType::xpath || s.type == SelectorType::css;
    const bool type = structural && s.value.find("type=\"password\"") != std::string::npos;
    if (type) return "PASSWORD";
    if (structural ? secrets::mentions_secret(s.value) : secrets::is_secret_name(s.value))
      return structural ? "PASSWORD" : slot_name(s.value);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> slot_names(std::string_view text) {
  std::vector<std::string> names;
  for (auto s = next_slot(text, 0); s; s = next_slot(text, s->to)) names.emplace_back(s->name);
  return names;
}

std::string slot(std::string_view name) { return fmt::format("{}{}}}", kSlotBegin, name); }

std::string slot_name(std::string_view field) {
  std::string name;
  for (const char c : field) {
    if (is_name_char(c)) {
      name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "VALUE" : name.substr(0, 64);
}

std::vector<std::string> hide_secrets(Artifact& artifact) {
  std::vector<std::string> hidden;
  std::vector<std::pair<std::string, std::string>> found;  // value, name
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    Step& step = artifact.steps[i];
    const auto value = step.args.find("value");
    if (step.kind != Kind::fill || value == step.args.end() || !value->is_string()) continue;
    auto& text = value->get_ref<std::string&>();
    const auto field = secret_field(step.selectors);
    const bool masked = text == secrets::kMasked;
    if ((!field && !masked) || text.empty() || only_slots(text)) continue;
    const std::string name = field.value_or("VALUE");
    if (text.size() >= SecretValues::kLeastBytes && !masked) found.emplace_back(text, name);
    text = slot(name);
    hidden.push_back(fmt::format("step {}: {}", i, name));
  }
  for (const auto& [value, name] : found) replace_everywhere(artifact, value, slot(name));
  return hidden;
}

bool hide_value(Artifact& artifact, std::size_t step, const std::string& name) {
  Json& args = artifact.steps.at(step).args;
  const auto found = args.find("value");
  if (found == args.end() || !found->is_string()) return false;
  const auto value = found->get<std::string>();
  if (value.empty() || only_slots(value)) return false;
  *found = slot(name);
  if (value.size() >= SecretValues::kLeastBytes) replace_everywhere(artifact, value, slot(name));
  return true;
}

void SecretValues::add(std::string_view name, std::string_view value) {
  given_.insert_or_assign(std::string(name), std::string(value));
}

void SecretValues::add_lines(std::string_view text) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line.remove_prefix(7);
    const std::size_t sign = line.find('=');
    const std::string_view name = line.substr(0, sign);
    const bool named = sign != std::string_view::npos && !name.empty() &&
                       std::all_of(name.begin(), name.end(), is_name_char);
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

std::string SecretValues::scrub(std::string_view text) const {
  std::string out(text);
  for (const auto& [value, name] : used_) {
    replace_all(out, value, slot(name));
    // As it is escaped in JSON.
    std::string escaped = dump(Json(value));
    escaped = escaped.substr(1, escaped.size() - 2);
    replace_all(out, escaped, slot(name));
  }
  return memory_.scrub(out, false);
}

std::vector<std::string> SecretValues::used() const {
  std::vector<std::string> out;
  for (const auto& [value, name] : used_) out.push_back(value);
  return out;
}

}  // namespace hebb::skill
