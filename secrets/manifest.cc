// Secrets in manifests of Kubernetes that are written as YAML: kind: Secret, and the values under
// data and stringData of the same object, before or behind it.
#include <algorithm>
#include <string_view>

#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kObjectBytes = 65536;  // how far an object is looked through

struct Line {
  std::size_t from = 0, to = 0;  // without indentation and the "- " of a list
  std::size_t indented = 0;
  bool item = false;  // begins with "- "
};

Line yaml_line(std::string_view text, std::size_t at) {
  Line line;
  line.to = std::min(text.find('\n', at), text.size());
  line.from = std::min(text.find_first_not_of(" \t", at), line.to);
  line.item = text.substr(line.from, line.to - line.from).starts_with("- ");
  if (line.item) line.from += 2;
  line.indented = line.from - at;
  return line;
}

}  // namespace

void SecretScan::manifest(std::size_t at) {
  constexpr std::string_view kKind = "kind:";
  if (!text_.substr(at).starts_with(kKind)) return;
  const std::size_t from = at - std::min(at, kSecretNameBytes);
  const std::string_view before = text_.substr(from, at - from);
  const std::size_t newline = before.rfind('\n');
  if (newline == std::string_view::npos && from > 0) return;
  const Line kind = yaml_line(text_, newline == std::string_view::npos ? 0 : from + newline + 1);
  if (kind.from != at) return;
  const std::string_view kind_name = text_.substr(at + kKind.size(), kind.to - at - kKind.size());
  if (!rules_.has(List::secret_kinds, fold_name(kind_name))) return;
  const auto is_other = [&](const Line& line) {
    const std::string_view text = text_.substr(line.from, line.to - line.from);
    return (line.indented < kind.indented && !text.empty()) || text.starts_with("---") ||
           (line.indented == kind.indented && text.starts_with(kKind));
  };
  // The object's members have the indentation of its kind.
  std::size_t first = at - kind.indented;
  for (std::size_t from = first; !kind.item && from > 1 && at - from < kObjectBytes;) {
    from = from > 1 ? text_.rfind('\n', from - 2) + 1 : 0;
    const Line line = yaml_line(text_, from);
    if (is_other(line)) break;
    first = from;
    if (line.item && line.indented == kind.indented) break;
  }
  std::size_t last = kind.to;
  while (last < text_.size() && last - at < kObjectBytes) {
    const Line line = yaml_line(text_, last + 1);
    if (is_other(line) || (line.item && line.indented == kind.indented)) break;
    last = line.to;
  }
  manifest_data(first, last, kind.indented);
}

// Masks the values under the object's members that hold secrets.
void SecretScan::manifest_data(std::size_t from, std::size_t to, std::size_t indented) {
  bool in_data = false;
  for (std::size_t at = from; at < to;) {
    const Line line = yaml_line(text_, at);
    at = line.to + 1;
    const std::string_view line_text = text_.substr(line.from, line.to - line.from);
    const std::size_t colon = line_text.find(':');
    if (line.indented <= indented && !line_text.empty()) {
      in_data = rules_.has(List::secret_members, fold_name(line_text.substr(0, colon)));
      continue;
    }
    if (!in_data || line_text.empty() || line_text.starts_with('#')) continue;
    std::size_t value = line.from;  // a line of a block
    if (colon != std::string_view::npos &&
        (colon + 1 == line_text.size() || line_text[colon + 1] == ' '))
      value += std::min(colon + 2, line_text.size());
    std::size_t end = line.to;
    while (end > value && std::string_view(" \r\"'").find(text_[end - 1]) != std::string_view::npos)
      --end;
    while (value < end && std::string_view(" \"'").find(text_[value]) != std::string_view::npos)
      ++value;
    const std::string_view content = text_.substr(value, end - value);
    if (content != "|" && content != ">" && content != "|-" && content != ">-" &&
        !is_placeholder_value(content)) {
      add(value, end);
    }
  }
}

}  // namespace hebb::secrets
