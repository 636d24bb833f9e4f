#include "api/describe.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::api {

namespace {

bool offered(const Operation& o, Door door) { return (o.doors & door) != 0; }

// The names in braces in a route.
bool in_path(const Operation& o, const Field& field) {
  return o.path.find("{" + field.name + "}") != std::string_view::npos;
}

Json field_schema(const Field& field, Role role) {
  return schema_of({field}, role)["properties"][field.name];
}

Json parameter(const Field& field, bool of_path) {
  return {{"name", field.name},
          {"in", of_path ? "path" : "query"},
          {"required", of_path || field.bounds.required},
          {"description", field.description},
          {"schema", field_schema(field, Role::request)}};
}

Json problem_response(std::string_view description) {
  return {
      {"description", description},
      {"content",
       {{"application/problem+json", {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}}};
}

std::vector<ProblemType> all_problems(const Operation& o) {
  std::vector<ProblemType> types = o.about.problems;
  types.insert(types.end(), {ProblemType::invalid_argument, ProblemType::busy,
                             ProblemType::no_database, ProblemType::failed});
  return types;
}

Json responses_of(const Operation& o) {
  Json responses;
  responses["200"] = {{"description", "Done"},
                      {"content", {{"application/json", {{"schema", o.result_schema()}}}}}};
  for (const ProblemType type : all_problems(o)) {
    const ProblemInfo& info = info_of(type);
    Json& response = responses[std::to_string(info.http_status)];
    if (response.is_null()) response = problem_response(info.title);
  }
  return responses;
}

Json route(const Operation& o) {
  Json out{{"operationId", o.about.name},
           {"summary", o.about.summary},
           {"tags", {o.effect == Effect::reads ? "reads" : "writes"}}};
  Json parameters = Json::array();
  Fields body;
  const bool in_query = o.method == "GET" || o.method == "DELETE";
  for (const Field& f : o.remote_request()) {
    const bool of_path = in_path(o, f);
    if (of_path || in_query) {
      parameters.push_back(parameter(f, of_path));
    } else {
      body.push_back(f);
    }
  }
  if (o.effect == Effect::writes)
    parameters.push_back({{"$ref", "#/components/parameters/IdempotencyKey"}});
  if (!body.empty()) {
    out["requestBody"] = {
        {"required", true},
        {"content", {{"application/json", {{"schema", schema_of(body, Role::request)}}}}}};
  }
  if (o.about.takes_file) {
    // The body is the file itself; the other fields are in the query.
    for (const Field& f : body) {
      if (f.name != "outcomes" && f.name != "content") parameters.push_back(parameter(f, false));
    }
    for (const char* type : {"application/x-ndjson", "application/xml"})
      out["requestBody"]["content"][type] = {{"schema", {{"type", "string"}}}};
  }
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  out["responses"] = responses_of(o);
  return out;
}

// The stream of events. It never ends, so it is not in the list of operations.
Json stream_route() {
  const auto number = [](const char* name, const char* in, const char* words, Json schema) {
    schema["type"] = "integer";
    schema["minimum"] = 0;
    return Json{{"name", name},
                {"in", in},
                {"required", false},
                {"description", words},
                {"schema", std::move(schema)}};
  };
  return {
      {"operationId", "events_stream"},
      {"summary", "Server-sent events: what is appended, and how the top changes"},
      {"tags", {"reads"}},
      {"parameters",
       {number("after", "query", "From behind this position in the ledger; else from its end",
               Json::object()),
        number("top", "query", "How many tasks at the top to tell of",
               {{"maximum", 100}, {"default", 10}}),
        number("Last-Event-ID", "header", "The id of the last event that came: to go on behind it",
               Json::object())}},
      {"responses",
       {{"200",
         {{"description",
           "`append` with the position as its id, and a record as in /v1/ledger; `top` with the "
           "tasks whenever they change"},
          {"content", {{"text/event-stream", {{"schema", {{"type", "string"}}}}}}}}},
        {"400", problem_response("that is no position in this ledger")},
        {"429", problem_response("there are too many streams")}}}};
}

Json problem_schema() {
  Json types = Json::array();
  for (const ProblemInfo& info : problem_types()) types.push_back(info.name);
  return {{"type", "object"},
          {"required", {"type", "title", "detail", kSchemaVersion}},
          {"properties",
           {{"type", {{"type", "string"}, {"enum", types}}},
            {"title", {{"type", "string"}, {"description", "The type in words"}}},
            {"detail", {{"type", "string"}, {"description", "What, where, and what to do"}}},
            {"field", {{"type", "string"}, {"description", "The field that is wrong"}}},
            {"reason", {{"type", "string"}, {"description", "Why an event is refused: a code"}}},
            {"line", {{"type", "integer"}, {"description", "Of the input"}}},
            {"retry_after_ms", {{"type", "integer"}, {"description", "When to try again"}}},
            {kSchemaVersion, schema_version_schema()}}}};
}

// --- for people ----------------------------------------------------------------------------------

std::string kind_text(const Field& f) {
  static constexpr std::string_view kNames[] = {
      "text",   "id",   "integer", "size", "integer or text",
      "number", "flag", "time",    "span", "seconds or span",
      "object", "any",  "object"};
  std::string text(kNames[static_cast<std::size_t>(f.kind)]);
  return f.list ? text + "[]" : text;
}

std::string bounds_text(const Field& f) {
  std::vector<std::string> parts;
  if (f.bounds.required) parts.emplace_back("required");
  constexpr double kNoBound = 1e9;  // larger limits only mean the type's range
  const bool least = f.bounds.min.has_value(), most = f.bounds.max && *f.bounds.max < kNoBound;
  if (least && most) parts.push_back(fmt::format("{} to {}", *f.bounds.min, *f.bounds.max));
  if (least && !most) parts.push_back(fmt::format("from {}", *f.bounds.min));
  if (most && !least) parts.push_back(fmt::format("up to {}", *f.bounds.max));
  if (!f.bounds.choices.empty())
    parts.push_back(fmt::format("one of `{}`", fmt::join(f.bounds.choices, "`, `")));
  if (!f.default_value.is_null() && f.default_value != false)
    parts.push_back(fmt::format("else `{}`", f.default_value.is_string()
                                                 ? f.default_value.get<std::string>()
                                                 : f.default_value.dump()));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// The name that a record has in the page: "gc_report" for hebb::GcReport.
struct Record {
  Fields fields;
  Role role;
  std::string_view part;  // the part() that the fields are of; empty: a whole record
};
using Records = std::map<std::string, Record>;

std::string page_name(std::string_view record) {
  std::string name;
  for (const char c : record.substr(record.rfind(':') + 1)) {
    if (c >= 'A' && c <= 'Z' && !name.empty()) name += '_';
    name += to_lower(std::string(1, c));
  }
  return name;
}

// Parts of records that several operations have. Each is described once.
using Parts = std::map<std::string_view, std::set<const Fields*>>;

bool is_shared(std::string_view part) {
  static const Parts kParts = [] {
    Parts all;
    for (const Operation& o : operations()) {
      for (const Fields* fields : {&o.request(), &o.result()}) {
        for (const Field& f : *fields) all[f.part_of].insert(fields);
      }
    }
    return all;
  }();
  const auto found = kParts.find(part);
  return !part.empty() && found != kParts.end() && found->second.size() > 1;
}

void add_rows(std::string& out, const Fields& fields, Role role, Records& records,
              std::string_view whole = {}) {
  std::set<std::string_view> listed;
  for (const Field& f : fields) {
    if (f.part_of != whole && is_shared(f.part_of)) {
      const std::string name = page_name(f.part_of);
      if (!listed.insert(f.part_of).second) continue;
      Fields part;
      std::ranges::copy_if(fields, std::back_inserter(part),
                           [&](const Field& other) { return other.part_of == f.part_of; });
      records.emplace(name, Record{std::move(part), role, f.part_of});
      out += fmt::format("- those of [{}](#{})\n", name, name);
      continue;
    }
    std::string kind = kind_text(f);
    if (f.record) {
      const std::string name = page_name(f.type->record_name);
      records.emplace(name, Record{f.record(), role, {}});
      kind = fmt::format("[{}](#{}){}", name, name, f.list ? "[]" : "");
    }
    std::vector<std::string> details;
    if (kind != "text") details.push_back(std::move(kind));
    if (role == Role::request) {
      if (auto bounds = bounds_text(f); !bounds.empty()) details.push_back(std::move(bounds));
    }
    const std::string in_brackets =
        details.empty() ? "" : fmt::format(" ({})", fmt::join(details, "; "));
    const bool may_be_missing = role == Role::result && !f.always;
    out += fmt::format("- `{}`{}{}: {}\n", f.name, may_be_missing ? "?" : "", in_brackets,
                       f.description);
  }
}

std::string doors_text(const Operation& o) {
  std::vector<std::string> doors;
  if (offered(o, kCommandLine)) doors.push_back(fmt::format("`hebb {}`", o.command));
  if (offered(o, kHttp)) doors.push_back(fmt::format("`{} /v1{}`", o.method, o.path));
  if (offered(o, kMcp)) doors.push_back(fmt::format("MCP `{}`", o.about.name));
  return fmt::format("{}", fmt::join(doors, ", "));
}

// The place that describes a whole request or result: the name of a record, or of the first
// operation that has them.
using Places = std::map<std::pair<const Fields*, Role>, std::string>;

void add_records(const Fields& fields, Role role, Places& places) {
  for (const Field& f : fields) {
    if (!f.record) continue;
    if (places.emplace(std::pair(&f.record(), role), page_name(f.type->record_name)).second)
      add_records(f.record(), role, places);
  }
}

void add_whole(std::string& out, const Operation& o, Role role, Places& places, Records& records) {
  const Fields& fields = role == Role::request ? o.request() : o.result();
  if (fields.empty()) return;
  out += role == Role::request ? "\nRequest:" : "\nResult:";
  const auto [place, is_new] = places.emplace(std::pair(&fields, role), o.about.name);
  if (is_new) {
    out += "\n\n";
    return add_rows(out, fields, role, records);
  }
  const std::string& name = place->second;
  out += fmt::format(" [{}](#{}).\n", name, name);
  const auto all = operations();
  const auto has_name = [&](const Operation& other) { return other.about.name == name; };
  if (std::ranges::none_of(all, has_name)) records.emplace(name, Record{fields, role, {}});
}

std::string section(const Operation& o, Places& places, Records& records) {
  std::string out =
      fmt::format("\n## {}\n\n{}. {}.\n", o.about.name, o.about.summary, doors_text(o));
  add_whole(out, o, Role::request, places, records);
  add_whole(out, o, Role::result, places, records);
  std::vector<std::string> problems;
  for (const ProblemType type : o.about.problems) {
    if (type != ProblemType::read_only) problems.push_back(fmt::format("`{}`", info_of(type).name));
  }
  if (!problems.empty()) out += fmt::format("\nErrors: {}.\n", fmt::join(problems, ", "));
  return out;
}

// The hand-written part of the page is everything before its first heading.
constexpr std::string_view kHead =
    "# Operations\n\nEvery operation of hebb with its command, its HTTP route, its MCP tool and "
    "its fields, for other programs. `hebb api docs` prints this page, `hebb api openapi` an "
    "OpenAPI 3.1 document, `hebb api mcp` the MCP tools, `hebb api schemas` JSON "
    "Schemas.\n\nNames in JSON are in snake_case. A time is RFC 3339 in UTC, a span a number of "
    "milliseconds, `[]` a list; what has no kind here is text. A member with `?` may be missing. "
    "On the command line a field is an option of its name with dashes, or an argument in "
    "capitals. Files that `import` and `ingest` read keep the names of their formats, such as "
    "`taskId`.\n\nA request also takes times, spans and ids as people write them "
    "([formats.md](formats.md#times-spans-and-ids)); `understood` in the result says what was "
    "taken.\n\nEvery answer has `schema_version` 1, which goes up when a member goes or changes "
    "its meaning. Output in lines (`export`, `rank --format`, the stream of events) has "
    "none.\n\nAn error is one object: on stderr with `--json`, as `application/problem+json` over "
    "HTTP, in the result of a tool over MCP. Every operation may end with `invalid_argument`, "
    "`busy`, `no_database` or `failed`, and one that writes with `read_only`.\n";

}  // namespace

Json openapi() {
  Json paths = Json::object();
  for (const Operation& o : operations()) {
    if (!offered(o, kHttp)) continue;
    const std::string method = to_lower(std::string(o.method));
    paths["/v1" + std::string(o.path)][method] = route(o);
  }
  paths["/v1/events"]["get"] = stream_route();
  return {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "hebb"},
        {"version", HEBB_VERSION},
        {"description", "A graph of tasks that learns from outcomes and answers \"what next?\""},
        {"license", {{"name", "MIT"}, {"identifier", "MIT"}}}}},
      {"servers", {{{"url", "http://127.0.0.1:7433"}}}},
      {"security", {{{"bearer", Json::array()}}, Json::object()}},
      {"tags",
       {{{"name", "reads"}, {"description", "Says nothing new"}},
        {{"name", "writes"}, {"description", "Appends to the ledger"}}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas", {{"Problem", problem_schema()}}},
        {"parameters",
         {{"IdempotencyKey",
           {{"name", "Idempotency-Key"},
            {"in", "header"},
            {"required", false},
            {"description", "A request that is sent again under its key counts once"},
            {"schema", {{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}}}}}},
        {"securitySchemes", {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

Json mcp_tools(Tool list) {
  Json tools = Json::array();
  for (const Operation& o : operations()) {
    if (!o.listed(list)) continue;
    const bool reads = o.effect == Effect::reads;
    Fields fields = o.remote_request();
    if (list == Tool::core) std::erase_if(fields, [](const Field& f) { return f.bounds.rare; });
    Json tool{{"name", o.about.name},
              {"title", o.command},
              {"description", o.about.summary},
              {"inputSchema", schema_of(fields, Role::arguments)}};
    if (list == Tool::all) tool["outputSchema"] = o.result_schema();
    tool["annotations"] = {{"readOnlyHint", reads},
                           {"idempotentHint", reads || o.about.idempotent},
                           {"destructiveHint", o.about.destructive},
                           {"openWorldHint", o.about.open_world}};
    tools.push_back(std::move(tool));
  }
  return tools;
}

// Gives the schemas of records their names, for programs that make types of them.
static void add_titles(Json& schema, std::string_view name, const Fields& fields) {
  schema["title"] = name.substr(name.rfind(':') + 1);
  for (const Field& f : fields) {
    if (!f.record) continue;
    Json& property = schema["properties"][f.name];
    add_titles(f.list ? property["items"] : property, f.type->record_name, f.record());
  }
}

Json schemas() {
  Json all = Json::array();
  for (const Operation& o : operations()) {
    Json doors = Json::array();
    if (offered(o, kCommandLine)) doors.push_back("command_line");
    if (offered(o, kHttp)) doors.push_back("http");
    if (offered(o, kMcp)) doors.push_back("mcp");
    Json result = o.result_schema();
    add_titles(result, o.result_name, o.result());
    all.push_back({{"name", o.about.name},
                   {"command", o.command},
                   {"summary", o.about.summary},
                   {"doors", std::move(doors)},
                   {"request", schema_of(o.request(), Role::request)},
                   {"result", std::move(result)}});
  }
  return {{"operations", std::move(all)}, {"problem", problem_schema()}};
}

std::string api_page(std::string_view program) {
  std::string out = std::string(kHead) + std::string(program) +
                    "\n## Errors\n\n| `type` | meaning | exit code | HTTP |\n|---|---|---|---|\n";
  for (const ProblemInfo& info : problem_types()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", info.name, info.title, info.exit_code,
                       info.http_status);
  }
  Places places;
  for (const Operation& o : operations()) {
    add_records(o.request(), Role::request, places);
    add_records(o.result(), Role::result, places);
  }
  Records found, shown;
  for (const Operation& o : operations()) out += section(o, places, found);
  out += "\n## Records\n";
  while (shown.size() < found.size()) {
    const Records now = found;
    for (const auto& [name, record] : now) {
      if (!shown.emplace(name, record).second) continue;
      out += fmt::format("\n### {}\n\n", name);
      add_rows(out, record.fields, record.role, found, record.part);
    }
  }
  return out;
}

}  // namespace hebb::api
