#include "tests/engine/script.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace hebb::test {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \n") - begin + 1));
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts{""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (!quoted) depth += std::string_view("([{").find(c) != std::string_view::npos;
    if (!quoted) depth -= std::string_view(")]}").find(c) != std::string_view::npos;
    if (!quoted && depth == 0 && text.substr(i).starts_with(separator)) {
      parts.emplace_back();
      i += separator.size() - 1;
    } else {
      parts.back() += c;
    }
  }
  for (auto& part : parts) part = trimmed(part);
  return parts;
}

namespace {

using Values = std::map<std::string, std::string>;
struct Macro {
  std::vector<std::string> parameters;
  std::string text;
};
using Macros = std::map<std::string, Macro>;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

}  // namespace

std::string replaced(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (text[i] == '$' && end < text.size() && in_name(text[end]) && text[end] != '.') ++end;
    const auto found = values.find(text.substr(i + 1, end - i - 1));
    out += text[i] == '$' && found != values.end() ? found->second : text.substr(i, end - i);
    i = end;
  }
  return out;
}

namespace {

std::string expanded(const std::string& text, const Macros& macros) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (text[i] == '$' && end < text.size() && in_name(text[end])) ++end;
    const auto found = macros.find(text.substr(i + 1, end - i - 1));
    if (text[i] != '$' || found == macros.end()) {
      out += text.substr(i, end - i);
      i = end;
      continue;
    }
    std::vector<std::string> given;
    if (end < text.size() && text[end] == '(') {
      std::size_t close = end;
      for (int depth = 0; close < text.size(); ++close) {
        depth += text[close] == '(';
        depth -= text[close] == ')';
        if (depth == 0) break;
      }
      given = split(std::string_view(text).substr(end + 1, close - end - 1), ",");
      end = close + 1;
    }
    const Macro& macro = found->second;
    // What is one too many belongs to the last.
    for (; given.size() > std::max<std::size_t>(1, macro.parameters.size()); given.pop_back())
      given[given.size() - 2] += "," + given.back();
    given.resize(macro.parameters.size());
    Values values;
    for (std::size_t k = 0; k < given.size(); ++k)
      values[macro.parameters[k]] = expanded(given[k], macros);
    out += replaced(expanded(macro.text, macros), values);
    i = end;
  }
  return out;
}

// A sum of products of powers.
class Expression {
 public:
  explicit Expression(std::string_view text) : left_(text) {}
  // Nothing if the text is no number.
  bool value(double& x) { return sum(x) && left_.empty(); }

 private:
  bool take(char c) {
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool sum(double& x) {
    if (!product(x)) return false;
    for (double y = 0; !left_.empty();) {
      const char sign = left_.front();
      if (!take('+') && !take('-')) break;
      if (!product(y)) return false;
      x += sign == '+' ? y : -y;
    }
    return true;
  }
  bool product(double& x) {
    if (!power(x)) return false;
    for (double y = 0; !left_.empty();) {
      const char sign = left_.front();
      if (!take('*') && !take('/')) break;
      if (!power(y)) return false;
      x = sign == '*' ? x * y : x / y;
    }
    return true;
  }
  bool power(double& x) {
    if (!number(x)) return false;
    double y = 1;
    if (take('^')) {
      if (!power(y)) return false;
      x = std::pow(x, y);
    }
    return true;
  }
  bool number(double& x) {
    if (take('(')) return sum(x) && take(')');
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), x);
    if (error != std::errc()) return false;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return true;
  }
  std::string_view left_;
};

bool is_same_word(const std::string& got, const std::string& expected) {
  double a = 0, b = 0;
  if (got == expected) return true;
  return Expression(got).value(a) && Expression(expected).value(b) &&
         std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// A line as often as it says.
std::vector<std::string> repeated(const std::string& line) {
  std::istringstream in(line);
  std::string word, name;
  in >> word >> name;
  std::string rest = line.substr(std::min(line.size(), word.size() + name.size() + 2));
  if (word == "times") return std::vector<std::string>(std::stoul(name), rest);
  if (word != "each") return {line};
  std::vector<std::string> all;
  const auto colon = rest.find(": ");
  std::istringstream values(rest.substr(2, colon - 2));
  for (std::string value; values >> value;)
    all.push_back(replaced(rest.substr(colon + 2), {{name, value}}));
  return all;
}

}  // namespace

std::string compare_answer(const std::string& got, const std::string& expected) {
  const std::string differs = fmt::format("expected {}\nfound    {}\n", expected, got);
  if (expected.starts_with("~ "))
    return got.find(expected.substr(2)) == std::string::npos ? differs : "";
  if (expected.starts_with("! ")) return got == expected.substr(2) ? differs : "";
  if (expected.starts_with("> ") || expected.starts_with("< ")) {
    double a = 0, b = 0;
    if (!Expression(got).value(a) || !Expression(trimmed(expected.substr(2))).value(b))
      return differs;
    return (expected[0] == '>' ? a > b : a < b) ? "" : differs;
  }
  std::istringstream in(got), wanted(expected);
  std::string a, b;
  bool same = true;
  while (same && (wanted >> b)) same = (in >> a) && is_same_word(a, b);
  return same && !(in >> a) ? "" : differs;
}

std::vector<Script> read_scripts(const std::string& path) {
  std::ifstream in(path);
  const std::string file = path.substr(path.rfind('/') + 1);
  struct Line {
    int number;
    std::string text;
  };
  std::vector<Line> lines;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text.starts_with("#") || trimmed(text).empty()) continue;
    if (text.starts_with("  ") && !lines.empty()) {
      lines.back().text += "\n" + trimmed(text);
    } else {
      lines.push_back({number, text});
    }
  }
  Macros macros;
  std::vector<Script> scripts;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string& first = lines[i].text;
    if (first.starts_with("def ")) {
      const auto equals = first.find(" = ");
      const std::string head = first.substr(4, equals - 4);
      const auto open = head.find('(');
      Macro macro{{}, equals == std::string::npos ? "" : trimmed(first.substr(equals + 3))};
      if (open != std::string::npos)
        macro.parameters =
            split(std::string_view(head).substr(open + 1, head.size() - open - 2), ",");
      macros[trimmed(head.substr(0, open))] = macro;
      ++i;
      continue;
    }
    if (!first.starts_with("case "))
      throw std::invalid_argument(fmt::format("{}:{}: no case", file, lines[i].number));
    std::vector<Values> variants{{}};
    std::set<std::string> without;
    const std::string name = first.substr(5);
    std::size_t body = ++i;
    for (; body < lines.size(); ++body) {
      const std::string& line = lines[body].text;
      if (line.starts_with("without ")) {
        for (const auto& way : split(line.substr(8), ",")) without.insert(way);
      } else if (line.starts_with("for ")) {
        const auto equals = line.find('=');
        std::vector<Values> more;
        for (const auto& value : split(line.substr(equals + 1), "|")) {
          for (Values values : variants) {
            values[trimmed(line.substr(4, equals - 4))] = value;
            more.push_back(std::move(values));
          }
        }
        variants = std::move(more);
      } else {
        break;
      }
    }
    std::size_t end = body;
    while (end < lines.size() && !lines[end].text.starts_with("case ") &&
           !lines[end].text.starts_with("def "))
      ++end;
    for (const Values& values : variants) {
      Script script{name, without, {}};
      for (const auto& [variable, value] : values) script.name += " " + variable + "=" + value;
      for (i = body; i < end; ++i) {
        const std::string where = fmt::format("{}:{}", file, lines[i].number);
        for (const auto& text : repeated(replaced(replaced(lines[i].text, values), values))) {
          for (const auto& statement : split(expanded(text, macros), ";")) {
            const auto parts = split(statement, "=>");
            if (statement.empty()) continue;
            script.statements.push_back(
                {where, parts[0], parts.size() > 1, parts.size() > 1 ? parts[1] : ""});
          }
        }
      }
      scripts.push_back(std::move(script));
    }
    i = end;
  }
  return scripts;
}

}  // namespace hebb::test
