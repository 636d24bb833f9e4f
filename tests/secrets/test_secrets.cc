#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "secrets/secrets.h"

namespace hebb::secrets {
namespace {

using nlohmann::json;

// A line of data/secrets.txt: the secret, or nothing where the text holds none.
struct Sample {
  std::string secret, text;
};

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    constexpr std::string_view kEscapes = "nrt\\", kMeant = "\n\r\t\\";
    const std::size_t escape = text[i] == '\\' && i + 1 < text.size() ? kEscapes.find(text[i + 1])
                                                                      : std::string_view::npos;
    if (escape != std::string_view::npos) ++i;
    out += escape != std::string_view::npos ? kMeant[escape] : text[i];
  }
  return out;
}

std::vector<Sample> samples(std::string_view file) {
  std::ifstream in(fmt::format("{}/tests/secrets/data/{}", HEBB_SOURCE_DIR, file));
  std::vector<Sample> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    const std::string secret = line.substr(0, tab);
    all.push_back({secret == "-" ? "" : unescaped(secret), unescaped(line.substr(tab + 1))});
  }
  return all;
}

std::string result_with(std::string_view text) {
  return json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump();
}

std::string text_of(const std::string& result) {
  return json::parse(result)["content"][0]["text"].get<std::string>();
}

}  // namespace

TEST_CASE("secrets: a corpus, with what is missed and what is masked for nothing") {
  std::size_t secrets = 0, plain = 0;
  std::vector<std::string> missed, alarms;
  for (const Sample& sample : samples("secrets.txt")) {
    const std::string masked = mask_secrets(result_with(sample.text));
    const std::string text = text_of(masked);
    CAPTURE(sample.text);
    CHECK(mask_secrets(masked) == masked);
    if (sample.secret.empty()) {
      ++plain;
      if (text != sample.text) alarms.push_back(sample.text + " -> " + text);
    } else {
      ++secrets;
      REQUIRE(sample.text.find(sample.secret) != std::string::npos);
      if (text.find(sample.secret) != std::string::npos) missed.push_back(sample.text);
    }
  }
  CAPTURE(missed, alarms);
  // docs/tools.md says these.
  CHECK(secrets == 157);
  CHECK(missed.size() == 8);
  CHECK(plain == 205);
  CHECK(alarms.size() == 1);
}

TEST_CASE("secrets: places where secrets stand, and texts that hold none") {
  std::size_t secrets = 0, plain = 0;
  for (const Sample& sample : samples("places.txt")) {
    const std::string masked = json::accept(sample.text)
                                   ? mask_secrets(sample.text)
                                   : text_of(mask_secrets(result_with(sample.text)));
    CAPTURE(sample.text, masked);
    if (sample.secret.empty()) {
      ++plain;
      CHECK(masked == sample.text);
    } else {
      ++secrets;
      REQUIRE(sample.text.find(sample.secret) != std::string::npos);
      CHECK(masked.find(sample.secret) == std::string::npos);
    }
  }
  CHECK(secrets >= 100);
  CHECK(plain >= 150);
}

TEST_CASE("secrets: what was masked once is masked wherever it comes again") {
  Redactor secrets;
  CHECK(secrets.arguments("t", R"({"password":"p\"w d'&1\u00e9"})") ==
        R"({"password":"[masked]"})");
  for (const char* echo :
       {R"x({"a":"p\"w d'&1é"})x", R"x({"a":"p\"w d'&1\u00e9"})x",
        R"x({"a":"{\"b\":\"p\\\"w d'&1é\"}"})x", R"x({"a":"p%22w%20d'%261%C3%A9"})x",
        R"x({"a":"p%22w+d%27%261%c3%a9"})x", R"x({"a":"p%22w%20d%27%261%c3%a9"})x",
        R"x({"a":"p&quot;w d&#39;&amp;1é"})x", R"x({"a":"('p\"w d\\'&1é')"})x"}) {
    CAPTURE(echo);
    const std::string masked = secrets.result(echo);
    CHECK(masked.find("[masked]") != std::string::npos);
    for (const char* part : {"p\\\"", "d'", "d%27", "&1", "%261", "d+"}) {
      CHECK(masked.find(part) == std::string::npos);
    }
    CHECK_FALSE(json::parse(masked, nullptr, false).is_discarded());
  }
  CHECK(secrets.text("cannot log in with p\"w d'&1é!") == "cannot log in with [masked]!");
}

TEST_CASE("secrets: what was masked once is found within base64, wherever it begins") {
  // base64 of "x:hunter2hunter2", "xy:…", "xyz:…", and of the last with two bytes behind.
  for (const char* coded : {"eDpodW50ZXIyaHVudGVyMg==", "eHk6aHVudGVyMmh1bnRlcjI=",
                            "eHl6Omh1bnRlcjJodW50ZXIy", "eHl6Omh1bnRlcjJodW50ZXIyISE="}) {
    Redactor secrets;
    secrets.arguments("t", R"({"password":"hunter2hunter2"})");
    const std::string masked = secrets.result(json{{"seen", coded}}.dump());
    CAPTURE(coded, masked);
    CHECK(masked.find("[masked]") != std::string::npos);
    CHECK(masked.find("dW50ZXIy") == std::string::npos);
    CHECK(masked.find("h1bnRlcj") == std::string::npos);
    CHECK(masked.find("odW50ZX") == std::string::npos);
  }
}

TEST_CASE("secrets: a number that is known is masked where it is a whole one, as JSON has it") {
  Redactor secrets;
  secrets.arguments("t", R"({"password":20241105})");
  CHECK(secrets.text("is 1202411053, 20241105.5 and 20241105") ==
        "is 1202411053, 20241105.5 and [masked]");
  for (const auto& [said, masked] : std::vector<std::pair<std::string, std::string>>{
           {R"({"n":1202411053,"m":20241105,"l":[20241105,7]})",
            R"({"n":1202411053,"m":"[masked]","l":["[masked]",7]})"},
           {R"(sent {"m": 20241105} to it)", R"(sent {"m": "[masked]"} to it)"},
           {R"(sent "{\"m\": 20241105}")", R"(sent "{\"m\": \"[masked]\"}")"},
           {R"(sent {"password": 99887766, "n": 1})", R"(sent {"password": "[masked]", "n": 1})"},
           {R"({"password": 88776655, "n": 1})", R"({"password": "[masked]", "n": 1})"}}) {
    CAPTURE(said);
    CHECK(text_of(secrets.result(result_with(said))) == masked);
    const std::size_t open = masked.find('{'), close = masked.rfind('}');
    if (masked.find('\\') == std::string::npos)
      CHECK(json::accept(masked.substr(open, close + 1 - open)));
  }
}

TEST_CASE("secrets: the end of a line behind a known value stays") {
  Redactor secrets;
  secrets.arguments("t", R"({"password":"kettle4you\n"})");
  CHECK(secrets.result(R"({"a":"out {\"b\":\"kettle4you\\nnext\"}"})") ==
        R"({"a":"out {\"b\":\"[masked]\\nnext\"}"})");
  CHECK(secrets.text("kettle4you\nnext") == "[masked]\nnext");
  CHECK(Redactor().text(R"(out {"log":"TOKEN=kQ7xyz9aBq12\nnext"})") ==
        R"(out {"log":"TOKEN=[masked]\nnext"})");
}

TEST_CASE("secrets: what is too short or too common is masked in its place alone") {
  Redactor secrets;
  CHECK(
      secrets.arguments("t", R"({"password":"abc","token":"test","secret":"sesame","pin":4711})") ==
      R"({"password":"[masked]","token":"[masked]","secret":"[masked]","pin":"[masked]"})");
  // Short values only as whole words.
  CHECK(
      secrets.result(R"({"a":"abc test sesame sesames at 4711","b":4711,"c":147110,"d":[4711]})") ==
      R"({"a":"abc test [masked] sesames at [masked]","b":"[masked]","c":147110,"d":["[masked]"]})");
  // Of what a result calls a secret only what is no word: a page has those too.
  CHECK(secrets.result(R"({"token":"Continue","secret":"k9-77aa"})") ==
        R"({"token":"[masked]","secret":"[masked]"})");
  CHECK(secrets.arguments("t", R"({"a":"Continue with k9-77aa"})") ==
        R"({"a":"Continue with [masked]"})");
}

TEST_CASE("secrets: a cut through a remembered value leaves nothing of it") {
  Redactor secrets;
  secrets.arguments("t", R"({"password":"hunter2hunter2"})");
  const std::string text = R"({"a":"is hunter2hunter2"})";
  const std::size_t begins = text.find("hunter2");
  for (std::size_t cut = begins + 4; cut < text.size(); ++cut) {
    const std::string masked = secrets.result(text.substr(0, cut), true);
    CAPTURE(cut, masked);
    CHECK(masked.find("hunt") == std::string::npos);
  }
}

TEST_CASE("secrets: a ref or uid is a password field where the last snapshot says so") {
  Redactor secrets;
  secrets.result(
      result_with("### Snapshot\n- textbox \"Name\" [ref=e5]\n"
                  "- textbox \"Password\" [active] [ref=e7]: old-one1"));
  CHECK(secrets.arguments("browser_type",
                          R"({"element":"second box","target":"e7","text":"sesame"})") ==
        R"({"element":"second box","target":"e7","text":"[masked]"})");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e5","text":"Ada"})") ==
        R"({"ref":"e5","text":"Ada"})");
  CHECK(secrets.arguments(
            "browser_fill_form",
            R"({"fields":[{"ref":"e7","value":"tulips"},{"ref":"e5","value":"Ada"}]})") ==
        R"({"fields":[{"ref":"e7","value":"[masked]"},{"ref":"e5","value":"Ada"}]})");
  CHECK(secrets.arguments("t", R"({"a":"sesame, tulips, old-one1"})") ==
        R"({"a":"[masked], [masked], [masked]"})");
  secrets.result(result_with("- textbox \"City\" [ref=e7]"));
  CHECK(secrets.arguments("browser_type", R"({"target":"e7","text":"Berlin"})") ==
        R"({"target":"e7","text":"Berlin"})");
  // A browser shows a password as dots, whatever the field is called.
  secrets.result(
      result_with("uid=1_4 textbox \"Name\"\n  uid=1_6 textbox \"Wort\" value=\"••••\""));
  CHECK(secrets.arguments("fill", R"({"uid":"1_6","value":"orchid"})") ==
        R"({"uid":"1_6","value":"[masked]"})");
}

TEST_CASE("secrets: text that is typed goes to the field that was clicked") {
  Redactor secrets;
  secrets.result(result_with("uid=1_4 textbox \"Name\"\nuid=1_6 textbox \"Password\""));
  secrets.arguments("click", R"({"uid":"1_6"})");
  CHECK(secrets.arguments("type_text", R"({"text":"orchid"})") == R"({"text":"[masked]"})");
  CHECK(secrets.arguments("wait_for", R"({"text":"Hello"})") == R"({"text":"Hello"})");
  secrets.arguments("click", R"({"uid":"1_4"})");
  CHECK(secrets.arguments("type_text", R"({"text":"Ada Lovelace"})") ==
        R"({"text":"Ada Lovelace"})");
}

TEST_CASE("secrets: names of keys that are about a secret and hold none") {
  for (const char* harmless :
       {R"({"tokenType":"Bearer","token_endpoint":"https://e.com/t","secretName":"my-cert"})",
        R"({"tokenizer":"gpt2","nextPageToken":"CAUQ77","passwordPolicy":"strong","pass":3})",
        R"({"author":"x1","compass":"N42","secretary":"Bob7","password_length":12})"}) {
    CHECK(mask_secrets(harmless) == harmless);
  }
  for (const char* name :
       {"DB_PASS", "smtpPass", "Passwort", "Kennwort", "contraseña", "пароль", "密码",
        "X-Auth-Token", "AccountKey", "securityCode", "otp", "your pin"}) {
    CAPTURE(name);
    CHECK(mask_secrets(json{{name, "x-1"}}.dump()) == json{{name, "[masked]"}}.dump());
  }
}

}  // namespace hebb::secrets
