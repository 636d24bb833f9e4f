// Words that hebb's own texts do not use, because a stranger does not know what they mean here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::test {

struct Offence {
  std::size_t at = 0;  // of the text
  int line = 0;
  std::string word;     // as it stands there
  std::string instead;  // what to say
};

// In prose. What stands in backticks, in capitals, in quotes as one word, or behind `hebb` is a
// name and may be what it is, as are parts of names with _ - / and the like.
std::vector<Offence> words_in_text(std::string_view text);
// In Markdown, without its code, the addresses of its links, its comments, and headings that are a
// name.
std::vector<Offence> words_in_page(const std::string& markdown);
// In the literals of C++ or JavaScript that have a blank: messages and what else is to be read.
std::vector<Offence> words_in_source(const std::string& code);
// In what stands between the tags of JSX.
std::vector<Offence> words_in_jsx(const std::string& code);

}  // namespace hebb::test
