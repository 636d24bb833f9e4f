// Tokens of every format in the table, and of formats that are not in it.
#include <set>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "secrets/format.h"
#include "secrets/mask.h"
#include "secrets/rules.h"
#include "secrets/secrets.h"

namespace hebb::secrets {
namespace {

// A token of the published length: the characters of each alphabet in turn.
std::string example(const Shape& shape) {
  std::string out;
  for (const Shape::Part& part : shape.parts()) {
    out += part.literal;
    // A step that has no divisor in common with the size goes through all characters.
    const std::size_t size = part.characters.size();
    for (std::size_t i = 0; i < part.most; ++i) out += part.characters[(i * 7 + 3) % size];
  }
  return out;
}

std::string masked(const std::string& text) { return Redactor().text(text); }

}  // namespace

TEST_CASE("formats: an example of each is masked wherever it stands") {
  CHECK(rules().formats.size() >= 300);
  std::set<std::string> names;
  for (const Format& format : rules().formats) {
    names.insert(format.name);
    const std::string token = example(format.shape);
    CAPTURE(format.name, token);
    CHECK_FALSE(format.source.empty());
    CHECK(format.shape.match(token, format.exact) == token.size());
    for (const char* text : {"{}", "the server said {} to us", "see {}.", "\"{}\",", "[{}]", "a={}",
                             "colour \x1b[31m{}\x1b[0m", "id_{}", "one\\n{}\\n", "x%3D{}"}) {
      const std::string said = masked(fmt::format(fmt::runtime(text), token));
      CAPTURE(text, said);
      if (format.mixed && std::string_view(text).starts_with("id_")) continue;
      CHECK(said.find(token.substr(token.size() / 2)) == std::string::npos);
    }
  }
  CHECK(names.size() >= 200);
}

}  // namespace hebb::secrets
