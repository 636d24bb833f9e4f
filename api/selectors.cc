#include "api/selectors.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/selector_parts.h"
#include "text/ascii.h"

namespace hebb::api {

namespace {

// ctest compiles each alternative, and the text after each special character, separately, and its
// pattern must stay short; Linux limits the length of an argument.
constexpr std::size_t kCtestPattern = 60'000, kArgument = 130'000;

constexpr Runner kRunners[] = {
    {.name = "pytest",
     .select = pytest_selector,
     .between = "\n",
     .tried = "7.2",
     .report = "-o junit_family=xunit1 --junitxml=FILE",
     .unit = "test, in order",
     .run = "… | xargs -d '\\n' pytest",
     .skip = "… | sed 's/^/--deselect=/' | xargs -d '\\n' pytest"},
    {.name = "unittest",
     .select = unittest_selector,
     .between = "\n",
     .tried = "3.11",
     .report = "python3 -m xmlrunner -o FOLDER",
     .unit = "test, in order",
     .run = "… | xargs -d '\\n' python3 -m unittest"},
    {.name = "vitest",
     .select = file_selector,
     .between = "\n",
     .tried = "5",
     .report = "--reporter=junit --outputFile=FILE",
     .unit = "file, and those whose path contains its path",
     .run = "… | xargs -d '\\n' npx vitest run"},
    {.name = "jest",
     .select = file_selector,
     .between = "\n",
     .tried = "30",
     .report = "jest-junit, JEST_JUNIT_ADD_FILE_ATTRIBUTE=true",
     .unit = "file",
     .run = "… | xargs -d '\\n' npx jest --runTestsByPath"},
    {.name = "playwright",
     .select = playwright_selector,
     .between = "\n",
     .tried = "1.65",
     .report = "--reporter=junit, PLAYWRIGHT_JUNIT_OUTPUT_NAME=FILE",
     .unit = "test",
     .run = "… > list.txt && npx playwright test --test-list list.txt",
     .skip = "… > list.txt; npx playwright test --test-list-invert list.txt"},
    {.name = "node",
     .select = node_selector,
     .before = "^(?:",
     .between = "|",
     .after = ")$",
     .most_bytes = kArgument,
     .tried = "20, 22, 26 (skips: 22)",
     .report = "--test-reporter=junit --test-reporter-destination=FILE",
     .unit = "outermost group, in all files",
     .run = "node --test --test-name-pattern \"$(…)\"",
     .skip = "f=$(…); node --test ${f:+--test-skip-pattern \"$f\"}"},
    {.name = "go",
     .select = go_selector,
     .before = "^(",
     .between = "|",
     .after = ")$",
     .most_bytes = kArgument,
     .tried = "1.19 (skips: not tried, they need 1.20)",
     .report = "gotestsum --junitfile FILE",
     .unit = "function, in all packages",
     .run = "go test ./... -run \"$(…)\"",
     .skip = "go test ./... -skip \"$(…)\""},
    {.name = "ctest",
     .select = ctest_selector,
     .before = "^(",
     .between = "|",
     .after = ")$",
     .most_bytes = kCtestPattern,
     .escapes = true,
     .tried = "3.25",
     .report = "--output-junit FILE",
     .unit = "test",
     .run = "f=$(…) || f=.; ctest -R \"$f\"",
     .skip = "ctest -E \"$(…)\""},
    {.name = "gtest",
     .select = gtest_selector,
     .between = ":",
     .most_bytes = kArgument,
     .tried = "1.12",
     .report = "--gtest_output=xml:FILE",
     .unit = "test",
     .run = "f=$(…) || f='*'; ./a_test --gtest_filter=\"$f\"",
     .skip = "./a_test --gtest_filter=\"-$(…)\""},
};

bool is_gtest_name(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot != 0 && dot != name.npos && dot + 1 != name.size() && dot == name.rfind('.') &&
         !has_control(name) && name.find(' ') == name.npos;
}

// As Go has it: after the word no small letter follows, and all are characters of names.
bool is_go_test(std::string_view name) {
  constexpr std::string_view kKinds[] = {"Test", "Example", "Fuzz"};
  const auto is_kind = [&](std::string_view kind) {
    return name.starts_with(kind) &&
           (name.size() == kind.size() || !(name[kind.size()] >= 'a' && name[kind.size()] <= 'z'));
  };
  const auto of_name = [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return name != "TestMain" && std::any_of(std::begin(kKinds), std::end(kKinds), is_kind) &&
         std::all_of(name.begin(), name.end(), of_name);
}

bool ends_with_any(std::string_view file, std::span<const std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

}  // namespace

std::span<const Runner> runners() { return kRunners; }

std::vector<std::string> runner_names() {
  std::vector<std::string> names;
  for (const Runner& runner : kRunners) names.emplace_back(runner.name);
  return names;
}

const Runner* find_runner(std::string_view name) {
  const auto found = std::find_if(std::begin(kRunners), std::end(kRunners),
                                  [&](const Runner& runner) { return runner.name == name; });
  return found == std::end(kRunners) ? nullptr : found;
}

std::string joined_selectors(const Runner& runner, const std::vector<std::string>& selectors) {
  std::string text(runner.before);
  for (const std::string& selector : selectors) {
    if (&selector != &selectors.front()) text += runner.between;
    text += runner.escapes ? escaped(selector) : selector;
  }
  return text.append(runner.after);
}

bool takes_all(const Runner& runner, const std::vector<std::string>& selectors) {
  if (runner.most_bytes == 0) return true;
  constexpr std::size_t kOfPart = 8;  // of ctest
  std::size_t bytes = 0;
  for (const std::string& selector : selectors) {
    const auto special = static_cast<std::size_t>(std::ranges::count_if(selector, is_special));
    bytes += selector.size() + (runner.escapes ? kOfPart * (1 + special) : runner.between.size());
  }
  return bytes < runner.most_bytes;
}

// --- what a test is ------------------------------------------------------------------------------

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

TestParts parts_of(const std::string& id, const std::string& properties) {
  const auto json = nlohmann::json::parse(properties, nullptr, false);
  const auto text = [&](const char* key) {
    const bool there = json.is_object() && json.contains(key) && json[key].is_string();
    return there ? json[key].get<std::string>() : std::string();
  };
  TestParts parts{text("classname"), text("name"), text("file"), true};
  // A line break would make two arguments of one.
  const bool lines =
      has_control(parts.classname) || has_control(parts.name) || has_control(parts.file);
  if (!parts.name.empty() && !lines) return parts;
  // A parameter, in brackets at the end, may hold dots.
  const std::size_t dot = id.rfind('.', id.find('['));
  if (dot == std::string::npos) return {"", id, ""};
  return {id.substr(0, dot), id.substr(dot + 1), ""};
}

std::string no_option(std::string path) { return path.starts_with('-') ? "./" + path : path; }

bool is_special(char c) {
  return std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos;
}

std::string escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (is_special(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

bool is_javascript(std::string_view file) {
  constexpr std::string_view kEndings[] = {".js", ".mjs", ".cjs", ".jsx",
                                           ".ts", ".mts", ".cts", ".tsx"};
  return ends_with_any(file, kEndings);
}

bool is_of_script(std::string_view file) {
  constexpr std::string_view kEndings[] = {".py", ".php", ".rb", ".java", ".kt", ".go"};
  return is_javascript(file) || ends_with_any(file, kEndings);
}

// --- C++ and Go ----------------------------------------------------------------------------------

Selector gtest_selector(const std::string& id, const std::string& properties) {
  const TestParts parts = parts_of(id, properties);
  std::string name = parts.classname + "." + parts.name;
  if (is_of_script(parts.file)) return no_selector("its file is of another language");
  if (!is_gtest_name(name)) return no_selector("its name is not of the form Suite.Name");
  constexpr std::string_view kSyntax = ":-*?";
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return kSyntax.find(c) != kSyntax.npos; }, '?');
  return {name, ""};
}

Selector ctest_selector(const std::string& id, const std::string& properties) {
  if (has_control(id)) return no_selector("its name has a control character");
  if (properties.find("\"name\"") == properties.npos) return {id, ""};  // it has not run
  const TestParts parts = parts_of(id, properties);
  if (is_of_script(parts.file)) return no_selector("its file is of another language");
  if (parts.classname == parts.name) return {parts.name, ""};
  const std::string name = parts.classname + "." + parts.name;
  return is_gtest_name(name) ? Selector{name, ""} : no_selector("its report is not ctest's");
}

Selector go_selector(const std::string& id, const std::string& properties) {
  const TestParts parts = parts_of(id, properties);
  if (!parts.file.empty() && !parts.file.ends_with(".go"))
    return no_selector("its file is of another language");
  std::string_view name = parts.name;
  if (!parts.is_reported) {  // "example.com/pkg.TestX/sub_1", or as `go test -list` has it
    name = id;
    const auto top_of = [](std::string_view text) { return text.substr(0, text.find('/')); };
    for (std::size_t dot = name.find('.'); dot != name.npos && !is_go_test(top_of(name));
         dot = name.find('.'))
      name.remove_prefix(dot + 1);
  }
  const std::size_t slash = name.find('/');
  const std::string_view top = name.substr(0, slash);
  if (!is_go_test(top)) return no_selector("its name is not of the form TestName");
  return {std::string(top), "", slash != name.npos};
}

}  // namespace hebb::api
