// Checks JSON by a JSON Schema (2020-12), of which it knows what artifact_schema() uses:
// type (null excepted), const, enum-like anyOf, minLength, maxLength, minimum, maximum, minItems,
// maxItems, items, properties, required, additionalProperties: false, dependentSchemas, and $ref
// to $defs.
#pragma once

#include <string>

#include "skill/artifact/fields.h"

namespace hebb::skill {

// Throws Invalid with the place, what is there and what is allowed. `root` has the $defs. Of an
// anyOf whose alternatives have a constant member, that member says which one is meant.
void check_schema(const Json& value, const Json& schema, const Json& root, const std::string& path);

}  // namespace hebb::skill
