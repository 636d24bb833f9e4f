#include "api/selectors.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "text/ascii.h"

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

std::vector<std::string> split(const std::string& dotted) {
  std::vector<std::string> parts(1);
  for (const char c : dotted) {
    if (c == '.') parts.emplace_back();
    if (c != '.') parts.back() += c;
  }
  return parts;
}

// The location of a Python test: the file, and how many parts of the classname name it.
struct Module {
  std::string file;
  std::size_t parts = 0;
};

// The file below the folder that the parts from `at` on begin with. Names of folders and files may
// have dots. Looks only into existing folders.
std::optional<Module> module_on_disk(const std::vector<std::string>& parts, std::size_t at,
                                     const std::string& folder) {
  std::error_code ignored;
  std::string path = folder;
  for (std::size_t next = at + 1; next <= parts.size(); ++next) {
    path += (next > at + 1 ? "." : "") + parts[next - 1];
    if (std::filesystem::is_regular_file(path + ".py", ignored)) return Module{path + ".py", next};
    if (next == parts.size() || !std::filesystem::is_directory(path, ignored)) continue;
    if (auto found = module_on_disk(parts, next, path + "/")) return found;
  }
  return std::nullopt;
}

bool begins_with_capital(const std::string& part) {
  return !part.empty() && part[0] >= 'A' && part[0] <= 'Z';
}

// The location by the naming rules of Python's packages and pytest's files. After a part that is no
// name, such as the 2 of a folder v1.2, it is unknown where the folders end.
std::optional<Module> module_by_name(const std::vector<std::string>& parts) {
  std::size_t taken = 0;
  while (taken < parts.size() && !begins_with_capital(parts[taken])) {
    const std::string& part = parts[taken++];
    if (is_digit(part[0])) return std::nullopt;
    const bool is_file = part.starts_with("test_") || part.ends_with("_test");
    const bool more = taken < parts.size() &&
                      (parts[taken].starts_with("test_") || parts[taken].ends_with("_test"));
    if (is_file && !more) break;
  }
  if (taken == 0) return std::nullopt;
  Module module{"", taken};
  for (std::size_t i = 0; i < taken; ++i) module.file += (i > 0 ? "/" : "") + parts[i];
  module.file += ".py";
  return module;
}

// The location by the file in the report. The classname may be relative to another folder.
Module module_of_file(const Parts& parts, const std::vector<std::string>& names) {
  std::string dotted = parts.file.substr(0, parts.file.rfind(".py"));
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  if (parts.classname == dotted || parts.classname.starts_with(dotted + "."))
    return {parts.file, split(dotted).size()};
  const auto by_name = module_by_name(names);
  return {parts.file, by_name ? by_name->parts : 0};
}

// Whether a dotted name may be one of Python's modules. vitest reports paths of files instead.
bool is_module(std::string_view text) {
  const bool empty_part =
      text.empty() || text.front() == '.' || text.back() == '.' || text.find("..") != text.npos;
  return !empty_part && text.find_first_of("/\\:<>\"|*? ()[]") == text.npos;
}

// "test_one[1 2]", or "module.function" of a doctest.
bool is_function(std::string_view name) {
  const std::string_view plain = name.substr(0, name.find('['));
  return !plain.empty() && plain.find_first_of(" /\\:<>\"|*?()") == plain.npos;
}

// unittest names a subtest after its test: "test_one (i=2)", "test_one [text]"; and what failed for
// a class or module as a whole "setUpClass (tests.test_a.TestX)".
void take_whole_test(Parts& parts) {
  const std::size_t blank = parts.name.find(' ');
  const bool is_subtest = blank != parts.name.npos && parts.name.find('[') > blank &&
                          blank + 1 < parts.name.size() &&
                          (parts.name[blank + 1] == '(' || parts.name[blank + 1] == '[');
  if (!is_subtest) return;
  const bool of_fixture = parts.name.starts_with("setUp") || parts.name.starts_with("tearDown");
  const bool of_none = parts.classname.empty() || parts.classname == "unittest.suite._ErrorHolder";
  if (of_fixture && of_none && parts.name.ends_with(')')) {
    parts.classname = parts.name.substr(blank + 2, parts.name.size() - blank - 3);
    parts.name.clear();
  } else {
    parts.name.resize(blank);
  }
}

// Reports come from others: pytest takes an argument that begins with "-" for an option.
std::string no_option(std::string selector) {
  return selector.starts_with('-') ? "./" + selector : selector;
}

// Whether a report names a file of a language that these runners do not run.
bool is_of_script(const std::string& file) {
  constexpr std::string_view kEndings[] = {".py",  ".js",  ".mjs", ".cjs", ".jsx",  ".ts", ".mts",
                                           ".cts", ".tsx", ".php", ".rb",  ".java", ".kt", ".go"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

bool is_gtest_name(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot != 0 && dot != name.npos && dot + 1 != name.size() && dot == name.rfind('.') &&
         !has_control(name) && name.find(' ') == name.npos;
}

}  // namespace

std::optional<std::string> gtest_selector(const std::string& id, const std::string& properties) {
  const Parts parts = parts_of(id, properties);
  std::string name = parts.classname + "." + parts.name;
  if (is_of_script(parts.file) || !is_gtest_name(name)) return std::nullopt;
  constexpr std::string_view kSyntax = ":-*?";
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return kSyntax.find(c) != kSyntax.npos; }, '?');
  return name;
}

std::optional<std::string> ctest_selector(const std::string& id, const std::string& properties) {
  if (has_control(id)) return std::nullopt;
  if (properties.find("\"name\"") == properties.npos) return id;  // of a test that has not run
  const Parts parts = parts_of(id, properties);
  if (is_of_script(parts.file)) return std::nullopt;
  if (parts.classname == parts.name) return parts.name;
  const std::string name = parts.classname + "." + parts.name;
  return is_gtest_name(name) ? std::optional(name) : std::nullopt;
}

std::optional<std::string> pytest_selector(const std::string& id, const std::string& properties) {
  Parts parts = parts_of(id, properties);
  // Where the class does not locate a test, its id is made differently: see engine/input/junit.h.
  const bool named_so =
      id.ends_with(parts.classname.empty() ? parts.name : parts.classname + "." + parts.name);
  take_whole_test(parts);
  if (!parts.file.empty() && !parts.file.ends_with(".py")) return std::nullopt;
  const bool of_module = parts.classname.empty();  // or of a class: see take_whole_test()
  if (of_module) std::swap(parts.classname, parts.name);
  if (!parts.name.empty() && !is_function(parts.name)) return std::nullopt;
  if (!is_module(parts.classname) || (parts.file.empty() && !named_so)) return std::nullopt;
  const std::vector<std::string> names = split(parts.classname);
  auto module = parts.file.empty() ? module_on_disk(names, 0, "") : module_of_file(parts, names);
  if (!module && parts.file.empty()) module = module_by_name(names);
  // A name alone may belong to a test of any runner.
  if (!module || (of_module && (module->parts != names.size() || names.size() < 2)))
    return std::nullopt;
  std::string selector = module->file;
  for (std::size_t i = module->parts; i < names.size(); ++i) selector += "::" + names[i];
  if (!parts.name.empty()) selector += "::" + parts.name;
  return no_option(selector);
}

}  // namespace hebb::api
