// The resources hebb://rank and hebb://task/ID, and the prompt "what_next".
#include <fmt/format.h>

#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

namespace {

constexpr std::string_view kTask = "hebb://task/";
constexpr std::string_view kWhatNext = "what_next";
constexpr int kRankLimit = 10;

Json ranking(api::Session& session, int limit) {
  return call(api::operation_named("rank"), session, {{"limit", limit}, {"why", true}});
}

Json contents(const std::string& uri, const Json& value) {
  return {{"uri", uri},
          {"mimeType", "application/json"},
          {"text", value.dump(2, ' ', false, Json::error_handler_t::replace)}};
}

[[noreturn]] void not_found(const std::string& uri, const std::string& why) {
  throw RpcError(kResourceNotFound, why, {{"uri", uri}});
}

// The number of tasks from the prompt's argument `limit`, which older versions call `top`.
int limit_of(const Json& params) {
  const Json given = params.value("arguments", Json());
  const char* name = given.contains("limit") ? "limit" : "top";
  constexpr int kUsual = 3;
  if (!given.contains(name)) return kUsual;  // also if `given` is no object
  const Json& limit = given.at(name);
  if (limit.is_null() || limit == "") return kUsual;
  const Json number =
      limit.is_string() ? json_or_discarded(limit.get_ref<const std::string&>()) : limit;
  if (!number.is_number_integer() || number < 1 || number > 100)
    throw RpcError(kInvalidParams,
                   fmt::format("\"{}\" has to be a whole number from 1 to 100", name));
  return number.get<int>();
}

std::string what_next(const Json& ranked) {
  if (ranked.at("tasks").empty()) {
    return "No task in hebb can be done now. Make one with the tool `add`, or find out with "
           "`explain` what holds the others back.";
  }
  std::string text = "These are the best next tasks by hebb, the best first:\n\n";
  for (const Json& task : ranked.at("tasks")) {
    const auto name = task.value("name", "");
    text += fmt::format("{}. {}{}", task.at("rank").get<int>(), task.at("id").get<std::string>(),
                        name.empty() ? "" : ": " + name);
    std::string why;
    for (const Json& reason : task.value("why", Json::array()))
      why += (why.empty() ? "" : ", ") + reason.get<std::string>();
    text += why.empty() ? "\n" : fmt::format(" ({})\n", why);
  }
  return text +
         "\nRead hebb://task/ID for what is known of a task. Take the first unless something "
         "speaks against it, say which one and why, do it, and report the outcome with "
         "the tool `outcome` so that the ranking learns.";
}

}  // namespace

Json resources() {
  return Json::array({{{"uri", kRankUri},
                       {"name", "rank"},
                       {"title", "The ranking"},
                       {"description", "What to do next, best first, with the reasons"},
                       {"mimeType", "application/json"}}});
}

Json resource_templates() {
  return Json::array({{{"uriTemplate", fmt::format("{}{{id}}", kTask)},
                       {"name", "task"},
                       {"title", "A task"},
                       {"description", "All fields of one node, by its id"},
                       {"mimeType", "application/json"}}});
}

std::string uri_of(const Json& params) {
  const std::string* uri = text_in(params, "uri");
  if (!uri) throw RpcError(kInvalidParams, "the request needs a uri");
  return *uri;
}

std::string resource_of(const std::string& uri) {
  if (uri == kRankUri) return std::string(kRankResource);
  if (!uri.starts_with(kTask) || uri.size() == kTask.size())
    not_found(uri, "there are the resources hebb://rank and hebb://task/ID");
  auto id = percent_decoded(std::string_view(uri).substr(kTask.size()));
  if (!id) not_found(uri, "the id is not percent-encoded as a URI has it");
  return std::move(*id);
}

Json read_resource(api::Session& session, const std::string& uri) {
  const std::string id = resource_of(uri);
  if (id == kRankResource) return contents(uri, ranking(session, kRankLimit));
  try {
    Json node = call(api::operation_named("node_get"), session, {{"id", id}}).at("node");
    if (node.at("id") != id) not_found(uri, "a resource has the whole id of its task");
    node.erase("vector");
    return contents(uri, node);
  } catch (const api::Problem& problem) {
    if (problem.type == api::ProblemType::not_found) not_found(uri, problem.what());
    throw;
  }
}

Json prompts() {
  return Json::array({{{"name", kWhatNext},
                       {"title", "What next?"},
                       {"description", "Which task to work on now, and why"},
                       {"arguments", Json::array({{{"name", "limit"},
                                                   {"description", "How many tasks to weigh"},
                                                   {"required", false}}})}}});
}

Json get_prompt(api::Session& session, const Json& params) {
  const std::string* name = text_in(params, "name");
  if (!name || *name != kWhatNext)
    throw RpcError(kInvalidParams, fmt::format("there is one prompt: {}", kWhatNext));
  const std::string text = what_next(ranking(session, limit_of(params)));
  return {{"description", "Which task to work on now, and why"},
          {"messages",
           Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}})}};
}

}  // namespace hebb::serve::mcp
