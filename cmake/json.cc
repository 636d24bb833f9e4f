// The parts of nlohmann's JSON that every file shares.
#include <nlohmann/json.hpp>

HEBB_JSON_TEMPLATES(template)
