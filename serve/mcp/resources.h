// The resources hebb://rank and hebb://task/ID, and the prompt "what_next".
#pragma once

#include <string>
#include <string_view>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

inline constexpr std::string_view kRankUri = "hebb://rank";

api::Json resources();
api::Json resource_templates();
// The uri of a request. Throws RpcError.
std::string uri_of(const api::Json& params);
// What a uri names: the id of a task, or kRankResource. Throws RpcError if it names no resource.
std::string resource_of(const std::string& uri);
inline constexpr std::string_view kRankResource = "";
// Its contents: uri, mimeType, text. Throws RpcError if there is no such resource.
api::Json read_resource(api::Session& session, const std::string& uri);

api::Json prompts();
api::Json get_prompt(api::Session& session, const api::Json& params);

}  // namespace hebb::serve::mcp
