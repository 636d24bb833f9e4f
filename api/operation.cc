#include "api/operation.h"

#include <stdexcept>

namespace hebb::api {

Operation::Operation(About description) : about(std::move(description)) {
  command = about.command.empty() ? about.name : about.command;
  if (const auto first = command.find('_'); first != std::string::npos) command[first] = ' ';
  const auto blank = about.route.find(' ');
  method = about.route.substr(0, blank);
  if (blank != std::string_view::npos) path = about.route.substr(blank + 1);
  effect = about.writes || (!method.empty() && method != "GET") ? Effect::writes : Effect::reads;
  doors = 0;
  if (about.command_line) doors |= kCommandLine;
  if (!path.empty()) doors |= kHttp;
  if (about.tool != Tool::none) doors |= kMcp;
  if (effect == Effect::writes) about.problems.push_back(ProblemType::read_only);
}

Answer::Answer(const Fields& fields, std::shared_ptr<const void> result, Json understood)
    : fields_(&fields),
      result_(std::move(result)),
      understood_(std::move(understood)),
      rows_(first_list(fields, result_.get())) {}

std::optional<Json> Answer::row(std::size_t index) const {
  Json row = rows_ ? rows_->get(result_.get(), index) : Json();
  return row.is_null() ? std::nullopt : std::optional(std::move(row));
}

Json Answer::written(const Field* left_out) const {
  return answer_of(write_record(*fields_, result_.get(), left_out), understood_);
}

Json Operation::call(Session& session, const Json& request) const try {
  return run(session, request).whole();
} catch (...) {
  throw problem_of(std::current_exception());
}

bool Operation::listed(Tool list) const {
  return about.tool == Tool::core || (about.tool == Tool::all && list == Tool::all);
}

Fields Operation::remote_request() const {
  Fields fields;
  for (const Field& field : request()) {
    if (!field.bounds.local) fields.push_back(field);
  }
  return fields;
}

Json answer_of(Json result, Json understood) {
  if (!understood.is_null()) result[kUnderstood] = std::move(understood);
  result[kSchemaVersion] = kSchemaVersionNow;
  return result;
}

Json Operation::result_schema() const {
  Json schema = schema_of(result(), Role::result);
  schema["properties"][kSchemaVersion] = schema_version_schema();
  schema["required"].push_back(kSchemaVersion);
  if (!is_understood(request())) return schema;
  schema["properties"][kUnderstood] = {
      {"type", "object"},
      {"additionalProperties",
       {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}}},
      {"description", "The times and ids that were taken, where others were written"}};
  return schema;
}

// The families, each with one file's operations, in the order of the help.
Operations upkeep_operations(), move_operations(), ingest_files_operations(), ingest_operations(),
    rank_operations(), next_operations(), claims_operations(), outcome_operations(),
    tasks_operations(), explain_operations(), nodes_operations(), edges_operations(),
    look_operations(), recall_operations(), policy_operations(), undo_operations(),
    dead_letters_operations(), study_operations(), actions_operations(), tools_operations(),
    skill_save_operations(), skill_operations(), skill_run_operations(),
    skill_contract_operations();

std::span<const Operation> operations() {
  static const Operations kOperations = [] {
    Operations all;
    for (auto* family : {upkeep_operations,  move_operations,         ingest_files_operations,
                         ingest_operations,  rank_operations,         next_operations,
                         claims_operations,  outcome_operations,      tasks_operations,
                         explain_operations, nodes_operations,        edges_operations,
                         look_operations,    recall_operations,       policy_operations,
                         undo_operations,    dead_letters_operations, study_operations,
                         actions_operations, tools_operations,        skill_save_operations,
                         skill_operations,   skill_run_operations,    skill_contract_operations}) {
      for (Operation& o : family()) all.push_back(std::move(o));
    }
    return all;
  }();
  return kOperations;
}

const Operation* find_operation(std::string_view name) {
  for (const Operation& o : operations()) {
    if (o.about.name == name) return &o;
  }
  return nullptr;
}

const Operation& operation_named(std::string_view name) {
  if (const Operation* found = find_operation(name)) return *found;
  throw std::out_of_range("there is no operation " + std::string(name));
}

}  // namespace hebb::api
