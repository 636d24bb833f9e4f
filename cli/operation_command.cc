#include "cli/operation_command.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "api/files.h"
#include "api/policy.h"
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
    case api::Kind::priority:
      return "PRIORITY";
    case api::Kind::number:
      return "NUMBER";
    case api::Kind::time:
      return "TIME";
    case api::Kind::duration:
    case api::Kind::seconds:
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

// The help of an option, and that its value is in a file, if it is.
std::string help_of(const api::Field& field) {
  if (!field.bounds.from_file) return field.description;
  const bool lines = field.list && field.kind == api::Kind::text;
  return fmt::format("{}; from a file{} (- is stdin)", field.description,
                     lines        ? ", one on each line"
                     : field.list ? ", as a JSON array"
                                  : "");
}

// An option, flag or argument whose words are read after parsing.
CLI::Option* add_field(CLI::App& command, const api::Field& field) {
  if (field.kind == api::Kind::boolean)
    return command.add_flag(api::option_name(field), field.description);
  const auto is_taken = [](const CLI::results_t&) { return true; };
  const bool repeats = field.list || field.bounds.joined || api::is_assigned(field);
  const bool is_file = field.bounds.from_file;
  const std::string names =
      field.bounds.option.empty() ? api::option_name(field) : std::string(field.bounds.option);
  CLI::Option* option = command.add_option(names, is_taken, help_of(field));
  option->type_name(is_file ? "FILE" : type_name(field))->type_size(1);
  if (api::is_assigned(field) || (is_file && field.bounds.positional)) option->type_name("");
  if (repeats && !is_file) {
    option->expected(1, CLI::detail::expected_max_vector_size);
    // An option has one value each time it is given, lest it takes the arguments behind it.
    option->allow_extra_args(field.bounds.positional);
  }
  if (field.bounds.required) option->required();
  if (const Json& value = field.default_value; !value.is_null()) {
    option->default_str(value.is_string() ? value.get<std::string>()
                        : field.kind == api::Kind::duration
                            ? api::duration_text(value.get<TimeMs>())
                            : value.dump());
  }
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

// The value of a field from a file: a text, lines of a list of texts, else JSON.
Json from_file(const api::Field& field, const std::string& file) {
  if (file.empty()) {
    throw api::Problem(api::ProblemType::invalid_argument,
                       api::named(field.name) + " names no file", field.name);
  }
  const std::string text = api::read_file(file);
  if (field.kind == api::Kind::text) return field.list ? lines_of(text) : Json(text);
  Json json = json_or_discarded(text);
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
  if (api::is_assigned(field)) return assigned(field, words);
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

// A flag's value: true, or the text after its "="; one that is neither true nor false stays a text.
Json flag_value(const CLI::Option& flag) {
  const std::string text = flag.results().empty() ? "true" : flag.results().back();
  try {
    return CLI::detail::to_flag_value(text) > 0;
  } catch (const std::invalid_argument&) {
    return text;
  }
}

// The part of an operation that a command offers.
struct Offered {
  explicit Offered(const View& view);
  const api::Fields& fields() const { return own.empty() ? operation->request() : own; }

  const View* view;
  const api::Operation* operation;
  api::Fields own;  // empty: all fields of the operation
};

Offered::Offered(const View& of) : view(&of), operation(&api::operation_named(of.operation)) {
  for (const Argument& argument : view->arguments) {
    api::Field& field = own.emplace_back(*api::find_field(operation->request(), argument.field));
    field.bounds.positional = true;
    field.bounds.required = argument.required;
    field.bounds.option = argument.shown;
  }
  for (const std::string_view name : view->takes)
    own.push_back(*api::find_field(operation->request(), name));
}

// The options of a command. If it has several operations, the number of arguments selects one.
struct Options {
  std::vector<Offered> offered;
  std::map<std::string, CLI::Option*> named;  // by the name of a field, or of a choice
  std::vector<CLI::Option*> arguments;

  const Offered& chosen() const;
  Json request(const Offered& command) const;
  std::string file_of(const api::Field& field) const;  // empty: the value is in no file
};

std::vector<const api::Field*> positional(const api::Fields& fields) {
  std::vector<const api::Field*> found;
  for (const api::Field& f : fields)
    if (f.bounds.positional && !f.bounds.hidden) found.push_back(&f);
  return found;
}

bool is_choice(const api::Fields& fields, const std::string& name) {
  return std::ranges::any_of(fields, [&](const api::Field& f) {
    return !f.bounds.flag_words.empty() &&
           std::ranges::find(f.bounds.choices, name) != f.bounds.choices.end();
  });
}

const Offered& Options::chosen() const {
  const auto given = static_cast<std::size_t>(
      std::ranges::count_if(arguments, [](const CLI::Option* o) { return o->count() > 0; }));
  const auto fits = [&](const Offered& o) {
    const auto fields = positional(o.fields());
    const auto required =
        std::ranges::count_if(fields, [](const auto* f) { return f->bounds.required; });
    return given >= static_cast<std::size_t>(required) && given <= fields.size() &&
           std::ranges::all_of(named, [&](const auto& option) {
             return option.second->count() == 0 || is_choice(o.fields(), option.first) ||
                    api::find_field(o.fields(), option.first);
           });
  };
  const auto found = std::ranges::find_if(offered, fits);
  if (found != offered.end()) return *found;
  return given == 0 ? offered.front() : offered.back();  // its error names what is missing
}

Json Options::request(const Offered& command) const {
  Json request = Json::object();
  const auto given = [](const CLI::Option* o) { return o && o->count() > 0; };
  const auto arguments_of = positional(command.fields());
  for (std::size_t i = 0; i < arguments_of.size(); ++i) {
    if (given(arguments[i]))
      request[arguments_of[i]->name] = value_of(*arguments_of[i], arguments[i]->results());
  }
  for (const auto& [name, option] : named) {
    if (!given(option) || is_choice(command.fields(), name)) continue;
    const api::Field* field = api::find_field(command.fields(), name);
    if (!field)
      throw Stop(kUsage, fmt::format("{} does not go with these arguments", option->get_name()));
    request[name] = field->kind == api::Kind::boolean ? flag_value(*option)
                                                      : value_of(*field, option->results());
  }
  for (const api::Field& field : command.fields()) {
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
    if (field.bounds.from_file && option->get_name() == api::option_name(field) &&
        option->count() > 0)
      return api::shown_name(option->results().front());
  }
  return {};
}

void add_options(CLI::App& command, Options& options) {
  for (const Offered& o : options.offered) {
    std::size_t place = 0;
    for (const api::Field& field : o.fields()) {
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
  if (options.offered.size() == 1) return;
  for (CLI::Option* argument : options.arguments) argument->required(false);
}

}  // namespace

api::Problem in_options(const api::Problem& problem, const api::Fields& fields,
                        const FileOf& file_of) {
  // A path may go on after the field's name: "settings.top_k", "steps[2]".
  const auto option_of = [&](const std::string& path) -> std::optional<std::string> {
    const auto end = std::min(path.find_first_of(".["), path.size());
    const api::Field* field = api::find_field(fields, path.substr(0, end));
    if (!field) return std::nullopt;
    if (file_of) {
      if (auto file = file_of(*field); !file.empty()) return file;
    }
    return api::option_name(*field) + path.substr(end);
  };
  std::string text = problem.detail([&](const std::string& name) {
    return option_of(name).value_or(api::option_named(name));  // else an option that is no field
  });
  // A refused event names its member first: "agent: must not be empty".
  const auto colon = problem.type == api::ProblemType::refused ? text.find(": ") : text.npos;
  if (colon != text.npos) {
    if (const auto option = option_of(text.substr(0, colon))) text.replace(0, colon, *option);
  }
  api::Problem shown(problem.type, std::move(text), problem.field);
  shown.reason = problem.reason;
  shown.line = problem.line;
  shown.retry_after_ms = problem.retry_after_ms;
  return shown;
}

void note_understood(api::Session& session, const api::Fields& fields, const Json& asked,
                     const Json& understood) {
  for (const auto& [name, meant] : understood.items()) {
    const api::Field& field = *api::find_field(fields, name);
    if (field.kind == api::Kind::time) {
      session.note(
          fmt::format("{} is {}", api::option_name(field), format_time(api::time_value(meant))));
      continue;
    }
    const auto list = [](const Json& one) { return one.is_array() ? one : Json::array({one}); };
    const Json written = list(asked[name]), taken = list(meant);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto text = written[i].get<std::string>(), id = taken[i].get<std::string>();
      if (text != id) session.note(fmt::format("\"{}\" was taken as {}", text, id));
    }
  }
}

void run(const Context& context, const View& view, const api::Operation& operation, Json request,
         const api::Fields& fields, const FileOf& file_of) {
  CommandSession session(context, view);
  const Json result = with_options(fields, file_of, [&] {
    if (view.prepare) view.prepare(context, request);
    if (!view.run) return operation.call(session, request);
    view.run(context, session, request);
    return Json();
  });
  if (view.run) return;
  if (result.contains(api::kUnderstood)) {
    if (!context.json) note_understood(session, fields, request, result[api::kUnderstood]);
    request.update(result[api::kUnderstood]);
  }
  if (context.json) {
    context.print_json(result);
  } else {
    view.print(context, request, result);
  }
  if (view.end) view.end(context, request, result);
}

void add_operation(CLI::App& parent, Context& context, Views views) {
  const auto all = std::make_shared<Views>(std::move(views));
  const auto options = std::make_shared<Options>();
  for (const View& view : *all) options->offered.emplace_back(view);
  const auto run_chosen = [&context, options, all] {
    const Offered& chosen = options->chosen();
    const FileOf file_of = [&](const api::Field& field) { return options->file_of(field); };
    Json request = with_options(chosen.fields(), file_of, [&] { return options->request(chosen); });
    run(context, *chosen.view, *chosen.operation, std::move(request), chosen.fields(), file_of);
  };
  const View& first = all->front();
  std::string words(command_of(first));
  std::string examples;
  for (const Offered& o : options->offered) {
    const auto example = o.view->example.empty() ? o.operation->about.example : o.view->example;
    examples += fmt::format("{}{}", examples.empty() ? "" : "\n", example);
    if (o.operation->about.more != nullptr) examples += "\n\n" + o.operation->about.more();
  }
  const auto does =
      first.does.empty() ? options->offered.front().operation->about.summary : first.does;
  CLI::App* command = add_command(parent, context, words.substr(words.rfind(' ') + 1),
                                  std::string(does), examples, run_chosen);
  add_options(*command, *options);
  if (first.several) command->parse_complete_callback([&context] { context.asks_several = true; });
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
