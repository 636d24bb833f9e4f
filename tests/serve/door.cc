#include "tests/serve/door.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace hebb::test {

using api::Field;
using api::Operation;

namespace {

std::string text_of(const api::Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool offers(api::Door door, const Operation& operation, const api::Json& request) {
  return (operation.doors & door) != 0 &&
         std::ranges::all_of(request.items(), [&](const auto& member) {
           const Field* f = api::find_field(operation.request(), member.key());
           return !f || !(door == api::kCommandLine ? f->bounds.hidden : f->bounds.local);
         });
}

// What a command printed with --json.
api::Json answer_of(const ProcessResult& run) {
  INFO(run.err);
  if (run.err.starts_with("{\"type\"")) return {{"problem", api::Json::parse(run.err)}};
  REQUIRE(!run.out.empty());
  return api::Json::parse(run.out);
}

}  // namespace

std::vector<std::string> arguments_of(const Operation& operation, const api::Json& request,
                                      const std::string& file) {
  std::istringstream words(operation.command);
  std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
  for (const Field& f : operation.request()) {
    if (!request.contains(f.name)) continue;
    const api::Json& value = request[f.name];
    std::vector<std::string> texts;
    if (f.bounds.from_file) {
      const bool lines = f.list && f.kind == api::Kind::text && value.is_array();
      std::string content = lines ? "" : text_of(value);
      if (lines) {
        for (const api::Json& line : value) content += text_of(line) + "\n";
      }
      write_text(file, content);
      texts = {file};
    } else if (api::is_assigned(f)) {
      for (const auto& [key, v] : value.items()) texts.push_back(key + "=" + text_of(v));
    } else if (f.list && value.is_array()) {
      for (const api::Json& item : value) texts.push_back(text_of(item));
    } else {
      texts = {text_of(value)};
    }
    const auto& choices = f.bounds.choices;
    const bool is_choice =
        !f.bounds.flag_words.empty() && std::ranges::find(choices, texts[0]) != choices.end();
    for (const std::string& text : texts) {
      if (is_choice) {
        if (static_cast<std::size_t>(std::ranges::find(choices, text) - choices.begin()) <
            f.bounds.flag_words.size())
          arguments.push_back(api::option_named(text));
      } else if (f.kind == api::Kind::boolean) {
        arguments.push_back(api::option_name(f) + "=" + text);
      } else {
        if (!f.bounds.positional) arguments.push_back(api::option_name(f));
        arguments.push_back(text);
      }
    }
  }
  arguments.emplace_back("--json");
  return arguments;
}

Doors::Doors() : server_({"--now", kNow, "--tools", "all"}) {}

api::Json Doors::by_command(const Operation& operation, const api::Json& request) const {
  auto arguments = arguments_of(operation, request, server_.folder().file("text"));
  arguments.insert(arguments.end(), {"--now", kNow});
  return answer_of(server_.hebb(arguments));
}

api::Json Doors::by_http(const Operation& operation, const api::Json& request) const {
  std::string target = "/v1" + std::string(operation.path), query;
  api::Json body = api::Json::object();
  const bool in_query = operation.method == "GET" || operation.method == "DELETE";
  for (const auto& [name, value] : request.items()) {
    const std::string place = "{" + name + "}";
    if (const auto at = target.find(place); at != std::string::npos) {
      target.replace(at, place.size(), encoded(text_of(value)));
    } else if (!in_query) {
      body[name] = value;
    } else {
      for (const api::Json& one : value.is_array() ? value : api::Json::array({value}))
        query += (query.empty() ? "?" : "&") + name + "=" + encoded(text_of(one));
    }
  }
  const std::string answer = server_.ask(std::string(operation.method), target + query,
                                         in_query ? "" : kJson, in_query ? "" : body.dump());
  INFO(target << query << "\n" << answer);
  api::Json json = api::Json::parse(body_of(answer));
  return status_of(answer) == 200 ? json : api::Json{{"problem", json}};
}

api::Json Doors::by_mcp(const Operation& operation, const api::Json& request) const {
  const api::Json call{
      {"jsonrpc", "2.0"},
      {"id", 1},
      {"method", "tools/call"},
      {"params", {{"name", operation.about.name}, {"arguments", request}}}};
  const std::string answer = server_.ask("POST", "/mcp", kJson, call.dump());
  INFO(call << "\n" << answer);
  const api::Json result = api::Json::parse(body_of(answer)).at("result");
  if (!result.value("isError", false)) return result.at("structuredContent");
  return {{"problem", api::Json::parse(result.at("content").at(0).at("text").get<std::string>())}};
}

api::Json Doors::ask(api::Door door, const Operation& operation, const api::Json& request) {
  not_offered = !offers(door, operation, request);
  if (not_offered)
    door = offers(api::kCommandLine, operation, request) ? api::kCommandLine : api::kHttp;
  if (door == api::kCommandLine) return by_command(operation, request);
  return door == api::kHttp ? by_http(operation, request) : by_mcp(operation, request);
}

}  // namespace hebb::test
