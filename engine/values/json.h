// What all JSON formats share: reading one item, canonical text, and fields with their checks.
//
// Internal to the readers. A check that fails throws ItemRefused, which attempt() turns into the
// item's refusal; take_field() of a ticket turns it into a field that is left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "engine/values/limits.h"
#include "engine/values/refusals.h"

namespace hebb::input {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

struct ItemRefused {
  Refusal refusal;
};
[[noreturn]] void refuse(std::string_view reason, std::string detail);
inline void throw_if(std::optional<Refusal> refusal) {  // throws it as ItemRefused
  if (refusal) throw ItemRefused{std::move(*refusal)};
}

// Parses items one after the other into the same memory.
class JsonReader {
 public:
  explicit JsonReader(std::size_t depth = Limits::kDepth);  // of objects and arrays

  // Valid until the next parse().
  Element parse(std::string_view text);
  Object parse_object(std::string_view text);

  // The canonical text. Refuses an object that has a key twice, at any level, and too deep nesting.
  std::string canonical(Object value);

 private:
  using Field = std::pair<std::string_view, Element>;
  void append(std::string& out, Element value);
  void append_object(std::string& out, Object object);
  void append_array(std::string& out, Array array);
  void check_depth() const;

  std::size_t depth_;
  std::size_t text_size_ = 0;  // of the item; its canonical text is seldom longer
  simdjson::dom::parser parser_;
  std::string padded_;                  // the item, with the bytes after it that simdjson may read
  std::vector<Field> fields_;           // of the objects being written, innermost last
  std::vector<std::string_view> path_;  // to the object or array being written
};

// --- fields --------------------------------------------------------------------------------------
// `path` is the field's place in the item, for the refusal. A field that is null is absent.
void check_id(std::string_view id, std::string_view path);  // by check_name
std::optional<Element> find(Object object, std::string_view name);
Element need(Object object, std::string_view name, std::string_view path = {});

// The text of a member; empty: there is none, or it is no text.
std::string text_in(Object object, std::string_view name);
std::string_view as_text(Element value, std::string_view path);
std::string_view as_name(Element value,
                         std::string_view path);  // ids, types, states: see check_name
double as_number(Element value, std::string_view path);
std::int64_t as_integer(Element value, std::string_view path);
bool as_boolean(Element value, std::string_view path);
Object as_object(Element value, std::string_view path);
Array as_array(Element value, std::string_view path);
int as_priority(Element value, std::string_view path);  // a whole number or parse_priority()
TimeMs as_time(Element value, std::string_view path);   // integer ms or RFC 3339
std::vector<float> as_vector(Element value, std::string_view path);
std::string as_properties(JsonReader& reader, Element value, std::string_view path);

}  // namespace hebb::input
