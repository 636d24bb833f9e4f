// The selectors of tests of Python.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "api/selector_parts.h"
#include "text/ascii.h"

namespace hebb::api {

namespace {

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

// The file's name as a class begins with it: "tests.test_a".
std::string dotted_file(const TestParts& parts) {
  std::string dotted = parts.file.substr(0, parts.file.rfind(".py"));
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

bool begins_with_file(const TestParts& parts) {
  const std::string dotted = dotted_file(parts);
  return parts.classname == dotted || parts.classname.starts_with(dotted + ".");
}

// The location by the file in the report. The classname may be relative to another folder.
Module module_of_file(const TestParts& parts, const std::vector<std::string>& names) {
  if (begins_with_file(parts)) return {parts.file, split(dotted_file(parts)).size()};
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
// a class or module as a whole "setUpClass (tests.test_a.TestX)"; and a module that it could not
// import "unittest.loader._FailedTest.tests.test_a".
void take_whole_test(TestParts& parts) {
  constexpr std::string_view kNotImported = "unittest.loader._FailedTest.";
  const std::string whole = parts.classname + "." + parts.name;
  if (whole.starts_with(kNotImported)) parts = {"", whole.substr(kNotImported.size()), "", true};
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

// Where a test is. `module` is nullopt if nothing says so.
std::optional<Module> module_of(const TestParts& parts, const std::vector<std::string>& names) {
  if (!parts.file.empty()) return module_of_file(parts, names);
  const auto module = module_on_disk(names, 0, "");
  return module ? module : module_by_name(names);
}

bool is_identifier(std::string_view part) {
  return !part.empty() && !is_digit(part[0]) && std::all_of(part.begin(), part.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  });
}

}  // namespace

Selector pytest_selector(const std::string& id, const std::string& properties) {
  TestParts parts = parts_of(id, properties);
  const bool is_selector = id.ends_with(".py") || id.find(".py::") != id.npos;
  if (!parts.is_reported && is_selector && !has_control(id)) return {no_option(id), ""};
  // Where the class does not locate a test, its id is made differently: see engine/input/junit.h.
  const bool named_so =
      id.ends_with(parts.classname.empty() ? parts.name : parts.classname + "." + parts.name);
  take_whole_test(parts);
  if (!parts.file.empty() && !parts.file.ends_with(".py"))
    return no_selector("its file is not of Python");
  const bool of_module = parts.classname.empty();  // or of a class: see take_whole_test()
  if (of_module) std::swap(parts.classname, parts.name);
  if (!parts.name.empty() && !is_function(parts.name))
    return no_selector("its name is no function's");
  const bool is_located = !parts.file.empty() && begins_with_file(parts);
  if (!(is_located || is_module(parts.classname)) || (parts.file.empty() && !named_so))
    return no_selector("its class is no module of Python");
  const std::vector<std::string> names = split(parts.classname);
  const auto module = module_of(parts, names);
  // A name alone may belong to a test of any runner.
  if (!module || (of_module && (module->parts != names.size() || names.size() < 2)))
    return no_selector(
        "nothing says which part of its name is its file: report with -o junit_family=xunit1");
  std::string selector = module->file;
  for (std::size_t i = module->parts; i < names.size(); ++i) selector += "::" + names[i];
  if (!parts.name.empty()) selector += "::" + parts.name;
  return {no_option(selector), ""};
}

Selector unittest_selector(const std::string& id, const std::string& properties) {
  TestParts parts = parts_of(id, properties);
  take_whole_test(parts);
  if (!parts.file.empty() && !parts.file.ends_with(".py"))
    return no_selector("its file is not of Python");
  const bool of_module = parts.classname.empty() || parts.name.empty();
  const std::string dotted = parts.classname + (of_module ? "" : ".") + parts.name;
  const std::vector<std::string> names = split(dotted);
  if (!std::all_of(names.begin(), names.end(), is_identifier) || names.size() < 2)
    return no_selector("its name is not of the form module.Class.test");
  const auto classes = std::span(names).first(names.size() - (of_module ? 0 : 1));
  const auto module = module_of(parts, {classes.begin(), classes.end()});
  if (!module || (!of_module && module->parts >= classes.size()))
    return no_selector("it is in no class, and unittest runs methods of classes");
  return {dotted, ""};
}

}  // namespace hebb::api
