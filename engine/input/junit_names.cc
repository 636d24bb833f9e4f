// The ids of the test cases of a JUnit report.
#include <algorithm>

#include <fmt/format.h>

#include "engine/input/junit.h"
#include "engine/values/canonical_json.h"
#include "engine/values/checks.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::input {

namespace {

// jest begins a name with a blank.
std::string trimmed(const std::string& text) { return std::string(trim(text, " ")); }

bool is_absolute(std::string_view path) {
  const bool drive = path.size() > 2 && path[1] == ':' && path[2] == '/';
  return path.starts_with('/') || drive;
}

// In an id the path of another machine or folder is left out: it is another in each checkout.
std::string_view file_in_id(std::string_view file) {
  return is_absolute(file) ? file.substr(file.rfind('/') + 1) : file;
}

// In these languages the groups of tests have free names, which other files have too. Elsewhere
// they are classes or packages, whose names are their own.
bool has_free_names(std::string_view file) {
  constexpr std::string_view kEndings[] = {".js",  ".mjs", ".cjs",    ".jsx", ".ts",    ".mts",
                                           ".cts", ".tsx", ".coffee", ".vue", ".svelte"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

// Whether a class names the file by its stem: "sum" of "test/sum.test.js", as a word.
bool names_file(std::string_view classname, std::string_view file) {
  std::string_view stem = file.substr(file.rfind('/') + 1);
  stem = stem.substr(0, stem.find('.', 1));
  const auto is_word = [&](std::size_t at) {
    return at < classname.size() && (is_letter(classname[at]) || is_digit(classname[at]));
  };
  for (auto at = classname.find(stem); at != classname.npos; at = classname.find(stem, at + 1)) {
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + stem.size())) return true;
  }
  return false;
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty() && !part.empty()) text += kBetween;
    text += part;
  }
  return text;
}

// The case's file: its own, else the innermost suite that is named as one.
std::string_view file_of(const TestCase& test) {
  if (!test.file.empty()) return test.file;
  const auto named = std::find_if(test.suites.rbegin(), test.suites.rend(),
                                  [](const std::string& suite) { return has_free_names(suite); });
  return named == test.suites.rend() ? std::string_view() : std::string_view(*named);
}

// The suites that say more than the file does.
std::vector<std::string_view> groups_of(const TestCase& test, std::string_view file) {
  std::vector<std::string_view> groups;
  for (const std::string& suite : test.suites) {
    if (file.empty() || file_in_id(suite) != file_in_id(file)) groups.push_back(suite);
  }
  return groups;
}

// jest-junit writes the whole title twice; one outside of all groups begins with a blank. Where
// GoogleTest and pytest have the same name twice, it is a test named as its suite or module, and
// where mocha has, as its group.
bool says_title_twice(const TestCase& test) {
  const bool of_title = test.name.find(' ') != std::string::npos && !test.suites.empty();
  return test.classname == test.name && (of_title || test.name.starts_with(' '));
}

// A test that is named as its group, in words: those name no file.
bool is_called_as_group(const TestCase& test) {
  return test.classname == test.name && test.name.find(' ') != std::string::npos;
}

// ctest writes the name twice.
bool says_name_twice(const TestCase& test) {
  const bool is_suite = !test.suites.empty() && test.suites.back() == test.classname;
  return test.classname == test.name && test.has_status && !is_suite && !test.name.empty();
}

// mocha-junit-reporter has the whole title as a name, and its end as a classname.
bool is_title(const TestCase& test, const std::string& name, const std::string& classname) {
  const bool outside = !test.suites.empty() && test.suites.back() == "Root Suite";
  return name.ends_with(" " + classname) || (outside && name == classname);
}

// Go's reporters may write the last part of the package that the suite names.
std::string_view package_of(const TestCase& test, std::string_view classname) {
  if (test.suites.empty()) return classname;
  const std::string_view suite = test.suites.back();
  const bool ends_suite = suite.size() > classname.size() && suite.ends_with(classname) &&
                          suite[suite.size() - classname.size() - 1] == '/';
  return ends_suite ? suite : classname;
}

// pytest could not import a module: the name is the module's, and there is no class.
bool is_collection_error(const TestCase& test) {
  if (!test.classname.empty() || test.name.empty()) return false;
  if (test.message == "collection failure") return true;
  std::string module = test.file.substr(0, test.file.rfind(".py"));
  std::replace(module.begin(), module.end(), '/', '.');
  const bool of_pytest = !test.suites.empty() && test.suites.back() == "pytest";
  return test.file.ends_with(".py") ? module == test.name : of_pytest && test.file.empty();
}

}  // namespace

std::string clean(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const auto [c, bytes, is_valid] = first_character(text);
    const bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    clean += !is_valid ? utf8_of(kReplacement) : is_control ? " " : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return clean;
}

std::string as_id(std::string text) {
  if (text.size() <= Limits::kIdBytes) return text;
  const std::string end = "~" + content_hash(text).substr(0, 16);
  text.resize(cut(text, Limits::kIdBytes - end.size()).size());
  return text + end;
}

bool is_of_fixture(const TestCase& test) {
  constexpr std::string_view kHolder = "unittest.suite._ErrorHolder";
  constexpr std::string_view kNames[] = {"setUpClass (", "tearDownClass (", "setUpModule (",
                                         "tearDownModule ("};
  return test.classname == kHolder ||
         (test.classname.empty() && !test.suites.empty() && test.suites.back() == kHolder) ||
         std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
           return test.name.starts_with(name) && test.name.ends_with(')');
         });
}

std::string scope_of_setup(const TestCase& test) {
  const std::string& name = test.name;
  const std::string suite = test.suites.empty() ? test.suite : test.suites.back();
  const auto has = [&](std::string_view words) {
    return name.find(words) != name.npos || test.classname.find(words) != test.classname.npos;
  };
  const auto first = [](std::initializer_list<std::string_view> all) {
    const auto found =
        std::find_if(all.begin(), all.end(), [](auto text) { return !text.empty(); });
    return found == all.end() ? std::string() : std::string(*found);
  };
  if (is_collection_error(test)) return name;
  if (is_of_fixture(test)) {  // "setUpClass (tests.test_a.TestX)"
    const std::size_t open = name.find('(');
    return open == name.npos ? name : name.substr(open + 1, name.find(')') - open - 1);
  }
  if (test.classname.starts_with("unittest.loader.") || test.classname.starts_with("nose2.loader."))
    return name;
  if (has("Test suite failed to run") ||
      has("Test execution failure: could be caused by test hooks"))
    return first(
        {test.file, name.find('/') == name.npos ? std::string_view(suite) : name});  // Jest
  constexpr std::string_view kHooks[] = {"\"before all\" hook", "\"before each\" hook",
                                         "\"after all\" hook", "\"after each\" hook"};
  if (std::any_of(std::begin(kHooks), std::end(kHooks), has))  // of mocha
    return first({test.file, suite});
  if (has("error occurred outside of examples") ||  // of RSpec
      has("error occurred while loading") ||
      has("uncaught error was detected outside of a test"))  // of Cypress
    return first({test.file, suite});
  if (test.classname == "pytest" && name == "internal") return suite;
  const bool is_of_go = !test.has_status && (test.classname.find('/') != test.classname.npos ||
                                             test.classname.find('.') == test.classname.npos);
  if ((name == "TestMain" && is_of_go) || name.starts_with("[build failed]") ||
      name.starts_with("[setup failed]") || (name == "Failure" && test.message == "Runtime error"))
    return first({suite, test.classname});
  if (name == "(It is not a test it is a sbt.testing.SuiteSelector)")
    return first({test.classname, suite});
  if (test.classname == "test" && !test.file.empty() &&
      (name == test.file || name.ends_with("/" + test.file)))
    return test.file;  // of node: the file itself
  const bool is_class = name == test.classname && name == suite && name.find('.') != name.npos &&
                        name.find(' ') == name.npos && !test.has_status;
  constexpr std::string_view kOfJvm[] = {"", "initializationError", "classMethod"};
  const bool is_execution =
      name == "executionError" && !test.has_status && !test.file.ends_with(".py");
  if (is_class || is_execution ||
      std::find(std::begin(kOfJvm), std::end(kOfJvm), name) != std::end(kOfJvm))
    return first({test.classname, suite, test.file});
  return "";
}

std::string scope_of_group(const TestCase& test, std::string_view group) {
  if (!has_free_names(test.classname)) return "";
  return fmt::format("{}{}{}", test.classname, kBetween, group);
}

std::vector<std::string> scopes_of(const TestCase& test) {
  std::vector<std::string> scopes = test.suites;
  scopes.push_back(test.suite);
  scopes.push_back(test.file);
  if (test.file.ends_with(".py")) {
    std::string module = test.file.substr(0, test.file.size() - 3);
    std::replace(module.begin(), module.end(), '/', '.');
    scopes.push_back(std::move(module));
  }
  // A text longer than an id is no scope.
  for (std::size_t end = test.classname.size(); end != test.classname.npos && end > 0;
       end = test.classname.find_last_of(".$", end - 1))
    if (end <= Limits::kIdBytes) scopes.push_back(test.classname.substr(0, end));
  for (std::size_t end = test.name.find(kBetween); end < Limits::kIdBytes;
       end = test.name.find(kBetween, end + 1))
    scopes.push_back(scope_of_group(test, std::string_view(test.name).substr(0, end)));
  std::erase(scopes, "");
  return scopes;
}

namespace {

// test_id() before it is limited to the length of an id.
std::string long_test_id(const TestCase& test) {
  const std::string name = trimmed(test.name);
  const std::string classname = trimmed(test.classname);
  if (says_name_twice(test)) return joined({file_in_id(test.file), test.name});
  if (is_collection_error(test) || (is_of_fixture(test) && !name.empty())) return name;
  const std::string_view path = file_of(test), file = file_in_id(path);
  if (says_title_twice(test)) return joined({file, name});
  std::vector<std::string_view> parts{file};
  // node writes "test" for every test.
  if (classname.empty() || classname == "test") {
    const auto groups = groups_of(test, path);
    parts.insert(parts.end(), groups.begin(), groups.end());
    // Bazel names the target twice.
    const bool named = !groups.empty() && groups.back() == name && name.starts_with("//");
    if (!named) parts.push_back(name);
    return joined(parts);
  }
  if (!has_free_names(file) || (names_file(classname, file) && !is_called_as_group(test)))
    return fmt::format("{}.{}", package_of(test, classname), name);
  return is_title(test, name, classname) ? joined({file, name}) : joined({file, classname, name});
}

}  // namespace

std::string test_id(const TestCase& test) {
  std::string id = long_test_id(test);
  if (trim(id, " ").empty()) id = "test without a name";
  return as_id(std::move(id));
}

std::string test_id_of_0_2_0(const TestCase& test) {
  const std::string name = trimmed(test.name);
  const std::string classname = trimmed(test.classname);
  const std::string_view file = file_in_id(test.file);
  const auto unlike = [](std::vector<std::string_view> parts) {
    std::erase(parts, std::string_view());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return joined(parts);
  };
  if (classname.empty() || classname == "test") {
    std::vector<std::string_view> parts{file};
    parts.insert(parts.end(), test.suites.begin(), test.suites.end());
    parts.push_back(name);
    return unlike(std::move(parts));
  }
  const bool of_title = test.classname == test.name && test.name.find(' ') != std::string::npos;
  if (says_name_twice(test) || of_title) return unlike({file, name});
  if (!has_free_names(file) || names_file(classname, file))
    return fmt::format("{}.{}", package_of(test, classname), name);
  return name.ends_with(" " + classname) ? unlike({file, name}) : unlike({file, classname, name});
}

std::string shown_file(std::string_view path, std::string_view root) {
  std::string file(path);
  std::replace(file.begin(), file.end(), '\\', '/');
  while (file.starts_with("./")) file.erase(0, 2);
  std::string folder(root);
  if (!folder.ends_with('/')) folder += '/';
  if (!root.empty() && file.size() > folder.size() && file.starts_with(folder))
    file.erase(0, folder.size());
  return file;
}

std::string suite_name(std::string_view name) {
  constexpr std::size_t kDigits = 14;  // 20261124030952
  if (name.size() <= kDigits + 1) return std::string(name);
  const std::string_view end = name.substr(name.size() - kDigits);
  const bool time = name[name.size() - kDigits - 1] == '-' && end.starts_with("20") &&
                    std::all_of(end.begin(), end.end(), is_digit);
  return std::string(time ? name.substr(0, name.size() - kDigits - 1) : name);
}

}  // namespace hebb::input
