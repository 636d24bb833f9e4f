#include "skill/replay/evidence.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>

#include "skill/browser/page_script.h"
#include "sql/replace_file.h"

namespace hebb::skill {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPartMs = 3000;  // time limit for each part of the evidence
constexpr std::size_t kTextBytes = std::size_t{2} << 20;

class Keeper {
 public:
  Keeper(Browser& browser, std::size_t tab, std::string folder, const SecretValues& secrets)
      : browser_(browser), tab_(tab), folder_(std::move(folder)), secrets_(secrets) {}

  void keep_all() {
    keep_page();
    std::string console;
    for (const std::string& line : browser_.console().kept()) console += line + '\n';
    attempt([&] { write("console.txt", console); });
    attempt([&] { write("network.json", network()); });
  }

 private:
  // What the page itself has to be asked for; one that does not answer is asked no further.
  void keep_page() {
    try {
      attempt([&] { keep_document(); });
      attempt([&] { keep_tree(); });
      attempt([&] { keep_picture(); });
    } catch (const CdpTimeout&) {
      return;
    }
  }

  // Throws only CdpTimeout.
  template <class Work>
  void attempt(Work work) {
    try {
      work();
    } catch (const CdpTimeout&) {
      throw;
    } catch (const std::exception&) {
      return;  // the page itself may be broken: go on with the next part
    }
  }

  void write(const std::string& name, std::string_view text) const {
    write_raw(name, secrets_.scrub(text.substr(0, kTextBytes)));
  }
  void write_raw(const std::string& name, std::string_view bytes) const {
    sql::FileReplacement file(folder_ + "/" + name, sql::FileReplacement::Existing::replace);
    file.write(bytes);
    file.commit();
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
    if (html.is_string()) write("dom.html", html.get<std::string>());
  }

  void keep_tree() {
    const Json tree = browser_.call("Accessibility.getFullAXTree", Json::object(), main().session,
                                    in_ms(kPartMs));
    std::string lines;
    for (const Json& node : tree.value("nodes", Json::array())) {
      if (node.value("ignored", Json(false)) == true) continue;
      const auto value = [&](const char* key) {
        const Json inner = node.value(key, Json::object());
        const Json v = inner.is_object() ? inner.value("value", Json()) : Json();
        return v.is_string() ? v.get<std::string>() : std::string();
      };
      lines += fmt::format("{} \"{}\"{}\n", value("role"), value("name"),
                           value("value").empty() ? "" : " = " + value("value"));
    }
    write("accessibility.txt", lines);
  }

  // No picture is taken if the secrets on the page cannot be covered.
  void keep_picture() {
    const auto secrets = secrets_.used();
    if (!secrets.empty()) {
      for (const Frame& f : std::vector<Frame>(browser_.page(tab_).frames))
        browser_.run(f.id, std::string(cover_script()), Json::array({secrets}), in_ms(kPartMs));
    }
    const Json picture = browser_.call("Page.captureScreenshot", {{"format", "png"}},
                                       main().session, in_ms(kPartMs));
    write_raw("screenshot.png", from_base64(picture.value("data", "")));
  }

  std::string network() const {
    Json list = Json::array();
    for (const NetworkEntry& e : browser_.network().kept()) {
      list.push_back({{"method", e.method},
                      {"url", e.url},
                      {"type", e.type},
                      {"status", e.status},
                      {"failure", e.failure}});
    }
    return dump(list, 1);
  }

  Browser& browser_;
  const std::size_t tab_;
  const std::string folder_;
  const SecretValues& secrets_;
};

}  // namespace

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

std::string keep_evidence(Browser* browser, std::size_t tab, const std::string& folder,
                          const Failure& failure, const SecretValues& secrets) {
  if (folder.empty()) return "";
  std::error_code error;
  if (fs::create_directories(folder, error); error) return "";
  chmod(folder.c_str(), 0700);
  std::string made = folder + "/failure-XXXXXX";
  if (mkdtemp(made.data()) == nullptr) return "";
  try {
    sql::FileReplacement file(made + "/failure.json", sql::FileReplacement::Existing::replace);
    file.write(secrets.scrub(dump(
        Json{
            {"code", failure.code}, {"step_index", failure.step_index}, {"detail", failure.detail}},
        1)));
    file.commit();
  } catch (const std::exception&) {
    return "";
  }
  if (browser != nullptr) Keeper(*browser, tab, made, secrets).keep_all();
  return made;
}

}  // namespace hebb::skill
