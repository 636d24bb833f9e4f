// nlohmann's JSON, with its parser and serializer compiled once (cmake/Dependencies.cmake) rather than in each file
// that uses them, and with a destructor that allocates nothing. The library's own destructor moves the values to a list
// on the heap first; without memory for the list, it ends the program. CMake puts this folder first, so each #include
// <nlohmann/json.hpp> of hebb is this one.
#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include_next <nlohmann/json.hpp>

namespace hebb::detail {

template <class Json>
bool has_children(const Json& value) {
  return value.is_structured() && !value.empty();
}

template <class Json>
void drop_last(Json& value) {
  if (value.is_array()) {
    value.template get_ptr<typename Json::array_t*>()->pop_back();
  } else {
    auto* object = value.template get_ptr<typename Json::object_t*>();
    object->erase(std::prev(object->end()));
  }
}

// Frees what is in a value, however deep it is nested, without recursion. On the way down, the
// place of the child that is being freed holds the way back up.
template <class Json>
void take_apart(Json& value) {
  Json at = std::move(value), up;  // null: nothing is above
  while (true) {
    while (has_children(at)) {
      Json& place = at.back();
      if (!has_children(place)) {
        drop_last(at);
        continue;
      }
      Json down = std::move(place);
      place = std::move(up);
      up = std::move(at);
      at = std::move(down);
    }
    if (up.is_null()) return;
    at = std::move(up);
    up = std::move(at.back());
    drop_last(at);
  }
}

template <class T>
void delete_value(T* value) {
  std::allocator<T> allocator;
  std::destroy_at(value);
  allocator.deallocate(value, 1);
}

// The pointer is null where the constructor of the value has thrown.
template <class Json, class Value>
void destroy_value(Value& value, nlohmann::detail::value_t type) {
  using nlohmann::detail::value_t;
  if (type == value_t::array && value.array) {
    for (Json& child : *value.array) take_apart(child);
    delete_value(value.array);
  } else if (type == value_t::object && value.object) {
    for (auto& member : *value.object) take_apart<Json>(member.second);
    delete_value(value.object);
  } else if (type == value_t::string && value.string) {
    delete_value(value.string);
  } else if (type == value_t::binary && value.binary) {
    delete_value(value.binary);
  }
}

}  // namespace hebb::detail

template <>
inline void nlohmann::ordered_json::json_value::destroy(nlohmann::detail::value_t type) {
  hebb::detail::destroy_value<nlohmann::ordered_json>(*this, type);
}

template <>
inline void nlohmann::json::json_value::destroy(nlohmann::detail::value_t type) {
  hebb::detail::destroy_value<nlohmann::json>(*this, type);
}

namespace hebb::detail {
using JsonText = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
using JsonBytes = nlohmann::detail::iterator_input_adapter<const char*>;
}  // namespace hebb::detail

// "how" is "extern template" or, in the one file that has them, "template".
#define HEBB_JSON_TEMPLATES_OF(how, Json)                            \
  how class nlohmann::detail::serializer<Json>;                      \
  how class nlohmann::detail::lexer<Json, hebb::detail::JsonText>;   \
  how class nlohmann::detail::lexer<Json, hebb::detail::JsonBytes>;  \
  how class nlohmann::detail::parser<Json, hebb::detail::JsonText>;  \
  how class nlohmann::detail::parser<Json, hebb::detail::JsonBytes>; \
  how class nlohmann::detail::json_sax_dom_parser<Json>;             \
  how class nlohmann::detail::json_sax_dom_callback_parser<Json>;
#define HEBB_JSON_TEMPLATES(how)              \
  HEBB_JSON_TEMPLATES_OF(how, nlohmann::json) \
  HEBB_JSON_TEMPLATES_OF(how, nlohmann::ordered_json)

HEBB_JSON_TEMPLATES(extern template)
