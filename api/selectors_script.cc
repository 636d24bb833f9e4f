// The selectors of tests of JavaScript.
#include <algorithm>

#include <fmt/format.h>

#include "api/selector_parts.h"
#include "text/ascii.h"

namespace hebb::api {

namespace {

constexpr std::string_view kBetweenGroups = " > ";  // the names of groups, in an id
constexpr std::string_view kOfPlaywright = " › ";   // in a name that Playwright reports

struct FileAndName {
  std::string file, name;
};

// "src/a.test.ts" and "group > adds" of "src/a.test.ts > group > adds", and of the same with a
// point between file and name.
FileAndName split_id(const std::string& id) {
  const std::string head = id.substr(0, id.find(kBetweenGroups));
  if (is_javascript(head))
    return {head, id.substr(std::min(id.size(), head.size() + kBetweenGroups.size()))};
  for (auto dot = head.find('.'); dot != head.npos; dot = head.find('.', dot + 1)) {
    if (is_javascript(head.substr(0, dot))) return {head.substr(0, dot), id.substr(dot + 1)};
  }
  return {"", id};
}

// Playwright and vitest report the file as the class.
FileAndName located(const std::string& id, const TestParts& parts) {
  if (!parts.is_reported) return split_id(id);
  if (is_javascript(parts.file)) return {parts.file, parts.name};
  if (is_javascript(parts.classname)) return {parts.classname, parts.name};
  return split_id(id);
}

std::string_view file_missing(const FileAndName& test, const TestParts& parts) {
  if (test.file.empty())
    return parts.file.empty() ? "its report names no file" : "its file is not of JavaScript";
  return has_control(test.file) ? "the name of its file has a control character" : "";
}

bool has_blank_end(std::string_view text) { return text != trim(text, " "); }

}  // namespace

Selector file_selector(const std::string& id, const std::string& properties) {
  const TestParts parts = parts_of(id, properties);
  const FileAndName test = located(id, parts);
  if (const auto why = file_missing(test, parts); !why.empty()) return no_selector(why);
  if (test.name.find(kOfPlaywright) != test.name.npos)
    return no_selector("it is a test of Playwright");
  return {no_option(test.file), ""};
}

Selector playwright_selector(const std::string& id, const std::string& properties) {
  const TestParts parts = parts_of(id, properties);
  const std::string head = id.substr(0, id.find(kOfPlaywright));
  const FileAndName test = parts.is_reported ? FileAndName{parts.classname, parts.name}
                           : is_javascript(head) && head != id  // a line of a list
                               ? FileAndName{head, id.substr(head.size() + kOfPlaywright.size())}
                               : split_id(id);
  if (!is_javascript(test.file) || !parts.file.empty())
    return no_selector("its report is not Playwright's");
  if (test.file.starts_with('[') || test.file.starts_with('#') || has_blank_end(test.file) ||
      test.file.find("›") != test.file.npos)
    return no_selector("Playwright's lists of tests cannot hold the name of its file");
  if (test.name.empty()) return {test.file, ""};
  std::string_view rest = test.name;
  for (bool more = true; more;) {
    const std::size_t end = std::min(rest.find(kOfPlaywright), rest.size());
    if (has_blank_end(rest.substr(0, end)) || end == 0)
      return no_selector("Playwright's lists of tests find no title with a blank at an end");
    more = end < rest.size();
    rest.remove_prefix(more ? end + kOfPlaywright.size() : end);
  }
  return {fmt::format("{}{}{}", test.file, kOfPlaywright, test.name), ""};
}

Selector node_selector(const std::string& id, const std::string& properties) {
  const TestParts parts = parts_of(id, properties);
  // Between groups stands " > " in an id, and a point in a class as node 24 and later report it.
  std::string_view between = kBetweenGroups;
  std::string names = parts.is_reported ? "" : split_id(id).name;
  if (parts.is_reported && parts.classname == "test") {
    const std::string_view name = trim(parts.name, " ");
    if (!id.ends_with(name)) return no_selector("its id is cut");
    names = id.substr(0, id.size() - name.size());
    const std::string file =
        parts.file.substr(parts.file.rfind('/') + 1) + std::string(kBetweenGroups);
    if (const auto at = names.find(file); !parts.file.empty() && at != names.npos)
      names.erase(0, at + file.size());
    names += names.empty() ? parts.name : std::string(name);
  } else if (parts.is_reported) {
    if (!is_javascript(parts.file) || parts.classname == parts.name)
      return no_selector("its report is not node's");
    names = parts.classname;
    between = ".";
  }
  const std::string top = names.substr(0, names.find(between));
  if (top.empty()) return no_selector("it has no name");
  // Its name may itself have what stands between groups.
  return {fmt::format("{}(?:{}.*)?", escaped(top), escaped(between)), ""};
}

}  // namespace hebb::api
