#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "api/visible_text.h"

using hebb::Notation;
using hebb::visible_line;
using hebb::visible_text;

TEST_CASE("what is visible stays as it is") {
  const std::string text =
      "Login fällt aus – 修复 🙂 ❤️ e\u0301\tand\nmore \"\\\" \u00a0";
  CHECK(visible_text(text) == text);
  CHECK(visible_text("") == "");
}

TEST_CASE("what would command a terminal or hide itself is written out") {
  CHECK(visible_text("a\x1b[31mb\r") == "a\\u001b[31mb\\u000d");
  CHECK(visible_text(std::string("\0\x7f\a", 3)) == "\\u0000\\u007f\\u0007");
  CHECK(visible_text("\u009b31m\u0080\u0085") == "\\u009b31m\\u0080\\u0085");
  CHECK(visible_text("\u202e\u2028\u2066\u200b\ufeff") == "\\u202e\\u2028\\u2066\\u200b\\ufeff");
  CHECK(visible_text("\u00ad\u061c\u3164\u2065") == "\\u00ad\\u061c\\u3164\\u2065");
  CHECK(visible_text("\ufff0\U000e0fff\U000e0100") == "\\ufff0\\udb43\\udfff\\udb40\\udd00");
  CHECK(visible_text("\U0001fae8") == "\U0001fae8");  // newer than the library: is to be seen
  CHECK(visible_text("\xef\xbf\xbe\xef\xbf\xbf") == "\\ufffe\\uffff");
}

TEST_CASE("bytes that are not UTF-8 are written out: an 8-bit terminal takes some for commands") {
  CHECK(visible_text("\xff\xfe \xc3") == "\\xff\\xfe \\xc3");
  CHECK(visible_text("\x9b"
                     "31m") == "\\x9b31m");
  CHECK(visible_text("\xc0\x9b") == "\\xc0\\x9b");           // overlong
  CHECK(visible_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
}

TEST_CASE("above U+FFFF the escape is that of JSON, or of YAML") {
  CHECK(visible_text("\U000e0041") == "\\udb40\\udc41");
  CHECK(visible_text("\U000e0041", Notation::yaml) == "\\U000e0041");
}

TEST_CASE("within a line there are no others") {
  CHECK(visible_line("a\nhebb: b\tc\r\n") == "a\\nhebb: b\\tc\\u000d\\n");
}

TEST_CASE("JSON says the same after it, and a second time changes nothing") {
  const nlohmann::json value = {"\x1b[1m", "\\u001b[1m", "\u009b\u202e", "\U000e0041", "a\nb\t"};
  const std::string shown = visible_text(value.dump(2));
  CHECK(nlohmann::json::parse(shown) == value);
  CHECK(visible_text(shown) == shown);
}
