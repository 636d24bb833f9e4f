// A class has one job: few methods, and no data that everybody can change beside them.
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/house/sources.h"

using hebb::test::Source;
using hebb::test::sources;

namespace {

constexpr int kMethodsMost = 25;
constexpr int kHelpersMost = 3;  // of a struct with data

struct Class {
  std::string kind, name;
  int methods = 0, public_methods = 0, public_data = 0;
};

std::string without_comments(const Source& source) {
  std::string text;
  for (const std::string& line : source.lines) {
    if (!line.starts_with('#')) text += std::string(hebb::test::without_comment(line)) + "\n";
  }
  return text;
}

// The text between the brace at `at` and the one that closes it, with `;` for what stands in inner
// braces, so that a function and its body are one statement. At the end, `at` is behind it.
std::string body_at(const std::string& text, std::size_t& at) {
  std::string body;
  int depth = 1;
  for (++at; at < text.size() && depth > 0; ++at) {
    depth += (text[at] == '{') - (text[at] == '}');
    if (depth == 1) body += text[at] == '}' ? ';' : text[at];
  }
  return body;
}

std::string without_template_arguments(std::string text) {
  static const std::regex innermost("<[^<>]*>");
  for (std::string next; (next = std::regex_replace(text, innermost, "")) != text;) text = next;
  return text;
}

// Constructors, destructors, what copies or moves, and what sees no object are no methods.
void count(Class& found, std::string statement, bool is_public) {
  static const std::regex other("^(using|friend|enum|struct|class|template$|static)\\b");
  static const std::regex call("(~?\\w+)\\s*\\(");
  statement = without_template_arguments(statement);
  if (statement.empty() || std::regex_search(statement, other)) return;
  if (statement.find("operator=(") != std::string::npos) return;
  std::smatch match;
  const std::string declared = statement.substr(0, statement.find('='));
  if (!std::regex_search(declared, match, call)) {
    found.public_data += is_public;
  } else if (match[1] != found.name && match[1] != "~" + found.name) {
    ++found.methods;
    found.public_methods += is_public;
  }
}

Class class_of(const std::string& kind, const std::string& name, const std::string& body) {
  static const std::regex access("^(public|private|protected):\\s*");
  Class found{kind, name};
  bool is_public = kind == "struct";
  std::string statement;
  for (const char c : body + ";") {
    if (c != ';') {
      if (!statement.empty() || !std::isspace(static_cast<unsigned char>(c))) statement += c;
      std::smatch match;
      if (c == ':' && std::regex_match(statement, match, access)) {
        is_public = match[1] == "public";
        statement.clear();
      }
      continue;
    }
    count(found, std::exchange(statement, {}), is_public);
  }
  return found;
}

std::vector<Class> classes_in(const Source& source) {
  static const std::regex empty_braces("\\{\\}");
  static const std::regex begins("(?:^|[^\\w])(class|struct)\\s+(\\w+)[^;{}()<>]*\\{");
  const std::string text = std::regex_replace(without_comments(source), empty_braces, "0");
  std::vector<Class> found;
  for (std::sregex_iterator it(text.begin(), text.end(), begins), end; it != end; ++it) {
    const auto before = text.substr(0, static_cast<std::size_t>(it->position(1)));
    if (before.ends_with("enum ")) continue;
    auto at = static_cast<std::size_t>(it->position() + it->length()) - 1;
    found.push_back(class_of((*it)[1], (*it)[2], body_at(text, at)));
  }
  return found;
}

}  // namespace

TEST_CASE("a class of the engine has few methods, and no public data beside them") {
  int seen = 0;
  for (const Source& source : sources({"engine"})) {
    if (!source.header()) continue;
    for (const Class& c : classes_in(source)) {
      INFO(source.path << ": " << c.kind << " " << c.name);
      ++seen;
      CHECK(c.methods <= kMethodsMost);
      if (c.kind == "class") CHECK((c.public_data == 0 || c.public_methods == 0));
      if (c.kind == "struct" && c.public_data > 0) CHECK(c.public_methods <= kHelpersMost);
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("the count of methods sees them") {
  const Source source{
      "engine/x.h",
      "engine",
      {"class X : public Y {", " public:", "  explicit X(int a = {});",
       "  X& operator=(const X&) = delete;", "  int a() const { return b_; }",
       "  std::map<int, std::function<void(int)>> data = f();  // not(g)",
       " private:", "  enum class E { one };", "  struct In { int b() { return 1; } };",
       "  void c(int x = 0,", "         int y = 1);", "  int b_ = 0;", "};"}};
  const auto found = classes_in(source);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "X");
  CHECK(found[0].methods == 2);
  CHECK(found[0].public_methods == 1);
  CHECK(found[0].public_data == 1);
  CHECK(found[1].methods == 1);
}
