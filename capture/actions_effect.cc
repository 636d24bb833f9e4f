// Which tools change something, as far as their names tell.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "capture/actions_score.h"

namespace hebb::capture {
namespace {

constexpr std::array<std::string_view, 37> kLooking{
    "get",      "list",       "read",    "find",   "search",   "query", "show",  "describe",
    "inspect",  "fetch",      "view",    "check",  "count",    "wait",  "watch", "monitor",
    "snapshot", "screenshot", "observe", "status", "navigate", "goto",  "open",  "back",
    "forward",  "reload",     "scroll",  "hover",  "focus",    "echo",  "ping",  "resize",
    "tabs",     "console",    "network", "lookup", "recall"};

constexpr std::array<std::string_view, 45> kDoing{
    "set",     "create",  "write",  "update",   "delete",  "remove",  "add",    "insert",
    "click",   "fill",    "type",   "press",    "select",  "submit",  "edit",   "move",
    "rename",  "save",    "send",   "post",     "put",     "patch",   "upload", "drag",
    "drop",    "uncheck", "toggle", "simulate", "apply",   "commit",  "push",   "merge",
    "close",   "start",   "stop",   "restart",  "install", "execute", "run",    "append",
    "replace", "deploy",  "cancel", "approve",  "register"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

// browser_clickElement -> browser, click, element
std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> out(1);
  char before = 0;
  for (const char c : name) {
    const bool begins = is_upper(c) && !is_upper(before);
    if ((!is_letter(c) || begins) && !out.back().empty()) out.emplace_back();
    if (is_letter(c)) out.back() += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    before = c;
  }
  return out;
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool changes_state(std::string_view tool, std::optional<bool> read_only) {
  if (read_only) return !*read_only;
  // The first word that says anything is the verb: get_update_status looks, update_status does.
  for (const std::string& word : words(tool)) {
    if (among(kLooking, word)) return false;
    if (among(kDoing, word)) return true;
  }
  return false;
}

}  // namespace hebb::capture
