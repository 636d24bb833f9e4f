#include "api/selectors.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hebb::api {

namespace {

struct Parts {
  std::string classname, name, file;
};

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Parts parts_of(const std::string& id, const std::string& properties) {
  Parts parts;
  const auto json = nlohmann::json::parse(properties, nullptr, false);
  const auto text = [&](const char* key) {
    const bool there = json.is_object() && json.contains(key) && json[key].is_string();
    return there ? json[key].get<std::string>() : std::string();
  };
  parts = {text("classname"), text("name"), text("file")};
  // A line break would make two arguments of one.
  const bool lines =
      has_control(parts.classname) || has_control(parts.name) || has_control(parts.file);
  if (!parts.name.empty() && !lines) return parts;
  // A parameter, in brackets at the end, may hold dots.
  const std::size_t dot = id.rfind('.', id.find('['));
  if (dot == std::string::npos) return {"", id, ""};
  return {id.substr(0, dot), id.substr(dot + 1), ""};
}

// The parts of a dotted name, joined by `by`.
std::string joined(std::string text, const std::string& by) {
  for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + by.size()))
    text.replace(dot, 1, by);
  return text;
}

// Where in a classname the classes begin: at its end if there are none.
std::size_t classes_begin(const Parts& parts) {
  if (!parts.file.empty()) {
    std::string module = parts.file.substr(0, parts.file.rfind(".py"));
    std::replace(module.begin(), module.end(), '/', '.');
    if (parts.classname == module) return parts.classname.size();
    if (parts.classname.starts_with(module + ".")) return module.size();
  }
  for (std::size_t at = 0; at < parts.classname.size();) {
    if (parts.classname[at] >= 'A' && parts.classname[at] <= 'Z') return at == 0 ? 0 : at - 1;
    const std::size_t dot = parts.classname.find('.', at);
    if (dot == std::string::npos) break;
    at = dot + 1;
  }
  return parts.classname.size();
}

// Whether a dotted name may be a path of Python's modules. vitest has paths of files there.
bool is_module(std::string_view text) {
  const bool empty_part =
      text.empty() || text.front() == '.' || text.back() == '.' || text.find("..") != text.npos;
  return !empty_part && text.find_first_of("/\\:<>\"|*?") == text.npos;
}

// "test_one[1 2]", or "module.function" of a doctest.
bool is_function(std::string_view name) {
  const std::string_view plain = name.substr(0, name.find('['));
  return !plain.empty() && plain.find_first_of(" /\\:<>\"|*?()") == plain.npos;
}

// Reports come from others: pytest takes an argument that begins with "-" for an option.
std::string no_option(std::string selector) {
  return selector.starts_with('-') ? "./" + selector : selector;
}

}  // namespace

std::optional<std::string> gtest_selector(std::string id) {
  const std::size_t dot = id.find('.');
  const bool two_names = dot != 0 && dot != id.npos && dot + 1 != id.size() && dot == id.rfind('.');
  if (!two_names || has_control(id) || id.find(' ') != id.npos) return std::nullopt;
  constexpr std::string_view kSyntax = ":-*?";
  std::replace_if(
      id.begin(), id.end(), [&](char c) { return kSyntax.find(c) != kSyntax.npos; }, '?');
  return id;
}

std::optional<std::string> ctest_selector(const std::string& id) {
  if (has_control(id)) return std::nullopt;
  return id;
}

std::optional<std::string> pytest_selector(const std::string& id, const std::string& properties) {
  const Parts parts = parts_of(id, properties);
  const bool other_file = !parts.file.empty() && !parts.file.ends_with(".py");
  if (other_file || parts.classname.empty()) return std::nullopt;
  const std::size_t at = classes_begin(parts);
  const bool named_so = is_module(parts.classname.substr(0, at)) && is_function(parts.name);
  if (parts.file.empty() && (!named_so || id != parts.classname + "." + parts.name))
    return std::nullopt;
  std::string file = parts.file;
  if (file.empty()) file = joined(parts.classname.substr(0, at), "/") + ".py";
  std::string classes;
  if (at < parts.classname.size()) {
    classes = joined(parts.classname.substr(at == 0 ? 0 : at + 1), "::") + "::";
  }
  return no_option(file + "::" + classes + parts.name);
}

}  // namespace hebb::api
