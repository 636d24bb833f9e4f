// Stored records: JSON by the fields of a struct (engine/fields/record.h).
#pragma once

#include <string>

#include "engine/fields/record.h"
#include "skill/artifact/fields.h"

namespace hebb::skill {

// Throws fields::Invalid. A request may have a null in place of nothing; what is stored may not,
// except in `args` and `extra`, which may have any form.
void refuse_nulls(const Json& json, const std::string& path = "");

// Throws Invalid; `path` begins the place in its message.
template <fields::Record T>
T read_stored_json(const Json& json, const std::string& path = "") {
  try {
    refuse_nulls(json);
    T read;
    fields::Codec<T>::set(read, json);
    return read;
  } catch (const fields::Invalid& e) {
    invalid(e.path_within(path), e.why);
  }
}

// Reads the members that are fields, each of its kind. Others are ignored: another version of hebb
// may have stored them. Precondition: the value is an object.
template <fields::Record T>
T read_known_members(const Json& json) {
  T read;
  for (const fields::Field& f : fields::fields_of<T>()) {
    const auto found = json.find(f.name);
    if (found != json.end() && fields::wrong_with(f, *found).empty()) f.set(&read, *found);
  }
  return read;
}

template <fields::Record T>
Json stored_json(const T& record) {
  return fields::Codec<T>::get(record);
}

}  // namespace hebb::skill
