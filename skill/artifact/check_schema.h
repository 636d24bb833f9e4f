// Checks JSON by a JSON Schema (2020-12), of which it supports the keywords of artifact_schema():
// type (null excepted), const, enum-like anyOf, minLength, maxLength, minimum, maximum, minItems,
// maxItems, items, properties, required, additionalProperties: false, dependentSchemas, and $ref to
// $defs.
#pragma once

#include <string>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// Throws Invalid with the place, the value and the allowed values. `root` has the $defs. In an
// anyOf whose alternatives have a constant member, that member selects the alternative.
void check_schema(const Json& value, const Json& schema, const Json& root, const std::string& path);

}  // namespace hebb::skill
