#include "cli/operation_command.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "api/files.h"
#include "api/policy.h"
#include "cli/choice.h"
#include "cli/outcome_hook.h"
#include "cli/output.h"

namespace hebb::cli {

namespace {

std::string type_name(const api::Field& field) {
  switch (field.kind) {
    case api::Kind::integer:
      return "INT";
    case api::Kind::bytes:
      return "SIZE";
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
    case api::Kind::node:
      break;
  }
  if (field.bounds.choices.empty()) return "TEXT";
  return fmt::format("{{{}}}", fmt::join(field.bounds.choices, ","));
}

// What the option says, and where its value comes from, if that is a file.
std::string help_of(const api::Field& field) {
  if (!field.bounds.from_file) return field.words;
  const bool lines = field.list && field.kind == api::Kind::text;
  return fmt::format("{}; from a file{} (- is stdin)", field.words,
                     lines        ? ", one on each line"
                     : field.list ? ", as a JSON array"
                                  : "");
}

// An option, flag or argument whose words are read after parsing.
CLI::Option* add_field(CLI::App& command, const api::Field& field) {
  if (field.kind == api::Kind::boolean) return command.add_flag(field.option_name(), field.words);
  const auto is_taken = [](const CLI::results_t&) { return true; };
  const bool repeats = field.list || field.bounds.joined || field.is_assigned();
  const bool is_file = field.bounds.from_file;
  CLI::Option* option = command.add_option(field.option_name(), is_taken, help_of(field));
  option->type_name(is_file ? "FILE" : type_name(field))->type_size(1);
  if (field.is_assigned() || (is_file && field.bounds.positional)) option->type_name("");
  if (repeats && !is_file) {
    option->expected(1, CLI::detail::expected_max_vector_size);
    // An option has one value each time it is given, lest it takes the arguments behind it.
    option->allow_extra_args(field.bounds.positional);
  }
  if (field.bounds.required) option->required();
  if (!field.preset.is_null())
    option->default_str(field.preset.is_string() ? field.preset.get<std::string>()
                                                 : field.preset.dump());
  return option;
}

// Lines without the blanks around them; empty ones are passed over.
Json lines_of(const std::string& text) {
  Json lines = Json::array();
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t from = line.find_first_not_of(" \t\r");
    if (from != std::string::npos)
      lines.push_back(line.substr(from, line.find_last_not_of(" \t\r") - from + 1));
  }
  return lines;
}

// What a file holds for a field: a text, lines of a list of texts, else JSON.
Json from_file(const api::Field& field, const std::string& file) {
  if (file.empty()) {
    throw api::Problem(api::ProblemType::invalid_argument,
                       api::named(field.name) + " names no file", field.name);
  }
  const std::string text = api::read_file(file);
  if (field.kind == api::Kind::text) return field.list ? lines_of(text) : Json(text);
  Json json = Json::parse(text, nullptr, false);
  const auto why = json.is_discarded()              ? "is not JSON"
                   : field.list && !json.is_array() ? "has no list"
                   : field.list && json.empty()     ? "has an empty list"
                                                    : api::wrong_with(field, json);
  if (why.empty()) return json;
  throw UnreadableInput(
      fmt::format("{} {}{}", api::shown_name(file), why,
                  field.list ? "; it must be a JSON array of numbers, such as [0.1, -0.2]" : ""));
}

// KEY=VALUE each, or one key and its value as two words.
Json assigned(const api::Field& field, const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0].find('=') == std::string::npos) return {{words[0], words[1]}};
  Json object = Json::object();
  for (const auto& [key, value] : api::parse_settings(words, field.name)) object[key] = value;
  return object;
}

Json value_of(const api::Field& field, const std::vector<std::string>& words) {
  if (field.bounds.from_file) return from_file(field, words.front());
  if (field.bounds.joined) return fmt::format("{}", fmt::join(words, " "));
  if (field.is_assigned()) return assigned(field, words);
  if (!field.list) {
    Json value = api::from_text(field, words.front());
    if (!value.is_null()) return value;
    const std::string why = api::wrong_with(field, value);
    throw api::Problem(api::ProblemType::invalid_argument,
                       fmt::format("{} {}", api::named(field.name), why.empty() ? "is null" : why),
                       field.name);
  }
  Json values = Json::array();
  for (const auto& word : words) values.push_back(api::from_text(field, word));
  return values;
}

// Of a flag: true, or what stands behind its "="; a text that is neither true nor false stays one.
Json flag_value(const CLI::Option& flag) {
  const std::string text = flag.results().empty() ? "true" : flag.results().back();
  try {
    return CLI::detail::to_flag_value(text) > 0;
  } catch (const std::invalid_argument&) {
    return text;
  }
}

// The options of a command, which may have several operations: by how many arguments there are, one
// is chosen.
struct Options {
  std::vector<const api::Operation*> operations;
  std::map<std::string, CLI::Option*> named;  // by the name of a field, or of a choice
  std::vector<CLI::Option*> arguments;

  const api::Operation& chosen() const;
  Json request(const api::Operation& operation) const;
  std::string file_of(const api::Field& field) const;  // empty: it is not taken from a file
};

std::vector<const api::Field*> positional(const api::Operation& operation) {
  std::vector<const api::Field*> fields;
  for (const api::Field& f : operation.request())
    if (f.bounds.positional && !f.bounds.hidden) fields.push_back(&f);
  return fields;
}

bool is_choice(const api::Operation& o, const std::string& name) {
  return std::ranges::any_of(o.request(), [&](const api::Field& f) {
    return !f.bounds.flag_words.empty() &&
           std::ranges::find(f.bounds.choices, name) != f.bounds.choices.end();
  });
}

const api::Operation& Options::chosen() const {
  const auto given = static_cast<std::size_t>(
      std::ranges::count_if(arguments, [](const CLI::Option* o) { return o->count() > 0; }));
  const auto fits = [&](const api::Operation* o) {
    const auto fields = positional(*o);
    const auto required =
        std::ranges::count_if(fields, [](const auto* f) { return f->bounds.required; });
    return given >= static_cast<std::size_t>(required) && given <= fields.size() &&
           std::ranges::all_of(named, [&](const auto& option) {
             return option.second->count() == 0 || is_choice(*o, option.first) ||
                    api::find_field(o->request(), option.first);
           });
  };
  const auto found = std::ranges::find_if(operations, fits);
  if (found != operations.end()) return **found;
  return given == 0 ? *operations.front() : *operations.back();  // it says what is missing
}

Json Options::request(const api::Operation& operation) const {
  Json request = Json::object();
  const auto given = [](const CLI::Option* o) { return o && o->count() > 0; };
  const auto arguments_of = positional(operation);
  for (std::size_t i = 0; i < arguments_of.size(); ++i) {
    if (given(arguments[i]))
      request[arguments_of[i]->name] = value_of(*arguments_of[i], arguments[i]->results());
  }
  for (const auto& [name, option] : named) {
    if (!given(option) || is_choice(operation, name)) continue;
    const api::Field* field = api::find_field(operation.request(), name);
    if (!field)
      throw Stop(kUsage, fmt::format("{} does not go with these arguments", option->get_name()));
    request[name] = field->kind == api::Kind::boolean ? flag_value(*option)
                                                      : value_of(*field, option->results());
  }
  for (const api::Field& field : operation.request()) {
    if (field.bounds.flag_words.empty()) continue;
    std::vector<std::string> chosen;
    for (const auto& choice : field.bounds.choices) {
      const auto flag = named.find(choice);
      if (flag != named.end() && given(flag->second) && flag_value(*flag->second) == true)
        chosen.push_back(choice);
    }
    if (chosen.size() == 1) request[field.name] = chosen.front();
  }
  return request;
}

std::string Options::file_of(const api::Field& field) const {
  for (const CLI::Option* option : arguments) {
    if (field.bounds.from_file && option->get_name() == field.option_name() && option->count() > 0)
      return api::shown_name(option->results().front());
  }
  return {};
}

void add_options(CLI::App& command, Options& options) {
  for (const api::Operation* o : options.operations) {
    std::size_t place = 0;
    for (const api::Field& field : o->request()) {
      if (field.bounds.hidden) continue;
      if (!field.bounds.flag_words.empty()) {
        for (std::size_t i = 0; i < field.bounds.flag_words.size(); ++i) {
          const auto& choice = field.bounds.choices[i];
          options.named[choice] =
              command.add_flag(api::option_named(choice), field.bounds.flag_words[i]);
        }
      } else if (!field.bounds.positional) {
        if (!options.named.contains(field.name))
          options.named[field.name] = add_field(command, field);
      } else if (place++ == options.arguments.size()) {
        options.arguments.push_back(add_field(command, field));
      }
    }
  }
  if (options.operations.size() == 1) return;
  for (CLI::Option* argument : options.arguments) argument->required(false);
}

}  // namespace

api::Problem in_options(const api::Problem& problem, const api::Fields& fields,
                        const FileOf& file_of) {
  // A field may have more behind its name: "settings.top_k", "steps[2]".
  const auto option_of = [&](const std::string& path) -> std::optional<std::string> {
    const auto end = std::min(path.find_first_of(".["), path.size());
    const api::Field* field = api::find_field(fields, path.substr(0, end));
    if (!field) return std::nullopt;
    if (file_of) {
      if (auto file = file_of(*field); !file.empty()) return file;
    }
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

EngineOptions CommandSession::opening(api::Access access) const {
  EngineOptions options = context_.opening(access);
  options.busy_timeout_ms = wait_ms_;
  return options;
}

void CommandSession::end_of_report() {
  if (opened() && flush_output()) opened()->forget_inputs();
}

Progress CommandSession::progress(const std::string& what) {
  return [bar = std::make_shared<ProgressBar>(context_, what)](
             std::size_t done, std::size_t total) { bar->update(done, total); };
}

CLI::App* add_operation_help(CLI::App& parent, Context& context, std::string_view operation,
                             std::function<void()> run) {
  const api::Operation& named = api::operation_named(operation);
  const api::About& about = named.about;
  const std::string& command = named.command;
  const auto blank = command.rfind(' ');
  return add_command(parent, context, command.substr(blank == std::string::npos ? 0 : blank + 1),
                     std::string(about.summary), std::string(about.example), std::move(run));
}

void note_understood(api::Session& session, const api::Fields& fields, const Json& understood) {
  for (const auto& [name, meant] : understood.items()) {
    const api::Field& field = *api::find_field(fields, name);
    const bool time = field.kind == api::Kind::time;
    session.note(
        fmt::format("{} is {}", field.option_name(),
                    time ? format_time(api::time_value(meant)) : meant.get<std::string>()));
  }
}

void run(const Context& context, const View& view, const api::Operation& operation, Json request,
         const FileOf& file_of) {
  CommandSession session(context, view);
  const Json result = with_options(operation.request(), file_of, [&] {
    if (view.prepare) view.prepare(context, request);
    if (!view.run) return operation.call(session, request);
    view.run(context, session, request);
    return Json();
  });
  if (view.run) return session.end_of_report();
  if (result.contains(api::kUnderstood)) {
    request.update(result[api::kUnderstood]);
    if (!context.json) note_understood(session, operation.request(), result[api::kUnderstood]);
  }
  if (context.json) {
    context.print_json(result);
  } else {
    show(context, view, request, result);
  }
  if (view.end) view.end(context, request, result);
  session.end_of_report();
}

void add_operation(CLI::App& parent, Context& context, Views views) {
  const auto options = std::make_shared<Options>();
  const auto all = std::make_shared<Views>(std::move(views));
  for (const View& view : *all)
    options->operations.push_back(&api::operation_named(view.operation));
  const auto run_chosen = [&context, options, all] {
    const api::Operation& chosen = options->chosen();
    const auto view = std::ranges::find(*all, chosen.about.name, &View::operation);
    const FileOf file_of = [&](const api::Field& field) { return options->file_of(field); };
    Json request =
        with_options(chosen.request(), file_of, [&] { return options->request(chosen); });
    run(context, *view, chosen, std::move(request), file_of);
  };
  const View& first = all->front();
  CLI::App* command = add_operation_help(parent, context, first.operation, run_chosen);
  std::string examples;
  for (const api::Operation* o : options->operations)
    examples += fmt::format("{}{}", examples.empty() ? "" : "\n", o->about.example);
  command->footer("Examples:\n" + examples);
  if (!first.does.empty()) command->description(std::string(first.does));
  add_options(*command, *options);
  for (const View& view : *all) {
    if (view.on_outcome) add_outcome_hook(*command, context);
    if (view.options) view.options(*command, context);
  }
}

void add_format(CLI::App& command, Context& context, std::string preset,
                const std::vector<std::string>& choices, const std::string& does) {
  command.add_option("--format", context.format, does)->check(one_of(choices))->default_str(preset);
  command.preparse_callback(
      [&context, preset = std::move(preset)](std::size_t) { context.format = preset; });
}

}  // namespace hebb::cli
