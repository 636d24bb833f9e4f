// What the files of selectors share: a test's names, and what its file is. Internal to them.
#pragma once

#include <string>
#include <string_view>

#include "api/selectors.h"

namespace hebb::api {

struct TestParts {
  std::string classname, name, file;
  bool is_reported = false;  // by a report; else split from the id
};
TestParts parts_of(const std::string& id, const std::string& properties);

inline Selector no_selector(std::string_view why) { return {"", why}; }
bool has_control(std::string_view text);
// Reports come from others: an argument that begins with "-" is an option.
std::string no_option(std::string path);
bool is_special(char c);  // in a regular expression
std::string escaped(std::string_view text);
// Whether a file's name ends as one of JavaScript or TypeScript, and as one of any language that
// GoogleTest and ctest do not run.
bool is_javascript(std::string_view file);
bool is_of_script(std::string_view file);

}  // namespace hebb::api
