#include <catch2/catch.hpp>

#include "engine/visible_text.h"

using hebb::visible_text;

TEST_CASE("what is visible stays as it is") {
  const std::string text = "Login fällt aus – 修复 🙂\tand\nmore \"\\\" \u00a0";
  CHECK(visible_text(text) == text);
  CHECK(visible_text("") == "");
  CHECK(visible_text("\xff\xfe \xc3") == "\xff\xfe \xc3");  // no UTF-8: as it came
}

TEST_CASE("what would command a terminal or hide itself is written out") {
  CHECK(visible_text("a\x1b[31mb\r") == "a\\u001b[31mb\\u000d");
  CHECK(visible_text(std::string("\0\x7f", 2)) == "\\u0000\\u007f");
  CHECK(visible_text("\u009b31m") == "\\u009b31m");
  CHECK(visible_text("\u202e\u2028\u2066\u200b\ufeff") == "\\u202e\\u2028\\u2066\\u200b\\ufeff");
  CHECK(visible_text("\xef\xbf\xbe\xef\xbf\xbf") == "\\ufffe\\uffff");
}
