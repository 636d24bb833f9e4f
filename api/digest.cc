#include "api/digest.h"

#include "engine/values/canonical_json.h"

namespace hebb::api {

std::string digest(std::string_view bytes) { return content_hash(bytes); }

}  // namespace hebb::api
