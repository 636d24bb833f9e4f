#include "skill/capture/arguments.h"

#include <algorithm>
#include <array>
#include <string>

#include "capture/ascii.h"

namespace hebb::skill {
namespace {

using Keys = std::initializer_list<const char*>;
using Steps = std::optional<std::vector<Step>>;

std::string first_text(const Json& args, Keys keys) {
  for (const char* key : keys) {
    const auto found = args.find(key);
    if (found != args.end() && found->is_string() && !found->get_ref<const std::string&>().empty())
      return found->get<std::string>();
  }
  return "";
}

std::optional<std::string> given_text(const Json& args, Keys keys) {
  for (const char* key : keys) {
    const auto found = args.find(key);
    if (found != args.end() && found->is_string()) return found->get<std::string>();
  }
  return std::nullopt;
}

bool is_true(const Json& args, const char* key) {
  const auto found = args.find(key);
  return found != args.end() && *found == true;
}

bool are_texts(const Json& list) {
  return list.is_array() && !list.empty() &&
         std::all_of(list.begin(), list.end(), [](const Json& v) { return v.is_string(); });
}

bool is_ref(std::string_view target) {  // e12, f1e12
  const std::size_t e = target.rfind('e');
  return e != std::string_view::npos && e + 1 < target.size() &&
         target.find_first_not_of("0123456789", e + 1) == std::string_view::npos &&
         (e == 0 || (target.front() == 'f' && target.find_first_not_of("0123456789", 1) == e));
}

struct Target {
  Chain chain;
  std::vector<Chain> frames;
  std::string role;  // as the snapshot has it; empty: not known
};

// The element that one of these members names by the ref or uid of the last snapshot.
Target listed_element(const Json& args, const PageElements& elements, Keys keys) {
  const auto* element = elements.find(first_text(args, keys));
  if (element == nullptr) return {};
  return {chain_of(*element), element->frames, element->role};
}

Selector by_part(SelectorType type, std::string value) {
  Selector s = by(type, std::move(value));
  s.exact = false;  // servers that take such arguments look for a part of the text
  return s;
}

Target target_in(const Json& args, const PageElements& elements, bool text_is_target) {
  Target target = listed_element(args, elements, {"uid", "ref", "target"});
  const auto add = [&](SelectorType type, Keys keys) {
    if (std::string value = first_text(args, keys); !value.empty())
      target.chain.push_back(by(type, std::move(value)));
  };
  const auto add_part = [&](SelectorType type, Keys keys) {
    if (std::string value = first_text(args, keys); !value.empty())
      target.chain.push_back(by_part(type, std::move(value)));
  };
  const std::string given = first_text(args, {"target"});
  if (target.chain.empty() && !given.empty() && !is_ref(given))
    target.chain.push_back(by(SelectorType::css, given));
  if (const std::string role = first_text(args, {"role"}); !role.empty()) {
    Selector s = by_role(role, first_text(args, {"name", "accessible_name"}));
    s.exact = false;
    target.chain.push_back(std::move(s));
  }
  add(SelectorType::test_id, {"testId", "test_id"});
  add_part(SelectorType::label, {"label"});
  add_part(SelectorType::placeholder, {"placeholder"});
  add(SelectorType::css, {"selector", "css", "cssSelector"});
  add(SelectorType::xpath, {"xpath"});
  if (text_is_target) add_part(SelectorType::text, {"text"});
  return target;
}

Step step_on(Kind kind, const Target& target) {
  Step step;
  step.kind = kind;
  step.selectors = target.chain;
  step.frames = target.frames;
  return step;
}

Steps fill(const Json& args, const PageElements& elements) {
  for (const char* key : {"elements", "fields"}) {
    const auto list = args.find(key);
    if (list == args.end() || !list->is_array()) continue;
    std::vector<Step> all;
    for (const Json& field : *list) {
      const Steps one = field.is_object() ? fill(field, elements) : std::nullopt;
      if (!one) return std::nullopt;
      all.insert(all.end(), one->begin(), one->end());
    }
    return all.empty() ? std::nullopt : Steps(std::move(all));
  }
  const auto value = given_text(args, {"value", "text", "input"});
  const Target into = target_in(args, elements, false);
  if (!value || into.chain.empty()) return std::nullopt;
  Step step = step_on(Kind::fill, into);
  const std::string type = first_text(args, {"type"});
  const std::string& role = type.empty() ? into.role : type;
  if (role == "combobox" || role == "listbox") {
    step.kind = Kind::select;
    step.args["values"] = Json::array({*value});
  } else if (role == "checkbox" || role == "radio" || role == "switch") {
    if (role == "radio" && *value != "true") return std::nullopt;
    step.kind = *value == "true" ? Kind::check : Kind::uncheck;
  } else {
    step.args["value"] = *value;
  }
  std::vector<Step> steps{std::move(step)};
  if (is_true(args, "submit")) {
    steps.push_back(step_on(Kind::press, into));
    steps.back().args["key"] = "Enter";
  }
  return steps;
}

bool drag_args(Step& step, const Json& args, const PageElements& elements) {
  const Target from = listed_element(args, elements, {"from_uid", "startTarget", "startRef"});
  const Target to = listed_element(args, elements, {"to_uid", "endTarget", "endRef"});
  step.selectors = from.chain;
  step.frames = from.frames;
  step.to = to.chain;
  return !from.chain.empty() && !to.chain.empty() && from.frames == to.frames;
}

bool select_args(Step& step, const Json& args) {
  for (const char* key : {"values", "value", "option"}) {
    const auto found = args.find(key);
    if (found == args.end()) continue;
    step.args["values"] = found->is_string() ? Json::array({*found}) : *found;
    return are_texts(step.args["values"]);
  }
  return false;
}

bool upload_args(Step& step, const Json& args) {
  // The name of a file field may end in what was chosen: its label does not.
  if (!step.selectors.empty() && step.selectors.front().type == SelectorType::role_name) {
    const std::string name = step.selectors.front().value;
    if (!name.empty()) step.selectors.push_back(by(SelectorType::label, name));
  }
  for (const char* key : {"filePaths", "paths", "files", "filePath", "path"}) {
    const auto found = args.find(key);
    if (found == args.end()) continue;
    step.args["files"] = found->is_string() ? Json::array({*found}) : *found;
    return are_texts(step.args["files"]);
  }
  return false;
}

bool wait_args(Step& step, const Json& args) {
  const auto found = args.find("text");
  if (found == args.end()) return false;
  const bool one = found->is_array() && found->size() == 1 && found->front().is_string();
  if (one) step.args["text"] = found->front();
  if (found->is_string()) step.args["text"] = *found;
  return step.args.contains("text");
}

bool scroll_args(Step& step, const Json& args) {
  for (const char* key : {"deltaX", "dx", "deltaY", "dy"}) {
    const auto found = args.find(key);
    if (found == args.end() || !found->is_number()) continue;
    step.args[std::string_view(key).ends_with('X') || key == std::string_view("dx") ? "dx" : "dy"] =
        *found;
  }
  if (step.args.contains("dx") && !step.args.contains("dy")) step.args["dy"] = 0;
  return !step.args.empty() || !step.selectors.empty();
}

// What the kind needs besides its element; false: it is not there.
bool read_args(Step& step, const Json& args, const PageElements& elements) {
  switch (step.kind) {
    case Kind::navigate:
      step.selectors.clear();
      step.frames.clear();
      step.args["url"] = first_text(args, {"url"});
      return step.args["url"] != "";
    case Kind::press:
      step.args["key"] = first_text(args, {"key"});
      return step.args["key"] != "";
    case Kind::dialog: {
      const Json accept = args.value("accept", Json());
      step.args["accept"] = accept == true || args.value("action", Json()) == "accept";
      if (const auto text = given_text(args, {"promptText"})) step.args["value"] = *text;
      return true;
    }
    case Kind::click:
      if (is_true(args, "dblClick") || is_true(args, "doubleClick")) step.args["count"] = 2;
      return true;
    case Kind::viewport:
      for (const char* side : {"width", "height"}) step.args[side] = args.value(side, Json());
      return step.args["width"].is_number_integer() && step.args["height"].is_number_integer();
    case Kind::select:
      return select_args(step, args);
    case Kind::drag:
      return drag_args(step, args, elements);
    case Kind::upload:
      return upload_args(step, args);
    case Kind::wait:
      return wait_args(step, args);
    case Kind::scroll:
      return scroll_args(step, args);
    default:
      return true;
  }
}

struct Verb {
  std::string_view part;  // of the tool's name; the first row that fits is used
  Kind kind;
};
constexpr auto kVerbs = std::to_array<Verb>({{"navigate", Kind::navigate},
                                             {"goto", Kind::navigate},
                                             {"open_url", Kind::navigate},
                                             {"new_page", Kind::navigate},
                                             {"uncheck", Kind::uncheck},
                                             {"check", Kind::check},
                                             {"click", Kind::click},
                                             {"fill", Kind::fill},
                                             {"type", Kind::fill},
                                             {"press", Kind::press},
                                             {"select_option", Kind::select},
                                             {"select", Kind::select},
                                             {"submit", Kind::submit},
                                             {"scroll", Kind::scroll},
                                             {"hover", Kind::hover},
                                             {"drag", Kind::drag},
                                             {"upload", Kind::upload},
                                             {"handle_dialog", Kind::dialog},
                                             {"resize", Kind::viewport},
                                             {"wait", Kind::wait}});

// browser_takeSnapshot -> browser, take, snapshot
std::vector<std::string> words_of(std::string_view tool) {
  std::vector<std::string> words(1);
  for (const char c : tool) {
    const bool begins = !is_letter(c) || is_upper(c);
    if (begins && !words.back().empty()) words.emplace_back();
    if (is_letter(c)) words.back() += to_lower(c);
  }
  return words;
}

constexpr auto kLooking = std::to_array<std::string_view>(
    {"snapshot", "screenshot", "screencast", "heapsnapshot", "console", "network", "performance",
     "lighthouse", "tracing", "trace", "get", "list", "find", "read", "wait", "verify", "generate",
     "pdf", "install"});
constexpr auto kDoing =
    std::to_array<std::string_view>({"set", "clear", "delete", "add", "remove"});

}  // namespace

Steps steps_of_arguments(std::string_view tool, const Json& args, const PageElements& elements) {
  std::string name(tool);
  std::replace(name.begin(), name.end(), '-', '_');
  const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) {
    return name.find(v.part) != std::string::npos;
  });
  if (verb == kVerbs.end() || !args.is_object()) return std::nullopt;
  if (verb->kind == Kind::fill) return fill(args, elements);
  const bool text_is_target = verb->kind == Kind::click || verb->kind == Kind::check ||
                              verb->kind == Kind::uncheck || verb->kind == Kind::hover;
  Step step = step_on(verb->kind, target_in(args, elements, text_is_target));
  if (!read_args(step, args, elements)) return std::nullopt;
  if (needs_element(step.kind) && step.selectors.empty()) return std::nullopt;
  return std::vector<Step>{std::move(step)};
}

bool only_looks(std::string_view tool, std::optional<bool> read_only) {
  if (read_only == true) return true;
  const auto words = words_of(tool);
  const auto any = [&](std::span<const std::string_view> list) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return capture::among(list, word); });
  };
  return any(kLooking) && !any(kDoing);
}

std::string_view why_no_step(std::string_view tool) {
  const auto has = [&](std::string_view part) { return tool.find(part) != tool.npos; };
  if (has("evaluate") || has("run_code") || has("script")) return "it runs code of its own";
  if (has("back") || has("forward") || has("navigate") || has("reload"))
    return "no step goes through a browser's history";
  if (has("tab") || has("page")) return "no step opens a page of its own";
  return "it does what no step does, or names no element that could be found again";
}

}  // namespace hebb::skill
