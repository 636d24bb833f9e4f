#include "skill/browser/message.h"

#include <algorithm>
#include <charconv>

namespace hebb::skill {
namespace {

constexpr int kMessageDepth = 512;

bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMessageDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

// Reads the id from {"id":12,… at the beginning of a message that is too long to store.
std::optional<Message> beginning_of(std::string_view text) {
  constexpr std::string_view kId = "{\"id\":";
  if (!text.starts_with(kId)) return std::nullopt;
  Message m;
  std::int64_t id = 0;
  const auto rest = text.substr(kId.size());
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), id);
  if (end.ec != std::errc()) return std::nullopt;
  m.id = id;
  m.error = "the answer is too long to be taken";
  return m;
}

}  // namespace

std::optional<Message> parse_message(std::string_view text) {
  if (too_deep(text)) return std::nullopt;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Message m;
  m.session = text_member(json, "sessionId");
  m.method = text_member(json, "method");
  const auto id = json.find("id");
  if (id != json.end()) {
    if (!id->is_number_integer()) return std::nullopt;
    m.id = id->get<std::int64_t>();
    if (const auto error = json.find("error"); error != json.end()) {
      m.error = error->is_object() ? text_member(*error, "message") : "";
      if (m.error.empty()) m.error = "refused";
    }
  } else if (m.method.empty()) {
    return std::nullopt;
  }
  const auto body = json.find(id != json.end() ? "result" : "params");
  m.body = body != json.end() && body->is_object() ? *body : Json::object();
  return m;
}

std::vector<Message> MessageReader::feed(std::string_view piece) {
  std::vector<Message> out;
  while (!piece.empty()) {
    const std::size_t end = piece.find('\0');
    const std::string_view part = piece.substr(0, end);
    if (!skipping_ && text_.size() + part.size() > limit_) {
      skipping_ = true;
      text_.append(part.substr(0, std::min<std::size_t>(part.size(), 64)));
      if (auto m = beginning_of(text_)) out.push_back(*std::move(m));
      text_.clear();
      text_.shrink_to_fit();
    }
    if (!skipping_) text_.append(part);
    if (end == std::string_view::npos) return out;
    if (!skipping_) {
      if (auto m = parse_message(text_)) out.push_back(*std::move(m));
    }
    text_.clear();
    skipping_ = false;
    piece.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace hebb::skill
