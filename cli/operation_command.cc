#include "cli/operation_command.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/did_you_mean.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

std::string type_name(const api::Field& field) {
  switch (field.kind) {
    case api::Kind::integer:
      return "INT";
    case api::Kind::number:
      return "NUMBER";
    case api::Kind::time:
      return "TIME";
    case api::Kind::duration:
      return "SPAN";
    case api::Kind::object:
    case api::Kind::any:
    case api::Kind::record:
      return "JSON";
    case api::Kind::boolean:
    case api::Kind::text:
      break;
  }
  if (field.bounds.choices.empty()) return "TEXT";
  return fmt::format("{{{}}}", fmt::join(field.bounds.choices, ","));
}

// For a value that is none of the field's choices: "; did you mean …?", or empty.
std::string meant_choice(const api::Field& field, const api::Json& value) {
  const auto& choices = field.bounds.choices;
  for (const api::Json& one : value.is_array() ? value : api::Json::array({value})) {
    if (!one.is_string()) continue;
    const auto text = one.get<std::string>();
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
      return did_you_mean_text(text, choices);
  }
  return {};
}

// The values that the options of a command have got, by their fields.
using Given = std::map<const api::Field*, api::Json>;

// `option` is the one that was given. Throws CLI::ValidationError, which CLI11 reports as a usage
// error.
void take(const api::Field& field, const std::string& option, Given& given, void* record,
          const api::Json& value) {
  if (const auto why = api::wrong_with(field, value); !why.empty())
    throw CLI::ValidationError(option, why + meant_choice(field, value));
  if (const auto [it, first] = given.emplace(&field, value); !first && it->second != value) {
    throw CLI::ValidationError(
        fmt::format("{} and {}, its old name, have different values; give one of them",
                    field.option_name(), field.old_option_name()));
  }
  field.set(record, value);
}

CLI::Option* add_field(CLI::App& command, const api::Field& field, const std::string& name,
                       const std::shared_ptr<Given>& given, void* record) {
  CLI::Option* option = nullptr;
  if (field.list) {
    option = command.add_option_function<std::vector<std::string>>(
        name,
        [&field, name, given, record](const std::vector<std::string>& texts) {
          api::Json values = api::Json::array();
          for (const auto& text : texts) values.push_back(api::from_text(field, text));
          take(field, name, *given, record, values);
        },
        field.words);
    // One value each time it is given, lest it takes the arguments that stand behind it.
    if (!field.bounds.positional) option->allow_extra_args(false);
  } else {
    option = command.add_option_function<std::string>(
        name,
        [&field, name, given, record](const std::string& text) {
          take(field, name, *given, record, api::from_text(field, text));
        },
        field.words);
  }
  option->type_name(type_name(field));
  return option;
}

}  // namespace

api::Problem in_options(const api::Problem& problem, const api::Fields& fields) {
  // A field may have more behind its name: "settings.top_k", "steps[2]".
  const auto option_of = [&](const std::string& path) -> std::optional<std::string> {
    const auto end = std::min(path.find_first_of(".["), path.size());
    const api::Field* field = api::find_field(fields, path.substr(0, end));
    if (!field) return std::nullopt;
    return field->option_name() + path.substr(end);
  };
  std::string text = problem.detail([&](const std::string& name) {
    return option_of(name).value_or(api::option_named(name));  // or of a command made by hand
  });
  // A refused event names its member first: "agent: must not be empty".
  const auto colon = problem.type == api::ProblemType::refused ? text.find(": ") : text.npos;
  if (colon != text.npos) {
    if (const auto option = option_of(text.substr(0, colon))) text.replace(0, colon, *option);
  }
  api::Problem said(problem.type, std::move(text), problem.field);
  said.reason = problem.reason;
  said.line = problem.line;
  said.retry_after_ms = problem.retry_after_ms;
  return said;
}

Engine& CommandSession::engine(api::Access access) {
  if (!engine_) engine_.emplace(context_.open(access));
  return *engine_;
}

Engine& CommandSession::waiting_engine(api::Access access, int wait_ms) {
  if (!engine_) engine_.emplace(context_.open(access, wait_ms));
  return *engine_;
}

sql::Database& CommandSession::tables(api::Access access) {
  if (engine_) return tables_of(*engine_);
  if (!tables_) tables_.emplace(context_.open_tables(access));
  return *tables_;
}

void CommandSession::end_of_report() {
  if (engine_ && flush_output()) engine_->forget_inputs();
}

Progress CommandSession::progress(const std::string& what) {
  return [bar = std::make_shared<ProgressBar>(context_, what)](
             std::size_t done, std::size_t total) { bar->update(done, total); };
}

CLI::App* add_operation_help(CLI::App& parent, Context& context, std::string_view operation,
                             std::function<void()> run) {
  const api::About& about = api::operation_named(operation).about;
  const std::string command(about.command);
  const auto blank = command.rfind(' ');
  return add_command(parent, context, command.substr(blank == std::string::npos ? 0 : blank + 1),
                     std::string(about.summary), std::string(about.example), std::move(run));
}

void add_fields(CLI::App& command, const api::Fields& fields, void* record) {
  const auto given = std::make_shared<Given>();
  for (const api::Field& field : fields) {
    if (field.bounds.hidden) continue;
    if (field.kind == api::Kind::boolean) {
      command.add_flag_callback(
          field.option_name(), [&field, record] { field.set(record, true); }, field.words);
      continue;
    }
    CLI::Option* option = add_field(command, field, field.option_name(), given, record);
    if (field.bounds.required) option->required();
    if (!field.preset.is_null())
      option->default_str(field.preset.is_string() ? field.preset.get<std::string>()
                                                   : field.preset.dump());
    if (const auto old = field.old_option_name(); !old.empty())
      add_field(command, field, old, given, record)->group("");
  }
}

}  // namespace hebb::cli
