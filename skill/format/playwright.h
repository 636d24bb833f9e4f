// Code that hebb writes into tests for Playwright and reads again.
#pragma once

#include <string_view>

namespace hebb::skill {

// Whether a text fits a pattern with *.
inline constexpr std::string_view kMatches =
    "const matches = (text, pattern) => new RegExp(\"^\" + pattern.split(\"*\").map((p) =>\n"
    "  p.replace(/[.+?^${}()|[\\]\\\\]/g, \"\\\\$&\")).join(\"[^]*\") + \"$\").test(text)";

// Sends the form of an element: .evaluate((e) => …).
inline constexpr std::string_view kSubmitBody = "(e.form ?? e).requestSubmit()";

}  // namespace hebb::skill
