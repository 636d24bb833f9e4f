#include "skill/replay/risk.h"

#include <array>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::skill {
namespace {

// Words on buttons and links whose action cannot be undone.
constexpr auto kDeletes = std::to_array<std::string_view>(
    {"delete", "remove", "destroy", "erase", "wipe", "terminate", "deactivate", "löschen",
     "entfernen", "supprimer", "eliminar"});
constexpr auto kPays = std::to_array<std::string_view>(
    {"pay", "buy", "purchase", "order now", "place order", "checkout and pay", "transfer",
     "withdraw", "donate", "subscribe", "bezahlen", "kaufen", "payer", "pagar"});

bool is_word_byte(char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; }

// Whether `word` occurs as a whole word, ignoring case.
bool says(std::string_view text, std::string_view word) {
  const std::string low = to_lower(text);
  for (std::size_t at = low.find(word); at != std::string::npos; at = low.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_byte(low[at - 1])) && (end == low.size() || !is_word_byte(low[end])))
      return true;
  }
  return false;
}

bool acts(StepKind kind) {
  return kind == StepKind::click || kind == StepKind::submit || kind == StepKind::press ||
         kind == StepKind::check || kind == StepKind::drag;
}

constexpr const char* kFacts = R"js((e, kind) => {
  const link = e.closest('a[href]');
  const form = e.form || e.closest('form');
  const sends = kind === 'submit' || (kind === 'press' && e.tagName === 'INPUT') ||
    (/^(BUTTON|INPUT)$/.test(e.tagName) && /^(submit|image)$/.test(e.type));
  // What the button says of its form counts more than the form. A field that is called "action"
  // hides the form's own.
  const formValue = (key, own) => e.hasAttribute(own.toLowerCase()) ? e[own] :
    Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, key).get.call(form);
  return {link: link ? link.href : '',
    post: !!form && sends && formValue('method', 'formMethod') === 'post',
    action: form && sends ? formValue('action', 'formAction') : '',
    label: __hebb.squeeze(__hebb.textOf(e))};
})js";

}  // namespace

std::string risk_of_words(std::string_view text) {
  for (const auto word : kDeletes) {
    if (says(text, word)) return fmt::format("\"{}\" deletes", text);
  }
  for (const auto word : kPays) {
    if (says(text, word)) return fmt::format("\"{}\" pays", text);
  }
  return "";
}

std::string risk_of(const Step& step) {
  if (!acts(step.kind)) return "";
  for (const Selector& s : step.selectors) {
    if (!uses_name(s.type) && s.type != SelectorType::text) continue;
    if (s.role == "textbox" || s.role == "searchbox") continue;
    if (std::string risk = risk_of_words(s.value); !risk.empty()) return risk;
  }
  return "";
}

std::string risk_of(Browser& browser, const Step& step, const Element& element, bool checked,
                    const Reach& reach, Deadline deadline) {
  if (!acts(step.kind)) return "";
  const Json facts =
      browser.run(element.frame, kFacts, {element.reference(), kind_name(step.kind)}, deadline);
  const auto text = [&](const char* key) { return text_member(facts, key); };
  const auto outside = [&](const std::string& url) {
    return (url.starts_with("http") || url.starts_with("file:")) && !reach.allows(url);
  };
  if (outside(text("link"))) return fmt::format("the link leads to {}", text("link"));
  if (outside(text("action"))) return fmt::format("the form is sent to {}", text("action"));
  if (is_true(facts, "post") && !checked)
    return "the form is sent, and no contract says whether that worked";
  constexpr std::size_t kLabel = 80;
  const std::string label = text("label");
  if (step.kind == StepKind::press || label.size() > kLabel) return "";
  return risk_of_words(label);
}

}  // namespace hebb::skill
