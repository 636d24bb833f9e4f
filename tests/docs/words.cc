#include "tests/docs/words.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace hebb::test {

namespace {

struct Word {
  std::string_view words;  // in lower case, alternatives behind |
  std::string_view instead;
};

constexpr Word kWords[] = {
    {"golden paths?", "the ranking"},
    {"pivot(s|ed|ing)?", "change of direction"},
    {"guides|guidance", "recommends, recommendation"},
    {"promoted|promotions?", "most used"},
    {"recall(s|ed)?", "access count; for a skill, look up"},
    {"doors?", "interface"},
    {"rooms?|house", "module"},
    {"fold(s|ed|ing)?", "apply events"},
    {"mirror(s|ed)?", "the current tables"},
    {"packed images?|the image|an image", "graph cache"},
    {"seal(s|ed)?|standings|inbox|stamps?|feeds?|hub", "(not for users)"},
    {"frontier", "hebb's own node"},
    {"edge counts|edges count", "is active"},
    {"woken?|wakes", "active again"},
    {"touched|touches", "last updated"},
    {"profile seed|seed loop|seed formula|published formula", "baseline"},
    {"evidence folders?", "failure report"},
    {"structural(ly)?", "links"},
    {"semantic(ally)?", "similarity"},
    {"filed", "created"},
    {"people (say|says|said)", "set by people"},
    {"eras?", "protocol with a handshake, without"},
    {"art[ie]facts?", "recording"},
    {"chains?", "list of selectors"},
    {"slots?", "placeholder"},
    {"strateg(y|ies)", "selector type"},
    {"protocols? (a|b|c|a1h)|a1h", "at completion, an hour old, a day old, the next one"},
    {"learned ranking", "hebb"},
};

// What is said of a disk, a method's name, and names in a formula.
constexpr std::string_view kPlain[] = {"no room",         "No room",    "ake room",
                                       "room for",        "room left",  "of images",
                                       "latent semantic", "* semantic", "* structural"};

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Blanks in the place of [from, to), so that lines stay where they are.
void blot(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
    if (text[i] != '\n') text[i] = '`';
  }
}

void blot_all(std::string& text, const std::regex& what) {
  const std::string before = text;
  for (std::sregex_iterator it(before.begin(), before.end(), what), end; it != end; ++it) {
    const auto from = static_cast<std::size_t>(it->position());
    blot(text, from, from + static_cast<std::size_t>(it->length()));
  }
}

const std::regex& every_word() {
  static const std::regex kAll = [] {
    std::string all;
    for (const Word& w : kWords) all += (all.empty() ? "" : "|") + std::string(w.words);
    return std::regex(std::regex_replace(all, std::regex(" "), "\\s+"),
                      std::regex::icase | std::regex::optimize);
  }();
  return kAll;
}

std::string lower_and_plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (blank(c) && (out.empty() || out.back() == ' ')) continue;
    out += blank(c) ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string_view instead_of(const std::string& found) {
  for (const Word& w : kWords) {
    if (std::regex_match(lower_and_plain(found), std::regex(std::string(w.words))))
      return w.instead;
  }
  return {};
}

bool part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-/`@$#=%\\").find(c) != std::string_view::npos;
}

// Whether a word of prose may begin or end at these places.
bool stands_alone(const std::string& text, std::size_t from, std::size_t to) {
  if (from > 0 && (part_of_name(text[from - 1]) || text[from - 1] == '.')) return false;
  if (to == text.size()) return true;
  if (part_of_name(text[to])) return false;
  const bool goes_on = to + 1 < text.size() && !blank(text[to + 1]) && part_of_name(text[to + 1]);
  return !(goes_on && (text[to] == '.' || text[to] == ':'));
}

bool in_capitals(const std::string& word) {
  return word.size() > 1 && std::none_of(word.begin(), word.end(), [](char c) {
           return std::islower(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

std::vector<Offence> words_in_text(std::string_view prose) {
  std::string text(prose);
  static const std::regex names(
      "(^|\n)  hebb [^\n]*|`[^`\n]*`|\"[A-Za-z_./:{}-]+\"|'[a-z_]+'|\\bhebb( skill)? "
      "[a-z-]+|[a-z]+://[^ )\"\n]*");
  blot_all(text, names);
  for (const auto plain : kPlain) {
    for (std::size_t at = text.find(plain); at != text.npos; at = text.find(plain, at + 1))
      blot(text, at, at + plain.size());
  }
  std::vector<Offence> found;
  for (std::sregex_iterator it(text.begin(), text.end(), every_word()), end; it != end; ++it) {
    const auto from = static_cast<std::size_t>(it->position());
    const std::string word = it->str();
    if (!stands_alone(text, from, from + word.size()) || in_capitals(word)) continue;
    const auto line = std::count(text.cbegin(), it->prefix().second, '\n') + 1;
    found.push_back({from, static_cast<int>(line), word, std::string(instead_of(word))});
  }
  return found;
}

std::vector<Offence> words_in_page(const std::string& markdown) {
  std::string text = markdown;
  static const std::regex addresses(R"(\]\([^)\n]*\)|<!--[^>]*-->)");
  blot_all(text, addresses);
  // A heading of one word is a name, as of a table; what is indented is code.
  static const std::regex name("#+ [a-z_]+"), indented("    +[^ -].*");
  bool code = false;
  for (std::size_t from = 0, to = 0; from < text.size(); from = to + 1) {
    to = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, to - from);
    const bool fence = line.starts_with("```");
    if (fence) code = !code;
    if (fence || code || std::regex_match(line, name) || std::regex_match(line, indented))
      blot(text, from, to);
  }
  return words_in_text(text);
}

namespace {

// A literal, or several of which only blanks stand between, with the line of each of its bytes.
struct Literal {
  std::string text;
  std::vector<int> lines;
};

class Scanner {
 public:
  explicit Scanner(const std::string& code) : code_(code) {}

  std::vector<Literal> literals() {
    while (at_ < code_.size()) {
      if (starts("//")) {
        skip_to(code_.find('\n', at_));
      } else if (starts("/*")) {
        skip_to(code_.find("*/", at_ + 2) + 2);
      } else if (starts("R\"")) {
        raw();
      } else if (code_[at_] == '\'' && !after_digit()) {
        joins_ = false;
        ordinary('\'');
        found_.pop_back();
        joins_ = false;
      } else if (code_[at_] == '"' || code_[at_] == '`') {
        ordinary(code_[at_]);
      } else {
        if (!blank(code_[at_])) joins_ = false;
        step();
      }
    }
    return std::move(found_);
  }

 private:
  bool starts(std::string_view with) const { return code_.compare(at_, with.size(), with) == 0; }
  bool after_digit() const {  // 1'000
    return at_ > 0 && std::isdigit(static_cast<unsigned char>(code_[at_ - 1])) != 0;
  }
  void step() {
    if (code_[at_++] == '\n') ++line_;
  }
  void skip_to(std::size_t to) {
    while (at_ < std::min(to, code_.size())) step();
  }
  void add(char c) {
    found_.back().text += c;
    found_.back().lines.push_back(line_);
  }
  void begin() {
    if (!joins_) found_.emplace_back();
    joins_ = true;
  }
  void raw() {
    begin();
    const auto open = code_.find('(', at_);
    const std::string close = ")" + code_.substr(at_ + 2, open - at_ - 2) + "\"";
    const auto end = code_.find(close, open);
    skip_to(open + 1);
    while (at_ < std::min(end, code_.size())) {
      add(code_[at_]);
      step();
    }
    skip_to(end + close.size());
  }
  void ordinary(char quote) {
    begin();
    for (step(); at_ < code_.size() && code_[at_] != quote; step()) {
      if (code_[at_] == '\n' && quote != '`') break;  // no literal: an apostrophe in a text
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) {
        step();
        add(code_[at_] == 'n' ? '\n' : code_[at_]);
      } else {
        add(code_[at_]);
      }
    }
    if (at_ < code_.size()) step();
  }

  const std::string& code_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool joins_ = false;  // a literal that comes now goes on with the last one
  std::vector<Literal> found_;
};

// "search, promoted" and "skill recall" are names of commands.
bool only_names(const std::string& text) {
  static const std::regex names("([a-z-]+)(, [a-z-]+)*|skill [a-z]+( [a-z]+)?|neighbors frontier");
  return std::regex_match(text, names);
}

}  // namespace

std::vector<Offence> words_in_source(const std::string& code) {
  std::vector<Offence> found;
  for (const Literal& literal : Scanner(code).literals()) {
    if (literal.text.find(' ') == std::string::npos || only_names(literal.text)) continue;
    for (Offence& o : words_in_text(literal.text)) {
      o.line = literal.lines.at(o.at);
      found.push_back(std::move(o));
    }
  }
  return found;
}

std::vector<Offence> words_in_jsx(const std::string& code) {
  static const std::regex between(R"(>([^<>{};=()]+)[<{])");
  std::vector<Offence> found;
  for (std::sregex_iterator it(code.begin(), code.end(), between), end; it != end; ++it) {
    for (Offence& o : words_in_text((*it)[1].str())) {
      o.line += static_cast<int>(std::count(code.cbegin(), (*it)[1].first, '\n'));
      found.push_back(std::move(o));
    }
  }
  return found;
}

}  // namespace hebb::test
