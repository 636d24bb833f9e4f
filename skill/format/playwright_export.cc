// A test for @playwright/test.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include "skill/format/format.h"
#include "skill/format/js_chain.h"
#include "skill/format/playwright.h"
#include "skill/store/secrets.h"
#include "text/ascii.h"

namespace hebb::skill {
namespace {

// A literal in printable ASCII, so that no text from a page can end the literal or the line.
std::string literal(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// An expression for a text whose slots are read from the environment.
std::string value_of(std::string_view text) {
  std::string out;
  for (const std::string& name : slot_names(text)) {
    const std::string here = slot(name);
    const std::size_t at = text.find(here);
    if (at > 0) out += fmt::format("{}{}", out.empty() ? "" : " + ", literal(text.substr(0, at)));
    out += fmt::format("{}process.env.HEBB_SECRET_{}", out.empty() ? "" : " + ", name);
    text.remove_prefix(at + here.size());
  }
  if (!text.empty() || out.empty())
    out += fmt::format("{}{}", out.empty() ? "" : " + ", literal(text));
  return out;
}

std::string locator(const std::string& root, const Selector& s) {
  std::string out = root;
  for (const Selector& outer : s.within) out = locator(out, outer);
  const std::string exact = s.exact ? ", { exact: true }" : "";
  switch (s.type) {
    case SelectorType::role_name:
      if (s.value.empty() && !s.exact) {
        out += fmt::format(".getByRole({})", literal(s.role));
        break;
      }
      out += fmt::format(".getByRole({}, {{ name: {}{} }})", literal(s.role), value_of(s.value),
                         s.exact ? ", exact: true" : "");
      break;
    case SelectorType::accessible_name:
    case SelectorType::label:
      out += fmt::format(".getByLabel({}{})", value_of(s.value), exact);
      break;
    case SelectorType::test_id:
      out += fmt::format(".getByTestId({})", value_of(s.value));
      break;
    case SelectorType::placeholder:
      out += fmt::format(".getByPlaceholder({}{})", value_of(s.value), exact);
      break;
    case SelectorType::text:
      out += fmt::format(".getByText({}{})", value_of(s.value), exact);
      break;
    case SelectorType::xpath:
      out += fmt::format(".locator({})", value_of("xpath=" + s.value));
      break;
    case SelectorType::css:
    case SelectorType::node_ref:
      out += fmt::format(".locator({})", value_of(s.value));
      break;
  }
  if (!s.has_text.empty()) out += fmt::format(".filter({{ hasText: {} }})", value_of(s.has_text));
  if (s.nth == -1) return out + ".last()";
  if (s.nth) out += fmt::format(".nth({})", *s.nth);
  return out;
}

const Selector* usable(const Chain& chain) {
  const auto found = std::find_if(chain.begin(), chain.end(), [](const Selector& s) {
    return s.type != SelectorType::node_ref;
  });
  return found == chain.end() ? nullptr : &*found;
}

std::string page_of(const Step& step) {
  return step.tab == 0 ? "page" : fmt::format("page{}", step.tab);
}

// An expression for an element in the step's frame; empty: there is none, or Playwright cannot
// find it.
std::string target(const Step& step, const Chain& elements) {
  const Selector* s = usable(elements);
  if (s == nullptr || step.frame_ordinal != 0) return "";
  std::string root = page_of(step);
  for (const Chain& chain : step.frames) {
    const Selector* owner = usable(chain);
    if (owner == nullptr) return "";
    root = locator(root, *owner) + ".contentFrame()";
  }
  return locator(root, *s);
}

std::string list(const Step& step, const char* key) {
  std::string out;
  for (const Json& v : step.args[key])
    out += fmt::format("{}{}", out.empty() ? "" : ", ", value_of(v.get<std::string>()));
  return "[" + out + "]";
}

std::string wait_of(const Step& step, const std::string& on) {
  const std::string page = page_of(step);
  if (const std::string wanted = text_member(step.args, "text"); !wanted.empty())
    return fmt::format("{}.getByText({}).first().waitFor()", page, value_of(wanted));
  if (const std::string expression = text_member(step.args, "expression"); !expression.empty())
    return fmt::format("{}.waitForFunction({})", page, value_of(expression));
  for (const char* key : {"count", "attributes", "properties", "text_gone"})
    if (step.args.contains(key)) return "";
  const Json time = step.args.value("time_ms", Json());
  if (on.empty())
    return time.is_number() && step.args.size() == 1
               ? fmt::format("{}.waitForTimeout({})", page, literal(time))
               : "";
  if (!step.args.contains("visible")) return on + ".waitFor()";
  return fmt::format("{}.waitFor({{ state: \"{}\" }})", on,
                     step.args["visible"] == false ? "hidden" : "visible");
}

std::string click_of(const Step& step, const std::string& on) {
  Json options = Json::object();
  const Json count = step.args.value("count", Json(1));
  if (step.args.contains("button")) options["button"] = mouse_button(step.args);
  if (step.args.contains("modifiers")) options["modifiers"] = step.args["modifiers"];
  if (step.args.contains("offsetX") && step.args.contains("offsetY"))
    options["position"] = {{"x", step.args["offsetX"]}, {"y", step.args["offsetY"]}};
  if (step.args.contains("count") && count != 2) options["clickCount"] = count;
  const std::string given = options.empty() ? "" : literal(options);
  return fmt::format("{}.{}({})", on, count == 2 ? "dblclick" : "click", given);
}

// An expression to await; empty: Playwright cannot do the step.
std::string action(const Step& step) {
  const std::string on = target(step, step.selectors), page = page_of(step);
  if ((needs_element(step.kind) || !step.selectors.empty()) && on.empty()) return "";
  switch (step.kind) {
    case StepKind::navigate:
      return fmt::format("{}.goto({})", page, value_of(text_member(step.args, "url")));
    case StepKind::click:
      return click_of(step, on);
    case StepKind::fill:
      return fmt::format("{}.fill({})", on, value_of(text_member(step.args, "value")));
    case StepKind::press:
      return fmt::format("{}.press({})", on.empty() ? page + ".keyboard" : on,
                         literal(text_member(step.args, "key")));
    case StepKind::key_down:
    case StepKind::key_up:
      if (!on.empty()) return "";
      return fmt::format("{}.keyboard.{}({})", page,
                         step.kind == StepKind::key_down ? "down" : "up",
                         literal(text_member(step.args, "key")));
    case StepKind::select:
      if (step.args.contains("values"))
        return fmt::format("{}.selectOption({})", on, list(step, "values"));
      if (step.args.contains("label"))
        return fmt::format("{}.selectOption({{ label: {} }})", on,
                           value_of(text_member(step.args, "label")));
      return fmt::format("{}.selectOption({})", on, value_of(text_member(step.args, "value")));
    case StepKind::submit:
      return fmt::format("{}.evaluate((e) => {})", on, kSubmitBody);
    case StepKind::check:
      return on + ".check()";
    case StepKind::uncheck:
      return on + ".uncheck()";
    case StepKind::hover:
      return on + ".hover()";
    case StepKind::upload:
      return fmt::format("{}.setInputFiles({})", on, list(step, "files"));
    case StepKind::drag: {
      const std::string to = target(step, step.to);
      return to.empty() ? "" : fmt::format("{}.dragTo({})", on, to);
    }
    case StepKind::scroll:
      if (step.args.contains("dx") || step.args.contains("dy"))
        return fmt::format("{}.mouse.wheel({}, {})", page, literal(step.args.value("dx", Json(0))),
                           literal(step.args.value("dy", Json(0))));
      if (step.args.contains("x") || step.args.contains("y") || on.empty()) return "";
      return on + ".scrollIntoViewIfNeeded()";
    case StepKind::viewport:
      return fmt::format("{}.setViewportSize({{ width: {}, height: {} }})", page,
                         literal(step.args["width"]), literal(step.args["height"]));
    case StepKind::wait:
      return wait_of(step, on);
    case StepKind::close:
      return page + ".close()";
    default:
      return "";
  }
}

std::string expectation(const Assertion& a) {
  const std::string no = a.absent ? ".not" : "";
  if (!a.url.empty())
    return fmt::format("expect.poll(() => matches(page.url(), {})).toBe({})", value_of(a.url),
                       !a.absent);
  if (!a.title.empty())
    return fmt::format("expect.poll(async () => (await page.title()).includes({})).toBe({})",
                       value_of(a.title), !a.absent);
  if (!a.text.empty())
    return fmt::format("expect(page.locator(\"body\")){}.toContainText({})", no, value_of(a.text));
  const std::string on = fmt::format("expect({})", locator("page", a.selectors.front()));
  if (a.count) return fmt::format("{}{}.toHaveCount({})", on, no, *a.count);
  if (a.value) return fmt::format("{}{}.toHaveValue({})", on, no, value_of(*a.value));
  if (a.contains) return fmt::format("{}{}.toContainText({})", on, no, value_of(*a.contains));
  if (a.state == "hidden") return on + no + ".toBeHidden()";
  if (a.state == "enabled") return on + no + ".toBeEnabled()";
  if (a.state == "disabled") return on + no + ".toBeDisabled()";
  if (a.state == "checked") return on + no + ".toBeChecked()";
  if (a.state == "unchecked") return on + (a.absent ? "" : ".not") + ".toBeChecked()";
  if (a.state == "editable") return on + no + ".toBeEditable()";
  return on + no + ".toBeVisible()";
}

// The names of all slots, each once.
std::set<std::string> slots_of(const Exported& skill) {
  std::set<std::string> names;
  const auto add = [&](std::string_view text) {
    for (std::string& name : slot_names(text)) names.insert(std::move(name));
  };
  add(skill.start_url);
  for (const Step& step : skill.artifact->steps) add(dump(write_step(step)));
  if (skill.contract != nullptr) add(dump(write_contract(*skill.contract)));
  return names;
}

// The step of the test's statement. A dialog's statement is within that of the step before.
std::optional<Step> read_back(const Step& step, const std::string& statement, const Step* before) {
  if (step.kind == StepKind::dialog) {
    Step read;
    read.kind = step.kind;
    read.tab = before == nullptr ? 0 : before->tab;
    read.args["accept"] = step.args.value("accept", Json(true));
    if (read.args["accept"] == true && step.args.contains("value"))
      read.args["value"] = step.args["value"];
    return read;
  }
  std::vector<std::string> tabs{"page"};
  for (std::int64_t i = 1; i <= step.tab; ++i) tabs.push_back(fmt::format("page{}", i));
  const std::string code = "await " + statement;
  const auto tokens = js_tokens(code);
  const auto read = parse_js_statement(tokens);
  return read ? step_of(*read, tabs) : std::nullopt;
}

// A member's name for a comment: args.value, and args["…"] for a name from a file, which may have
// any characters, such as a line end.
std::string shown_member(const std::string& owner, const std::string& key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), is_word_char);
  if (!plain) return fmt::format("{}[{}]", owner, literal(key));
  return owner.empty() ? key : fmt::format("{}.{}", owner, key);
}

// The members of a step that are lost when its statement is read again.
std::vector<std::string> lost_members(const Step& step, const Step& read) {
  std::vector<std::string> lost;
  const auto compare = [&](const Json& was, const Json& is, const std::string& owner) {
    for (const auto& [key, value] : was.items()) {
      if (key != "args" && is.value(key, Json()) != value) lost.push_back(shown_member(owner, key));
    }
  };
  const Json was = write_step(step), is = write_step(read);
  compare(was, is, "");
  compare(was.value("args", Json::object()), is.value("args", Json::object()), "args");
  return lost;
}

// A comment with the members of steps that the statements lack; empty: they lack none.
std::string comment_on_losses(const std::vector<Step>& steps) {
  std::map<std::string, std::string> where;  // the numbers of the steps, by the member's name
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string statement = action(steps[i]);
    if (statement.empty() && steps[i].kind != StepKind::dialog) continue;  // the test throws there
    const auto read = read_back(steps[i], statement, i == 0 ? nullptr : &steps[i - 1]);
    for (const std::string& member :
         read ? lost_members(steps[i], *read) : std::vector<std::string>{"kind"}) {
      std::string& numbers = where[member];
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", i);
    }
  }
  std::string out;
  for (const auto& [member, numbers] : where)
    out += fmt::format("{}{} (step{} {})", out.empty() ? "" : "; ", member,
                       numbers.find(',') == std::string::npos ? "" : "s", numbers);
  return out.empty() ? "" : fmt::format("// The recording says more than this test: {}.\n", out);
}

// The statements for one step, and for the dialog or page that it opens.
std::string statements(std::span<const Step> steps, std::size_t i, std::int64_t& tabs) {
  const Step& step = steps[i];
  const Step* next = i + 1 < steps.size() ? &steps[i + 1] : nullptr;
  std::string out;
  const bool asks = next != nullptr && next->kind == StepKind::dialog;
  if (asks) {
    const bool accept = next->args.value("accept", Json(true)) == true;
    out += fmt::format(
        "  const dialog{} = {}.waitForEvent(\"dialog\").then((dialog) => dialog.{}({}));\n", i,
        page_of(step), accept ? "accept" : "dismiss",
        accept && next->args.contains("value") ? value_of(text_member(next->args, "value")) : "");
  }
  const std::int64_t before = tabs;
  const bool opens = next != nullptr && next->tab > tabs;
  if (opens) {
    tabs = next->tab;
    out +=
        fmt::format("  const page{}Promise = {}.waitForEvent(\"popup\");\n", tabs, page_of(step));
  }
  // The test has no name for a page that no step opens.
  const std::string does = step.tab > before ? "" : action(step);
  out += does.empty()
             ? fmt::format("  throw new Error({});\n",
                           literal(fmt::format("cannot replay step {}: {}", i, describe(step))))
             : fmt::format("  await {};\n", does);
  if (asks) out += fmt::format("  await dialog{};\n", i);
  if (opens) out += fmt::format("  const page{0} = await page{0}Promise;\n", tabs);
  return out;
}

}  // namespace

std::string playwright_head(const Contract* contract) {
  std::string out = "import { test, expect } from \"@playwright/test\";\n\n";
  const bool address =
      contract != nullptr && std::any_of(contract->assertions.begin(), contract->assertions.end(),
                                         [](const Assertion& a) { return !a.url.empty(); });
  if (address) {
    out += fmt::format("{};\n\n", kMatches);
  }
  return out;
}

std::string playwright_test(const Exported& skill) {
  std::string out = fmt::format("test({}, async ({{ page }}) => {{\n", literal(skill.title));
  for (const std::string& name : slots_of(skill)) {
    out += fmt::format("  expect(process.env.HEBB_SECRET_{0}, {1}).toBeTruthy();\n", name,
                       literal(fmt::format("set HEBB_SECRET_{}: it is not recorded", name)));
  }
  const auto& steps = skill.artifact->steps;
  if (const auto start = opening_step(skill)) out += fmt::format("  await {};\n", action(*start));
  std::int64_t tabs = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // A dialog is written with the step that opens it.
    const bool written =
        i > 0 && steps[i].kind == StepKind::dialog && steps[i - 1].kind != StepKind::dialog;
    if (!written) out += statements(steps, i, tabs);
  }
  if (skill.contract != nullptr) {
    for (const Assertion& a : skill.contract->assertions)
      out += fmt::format("  await {};\n", expectation(a));
  }
  return out + "});\n";
}

std::string write_playwright(const Exported& skill) {
  return playwright_head(skill.contract) + comment_on_losses(skill.artifact->steps) +
         playwright_test(skill);
}

}  // namespace hebb::skill
