// Which tools change something, judged by their names.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "capture/actions/score.h"
#include "text/ascii.h"

namespace hebb::capture {
namespace {

// Words for moving in a browser or looking at it: only the view changes. For such tools the
// server's hint is ignored.
constexpr std::array kMoving = std::to_array<std::string_view>(
    {"navigate", "goto", "scroll", "hover", "focus", "blur", "viewport", "emulate", "screenshot",
     "lighthouse", "screencast", "heapsnapshot"});

// Words with that meaning only if the rest of the name is about a browser, or there is no rest;
// elsewhere they mean something else (network_create, forward_email, snapshot_volume).
constexpr std::array kMovingInBrowser = std::to_array<std::string_view>(
    {"back", "forward", "reload", "resize", "tab", "tabs", "pages", "console", "network",
     "evaluate", "snapshot", "wait", "performance", "observe"});

constexpr std::array kBrowser = std::to_array<std::string_view>(
    {"browser", "page", "chrome", "playwright", "puppeteer", "stagehand"});

// Pairs of words with that meaning only together.
constexpr std::array kMovingPairs =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"go", "back"},
                                                                  {"go", "forward"},
                                                                  {"take", "snapshot"},
                                                                  {"evaluate", "script"},
                                                                  {"wait", "for"},
                                                                  {"console", "messages"},
                                                                  {"network", "requests"},
                                                                  {"start", "trace"},
                                                                  {"stop", "trace"},
                                                                  {"new", "page"},
                                                                  {"open", "page"},
                                                                  {"select", "page"},
                                                                  {"close", "page"},
                                                                  {"select", "tab"},
                                                                  {"close", "tab"},
                                                                  {"set", "viewport"},
                                                                  {"close", "browser"},
                                                                  {"browser", "close"},
                                                                  {"browser", "install"}});

constexpr std::array kLooking = std::to_array<std::string_view>(
    {"get",      "list",    "read",  "find", "search", "query",  "show",
     "describe", "inspect", "fetch", "view", "check",  "count",  "watch",
     "monitor",  "status",  "open",  "echo", "ping",   "lookup", "recall"});

constexpr std::array kDoing = std::to_array<std::string_view>(
    {"set",     "create",  "write",  "update",   "delete",  "remove",  "add",    "insert",
     "click",   "fill",    "type",   "press",    "select",  "submit",  "edit",   "move",
     "rename",  "save",    "send",   "post",     "put",     "patch",   "upload", "drag",
     "drop",    "uncheck", "toggle", "simulate", "apply",   "commit",  "push",   "merge",
     "close",   "start",   "stop",   "restart",  "install", "execute", "run",    "append",
     "replace", "deploy",  "cancel", "approve",  "register"});

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

bool about_browser(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return among(kBrowser, word); });
}

bool moves(const std::vector<std::string>& words, std::size_t i) {
  if (among(kMoving, words[i])) return true;
  if (among(kMovingInBrowser, words[i]) && (words.size() == 1 || about_browser(words))) return true;
  return i + 1 < words.size() &&
         std::any_of(kMovingPairs.begin(), kMovingPairs.end(), [&](const auto& pair) {
           return pair.first == words[i] && pair.second == words[i + 1];
         });
}

}  // namespace

bool changes_state(std::string_view tool, std::optional<bool> read_only) {
  // The first known word decides: get_update_status looks, update_status does.
  const std::vector<std::string> all = words(tool);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (moves(all, i)) return false;
    const bool looks = among(kLooking, all[i]);
    if (looks || among(kDoing, all[i])) return read_only ? !*read_only : !looks;
  }
  return read_only && !*read_only;
}

}  // namespace hebb::capture
