// Which format an input has, by how it begins.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/input/input.h"

namespace hebb {

// By the root of an XML document or the fields of the first JSON object, which is enough to tell
// the formats of formats() apart. nullptr: it is none of them, or might be two. Nothing of the
// input is skipped; at most its first 64 KiB are looked at.
const Format* recognised(Input& input);

// Whether a refused item is one of that format with something wrong in it, by the fields that it
// has.
bool is_of_format(const Format& format, std::string_view item);

namespace input {

// What is ahead of an input, up to 64 KiB, without a byte order mark and blanks before it.
std::string_view beginning_of(Input& input);
// The fields of the first object in the text, also where it is cut off or is no JSON further on,
// with the text from where the value begins. Escapes in names are left as they are: no format has
// one there.
using FirstFields = std::map<std::string_view, std::string_view, std::less<>>;
FirstFields first_fields(std::string_view text);
// Whether it has all that one of the texts names, as a mapping says it: "title", "id:text !number".
bool has_one_of(const FirstFields& fields, const std::vector<std::string>& all);
// The value, if it is a text, up to an escape.
std::string_view text_value(const FirstFields& fields, std::string_view name);
// The name of an XML document's root; empty: there is none.
std::string_view xml_root(std::string_view text);

}  // namespace input
}  // namespace hebb
