// The ids of the test cases of a JUnit report.
#include <algorithm>

#include <fmt/format.h>

#include "engine/input/junit.h"
#include "engine/values/ascii.h"

namespace hebb::input {

namespace {

constexpr std::string_view kBetween = " > ";  // as vitest has it in its names

// Names have line breaks where a parameter has; ids have none.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

// jest begins a name with a blank.
std::string trimmed(const std::string& text) { return std::string(trim(one_line(text), " ")); }

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
  std::string module = test.file.substr(0, test.file.rfind(".py"));
  std::replace(module.begin(), module.end(), '/', '.');
  const bool of_pytest = !test.suites.empty() && test.suites.back() == "pytest";
  return test.file.ends_with(".py") ? module == test.name : of_pytest && test.file.empty();
}

}  // namespace

bool is_of_fixture(const TestCase& test) {
  constexpr std::string_view kHolder = "unittest.suite._ErrorHolder";
  return test.classname == kHolder ||
         (test.classname.empty() && !test.suites.empty() && test.suites.back() == kHolder);
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
  if (test.classname.starts_with("unittest.loader.")) return name;
  if (has("Test suite failed to run"))  // of Jest: the name or the file is that of the file
    return first({test.file, name.find('/') == name.npos ? std::string_view(suite) : name});
  if (has("\" hook")) return first({suite, test.file});                                  // of mocha
  if (has("error occurred outside of examples") || has("error occurred while loading"))  // of RSpec
    return first({test.file, suite});
  if (name == "TestMain" || name.starts_with("[build failed]") ||
      name.starts_with("[setup failed]"))
    return first({suite, test.classname});  // of Go
  const bool is_class = name == test.classname && name.find('.') != name.npos &&
                        name.find(' ') == name.npos && !test.has_status;
  if (name.empty() || name == "initializationError" || name == "classMethod" || is_class)
    return first({test.classname, suite, test.file});  // of the JVM's
  return "";
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
  for (std::size_t end = test.classname.size(); end != test.classname.npos && end > 0;
       end = test.classname.rfind('.', end - 1))
    scopes.push_back(test.classname.substr(0, end));
  std::erase(scopes, "");
  return scopes;
}

std::string test_id(const TestCase& test) {
  const std::string name = trimmed(test.name);
  const std::string classname = trimmed(test.classname);
  if (says_name_twice(test)) return joined({file_in_id(test.file), one_line(test.name)});
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
    const std::string id = joined(parts);
    return id.empty() ? "test without a name" : id;
  }
  if (!has_free_names(file) || (names_file(classname, file) && !is_called_as_group(test)))
    return fmt::format("{}.{}", package_of(test, classname), name);
  return is_title(test, name, classname) ? joined({file, name}) : joined({file, classname, name});
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
