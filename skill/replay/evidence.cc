#include "skill/replay/evidence.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "secrets/spellings.h"
#include "skill/browser/element.h"
#include "skill/browser/page_script.h"
#include "skill/replay/anew.h"
#include "skill/store/unspread.h"
#include "sql/replace_file.h"
#include "text/base64.h"

namespace hebb::skill {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPartMs = 3000;  // time limit for each part of the evidence
constexpr std::size_t kTextBytes = std::size_t{2} << 20;

// The nodes of an accessibility tree, each before its children.
std::vector<const Json*> in_order(const Json& nodes) {
  std::map<std::string, const Json*> by_id;
  for (const Json& node : nodes) by_id.emplace(text_member(node, "nodeId"), &node);
  std::vector<const Json*> order, next;
  if (!nodes.empty()) next.push_back(&nodes.front());
  while (!next.empty() && order.size() < nodes.size()) {
    const Json* node = next.back();
    next.pop_back();
    order.push_back(node);
    const Json children = node->value("childIds", Json::array());
    for (auto id = children.rbegin(); id != children.rend(); ++id) {
      const auto child = by_id.find(id->is_string() ? id->get<std::string>() : "");
      if (child != by_id.end()) next.push_back(child->second);
    }
  }
  return order;
}

// The texts as drawn: in document order, and line by line from the left.
std::vector<std::string> drawn(const Json& document, const Json& strings) {
  struct Piece {
    std::string text;
    double middle, left, half;
  };
  std::vector<Piece> pieces;
  const Json layout = document.value("layout", Json::object());
  const Json texts = layout.value("text", Json::array()),
             bounds = layout.value("bounds", Json::array());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto number = texts[i].get<std::int64_t>();
    if (number < 0) continue;
    const auto at = [&](std::size_t k) { return bounds.at(i).at(k).get<double>(); };
    pieces.push_back({strings.at(static_cast<std::size_t>(number)).get<std::string>(),
                      at(1) + at(3) / 2, at(0), at(3) / 2});
  }
  std::vector<std::string> all(2);
  for (const Piece& p : pieces) all[0] += p.text;
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.middle < b.middle; });
  for (auto line = pieces.begin(); line != pieces.end();) {
    const double bottom = line->middle + line->half;
    auto next = std::find_if(line, pieces.end(), [&](const Piece& p) { return p.middle > bottom; });
    if (next == line) ++next;
    std::sort(line, next, [](const Piece& a, const Piece& b) { return a.left < b.left; });
    for (; line != next; ++line) all[1] += line->text;
  }
  return all;
}

class Keeper {
 public:
  Keeper(Browser& browser, std::size_t tab, std::string folder, const SecretValues& secrets)
      : browser_(browser), tab_(tab), folder_(std::move(folder)), secrets_(secrets) {}

  // The parts that could not be stored, and why.
  std::vector<std::string> keep_all(const Skill& skill, const Failure& failure) {
    keep_page(skill, failure);
    attempt("console.txt", [&] { keep_console(); });
    attempt("network.json", [&] { keep_network(); });
    return std::move(missing_);
  }

 private:
  // The parts that need the page; after the first without an answer the rest is left out.
  void keep_page(const Skill& skill, const Failure& failure) {
    bool answers = true;
    const auto ask = [&](const char* name, auto work) {
      if (!answers) return missing_.push_back(fmt::format("{}: the page does not answer", name));
      answers = attempt(name, work);
    };
    ask("steps.jsonl", [&] {
      write("steps.jsonl", steps_anew(skill, failure, browser_, tab_, in_ms(kPartMs)), {});
    });
    ask("dom.html", [&] { keep_document(); });
    ask("accessibility.txt", [&] { keep_tree(); });
    ask("screenshot.png", [&] { keep_picture(); });
  }

  // False if the page does not answer. The page may be broken: the next part is stored
  // nevertheless.
  template <class Work>
  bool attempt(const char* name, Work work) {
    try {
      work();
    } catch (const std::exception& e) {
      missing_.push_back(fmt::format("{}: {}", name, e.what()));
      return dynamic_cast<const CdpTimeout*>(&e) == nullptr;
    }
    return true;
  }

  // Throws rather than store a secret.
  void write(const std::string& name, const std::string& text, std::vector<Track> tracks) const {
    const auto kept = without_secrets(text, std::move(tracks), secrets_);
    if (!kept) throw BrowserError("it may tell a secret");
    write_raw(name, *kept);
  }
  void write_raw(const std::string& name, std::string_view bytes) const {
    sql::FileReplacement file(folder_ + "/" + name, sql::FileReplacement::Existing::replace);
    file.write(bytes);
    file.commit();
  }
  std::string scrub_cut(const std::string& text, std::size_t limit) const {
    return text.size() < limit ? text : secrets_.scrub(text, true);
  }

  const Frame& main() const {
    const Frame* frame = browser_.page(tab_).main();
    if (frame == nullptr) throw BrowserError("no page");
    return *frame;
  }

  void keep_document() {
    const Json html =
        browser_.run(main().id, "(n) => document.documentElement.outerHTML.slice(0, n)",
                     Json::array({kTextBytes}), in_ms(kPartMs));
    if (!html.is_string()) throw BrowserError("no document");
    const std::string text = scrub_cut(html.get<std::string>(), kTextBytes);
    write("dom.html", text, html_tracks(text));
  }

  void keep_tree() {
    const Json tree = browser_.call("Accessibility.getFullAXTree", Json::object(), main().session,
                                    in_ms(kPartMs));
    std::string lines;
    std::map<std::string, Track> tracks;
    // The browser has the same text several times, in nodes of several roles.
    const auto add = [&](const std::string& track, const std::string& text) {
      tracks[track].emplace_back(lines.size(), lines.size() + text.size());
      lines += text;
    };
    const Json nodes = tree.value("nodes", Json::array());
    for (const Json* node : in_order(nodes)) {
      if (is_true(*node, "ignored") || lines.size() > kTextBytes) continue;
      const std::string role = value_in(*node, "role"), value = value_in(*node, "value");
      lines += role + " \"";
      add(role, value_in(*node, "name"));
      lines += '"';
      if (!value.empty()) {
        lines += " = ";
        add("value", value);
      }
      lines += '\n';
    }
    std::vector<Track> all;
    for (auto& [role, track] : tracks) all.push_back(std::move(track));
    write("accessibility.txt", lines, std::move(all));
  }

  // No picture is stored of a page that still shows a secret after the known ones are covered.
  void keep_picture() {
    const auto frames = std::vector<Frame>(browser_.page(tab_).frames);
    Json values = Json::array(), spellings = Json::array();
    for (const auto& [value, name] : secrets_.used()) {
      values.push_back(value);
      for (const auto& s : secrets::spellings(value)) spellings.push_back(s.text);
    }
    if (!values.empty()) {
      for (const Frame& f : frames)
        browser_.run(f.id, std::string(cover_script()), {values, spellings}, in_ms(kPartMs));
    }
    const Json picture = browser_.call("Page.captureScreenshot", {{"format", "png"}},
                                       main().session, in_ms(kPartMs));
    std::set<std::string> sessions;
    for (const Frame& f : frames) {
      if (!values.empty() && sessions.insert(f.session).second) require_covered(f.session);
    }
    write_raw("screenshot.png", base64_decoded(picture.value("data", "")).value_or(""));
  }

  void require_covered(const std::string& session) const {
    const Json seen = browser_.call("DOMSnapshot.captureSnapshot",
                                    {{"computedStyles", Json::array()}}, session, in_ms(kPartMs));
    const Json strings = seen.value("strings", Json::array());
    for (const Json& document : seen.value("documents", Json::array())) {
      for (const std::string& text : drawn(document, strings)) {
        if (tells_secret(text, secrets_)) throw BrowserError("it may show a secret");
      }
    }
  }

  void keep_console() {
    std::string lines;
    Track words;
    for (const std::string& line : browser_.console().kept()) {
      const std::string text = scrub_cut(line, Browser::kLine);
      // The first word is the level of the message.
      words.emplace_back(lines.size() + std::min(text.find(' '), text.size()),
                         lines.size() + text.size());
      lines += text + '\n';
    }
    write("console.txt", lines, {words});
  }

  void keep_network() {
    Json list = Json::array();
    for (const NetworkEntry& e : browser_.network().kept()) {
      list.push_back({{"method", e.method},
                      {"url", scrub_cut(e.url, Browser::kLine)},
                      {"type", e.type},
                      {"status", e.status},
                      {"failure", e.failure}});
    }
    write("network.json", dump(list, 1), {});
  }

  Browser& browser_;
  const std::size_t tab_;
  const std::string folder_;
  const SecretValues& secrets_;
  std::vector<std::string> missing_;
};

// Why the run failed, and which parts of the evidence are missing.
bool write_failure(const std::string& folder, const Failure& failure,
                   const std::vector<std::string>& missing, const SecretValues& secrets) {
  Json json{{"code", failure.code}, {"step_index", failure.step_index}, {"detail", failure.detail}};
  if (!missing.empty()) json["left_out"] = missing;
  try {
    sql::FileReplacement file(folder + "/failure.json", sql::FileReplacement::Existing::replace);
    file.write(secrets.scrub(dump(json, 1)));
    file.commit();
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace

std::string keep_evidence(Browser* browser, std::size_t tab, const std::string& folder,
                          const Skill& skill, const Failure& failure, const SecretValues& secrets) {
  if (folder.empty()) return "";
  std::error_code error;
  if (fs::create_directories(folder, error); error) return "";
  chmod(folder.c_str(), 0700);
  std::string made = folder + "/failure-XXXXXX";
  if (mkdtemp(made.data()) == nullptr) return "";
  if (!write_failure(made, failure, {}, secrets)) return "";
  if (browser == nullptr) return made;
  const auto missing = Keeper(*browser, tab, made, secrets).keep_all(skill, failure);
  if (!missing.empty()) write_failure(made, failure, missing, secrets);
  return made;
}

}  // namespace hebb::skill
