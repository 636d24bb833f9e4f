#include "skill/capture/session.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "capture/actions/playwright_steps.h"
#include "capture/actions/score.h"
#include "skill/format/js_chain.h"
#include "skill/store/secrets.h"

namespace hebb::skill {
namespace {

std::vector<std::string> texts_of(const capture::ActionRow& row) {
  std::vector<std::string> texts;
  const Json result = Json::parse(row.result.value_or(""), nullptr, false);
  if (!result.is_object()) return texts;
  const Json content = result.value("content", Json());
  if (!content.is_array()) return texts;
  for (const Json& block : content) {
    const Json text = block.is_object() ? block.value("text", Json()) : Json();
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

// The statements under "### Ran Playwright code", one per line.
std::vector<std::string> code_of(std::string_view text) {
  constexpr std::string_view kHeading = "### Ran Playwright code\n```js\n";
  std::vector<std::string> lines;
  std::size_t begin = text.find(kHeading);
  while (begin != std::string_view::npos && begin > 0 && text[begin - 1] != '\n')
    begin = text.find(kHeading, begin + 1);
  if (begin == std::string_view::npos) return lines;
  text.remove_prefix(begin + kHeading.size());
  text = text.substr(0, text.find("\n```"));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("//") || line.find_first_not_of(' ') == std::string::npos) continue;
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string first_text_of(const Json& args, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = args.find(key);
    if (found != args.end() && found->is_string() && !found->get_ref<const std::string&>().empty())
      return found->get<std::string>();
  }
  return "";
}

Chain chain_of(const Json& args, const capture::PageElements& elements) {
  Chain chain;
  const std::string ref = first_text_of(args, {"uid", "ref", "target"});
  if (const auto* element = ref.empty() ? nullptr : elements.find(ref)) {
    if (!element->role.empty() && element->role != "generic") {
      Selector s = by_role(element->role, element->name);
      if (!element->alone) s.nth = static_cast<std::int64_t>(element->before);
      chain.push_back(std::move(s));
    }
  }
  if (const std::string css = first_text_of(args, {"selector", "css"}); !css.empty())
    chain.push_back(by(SelectorType::css, css));
  if (const std::string xpath = first_text_of(args, {"xpath"}); !xpath.empty())
    chain.push_back(by(SelectorType::xpath, xpath));
  return chain;
}

struct Verb {
  std::string_view part;  // of the tool's name; the first row that fits is used
  Kind kind;
};
constexpr auto kVerbs = std::to_array<Verb>({{"navigate_page", Kind::navigate},
                                             {"new_page", Kind::navigate},
                                             {"navigate", Kind::navigate},
                                             {"uncheck", Kind::uncheck},
                                             {"check", Kind::check},
                                             {"click", Kind::click},
                                             {"fill", Kind::fill},
                                             {"type", Kind::fill},
                                             {"press", Kind::press},
                                             {"select_option", Kind::select},
                                             {"hover", Kind::hover},
                                             {"drag", Kind::drag},
                                             {"upload", Kind::upload},
                                             {"handle_dialog", Kind::dialog}});

class SessionReader {
 public:
  CapturedSession read(std::span<const capture::ActionRow> rows) {
    for (const capture::ActionRow& row : rows) {
      if (!row.success) continue;
      const auto texts = texts_of(row);
      if (!from_code(row, texts) && !from_arguments(row)) leave_out(row);
      for (const std::string& text : texts) elements_.see(text);
    }
    for (const CapturedStep& s : out_.steps) {
      if (s.step.kind != Kind::navigate) continue;
      out_.start_url = s.step.args.value("url", "");
      break;
    }
    return std::move(out_);
  }

 private:
  bool from_code(const capture::ActionRow& row, const std::vector<std::string>& texts) {
    std::vector<CapturedStep> steps;
    bool any = false;
    for (const std::string& text : texts) {
      for (const std::string& line : code_of(text)) {
        any = true;
        const auto chain = parse_js_chain(line);
        auto step = chain ? step_of(*chain, tabs_) : std::nullopt;
        if (!step) return false;
        steps.push_back({*std::move(step), row.tool});
      }
    }
    for (CapturedStep& s : steps) add(std::move(s));
    return any;
  }

  bool from_arguments(const capture::ActionRow& row) {
    const Json args = Json::parse(row.args, nullptr, false);
    if (!args.is_object()) return false;
    for (const char* key : {"elements", "fields"}) {
      const auto list = args.find(key);
      if (list == args.end() || !list->is_array()) continue;
      return std::all_of(list->begin(), list->end(), [&](const Json& field) {
        return field.is_object() && one(row, field, Kind::fill);
      });
    }
    const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) {
      return row.tool.find(v.part) != std::string::npos;
    });
    return verb != kVerbs.end() && one(row, args, verb->kind);
  }

  bool one(const capture::ActionRow& row, const Json& args, Kind kind) {
    Step step;
    step.kind = kind;
    step.selectors = chain_of(args, elements_);
    switch (kind) {
      case Kind::navigate:
        step.selectors.clear();
        step.args["url"] = first_text_of(args, {"url"});
        if (step.args["url"] == "") return false;
        break;
      case Kind::fill:
        step.args["value"] = first_text_of(args, {"value", "text"});
        break;
      case Kind::press:
        step.args["key"] = first_text_of(args, {"key"});
        if (step.args["key"] == "") return false;
        break;
      case Kind::dialog:
        step.args["accept"] =
            args.value("accept", Json()) == true || args.value("action", Json()) == "accept";
        break;
      case Kind::click:
        if (args.value("dblClick", Json()) == true || args.value("doubleClick", Json()) == true)
          step.args["count"] = 2;
        break;
      case Kind::select:
      case Kind::drag:
      case Kind::upload:
        return false;  // only the server's code has the arguments that they need
      default:
        break;
    }
    if (needs_element(kind) && step.selectors.empty()) return false;
    add({std::move(step), row.tool});
    return true;
  }

  void add(CapturedStep captured) {
    // A part that was masked when it was recorded becomes a slot, named after the field.
    const auto value = captured.step.args.find("value");
    if (value != captured.step.args.end() && value->is_string()) {
      auto& text = value->get_ref<std::string&>();
      constexpr std::string_view kMask = "[masked]";
      const Chain& chain = captured.step.selectors;
      const std::string name = slot_name(chain.empty() ? "" : chain.front().value);
      for (std::size_t at = text.find(kMask); at != std::string::npos; at = text.find(kMask))
        text.replace(at, kMask.size(), slot(name));
    }
    out_.steps.push_back(std::move(captured));
  }

  void leave_out(const capture::ActionRow& row) {
    if (capture::changes_state(row.tool, row.read_only))
      out_.left_out.push_back(
          fmt::format("{}: names no element that could be found again", row.tool));
  }

  capture::PageElements elements_;
  std::vector<std::string> tabs_{"page"};
  CapturedSession out_;
};

}  // namespace

CapturedSession capture_session(std::span<const capture::ActionRow> rows) {
  return SessionReader().read(rows);
}

}  // namespace hebb::skill
