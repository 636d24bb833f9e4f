// What is remembered of a session's secrets, how long, and in which spellings it is found again.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "secrets/memory.h"
#include "secrets/secrets.h"

namespace hebb::secrets {
namespace {

using nlohmann::json;

std::string result_saying(std::string_view text, bool ascii = false) {
  return json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump(-1, ' ', ascii);
}

// A session whose client has logged in with the password.
void log_in(Redactor& secrets, std::string_view password) {
  secrets.arguments("login", json{{"password", password}}.dump());
}

constexpr std::string_view kPlaceholders[] = {"yourPass2024!", "<script9!>", "{{Moustache9}}",
                                              "${Ab9xyzq",     "$(Ab9xyz!",  "$ABC_DEF9",
                                              "%Ab9xyz!%",     "yourMom99!x"};

struct Spelling {
  std::string value, how, text;
};

std::vector<Spelling> spellings_of_others() {
  std::ifstream in(std::string(HEBB_SOURCE_DIR) + "/tests/secrets/data/spellings.txt");
  std::vector<Spelling> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    REQUIRE(second != std::string::npos);
    all.push_back({json::parse(line.substr(0, first)),
                   json::parse(line.substr(first + 1, second - first - 1)),
                   json::parse(line.substr(second + 1))});
  }
  return all;
}

}  // namespace

TEST_CASE("secrets: a password is found as other programs write it") {
  std::size_t count = 0;
  for (const Spelling& spelling : spellings_of_others()) {
    Redactor secrets;
    log_in(secrets, spelling.value);
    for (const bool ascii : {false, true}) {
      const std::string masked = secrets.result(result_saying(spelling.text, ascii));
      CAPTURE(spelling.value, spelling.how, spelling.text, ascii, masked);
      const std::string text = json::parse(masked)["content"][0]["text"];
      CHECK(text.find("[masked]") != std::string::npos);
      // Of base64 the ends stay, which depend on what stands beside the value.
      const std::size_t least = spelling.how == "base64" ? 8 : 3;
      CHECK(text.size() <= spelling.text.size() - spelling.value.size() + 8 + least);
      ++count;
    }
  }
  CHECK(count == 460);
}

TEST_CASE(
    "secrets: a spelling is found wherever the text is cut, and as a whole word if it is short") {
  Redactor secrets;
  log_in(secrets, "pa&ss'wo=rd");
  for (const char* spelt : {R"(pa\u0026ss\u0027wo\u003drd)", "pa&#38;ss&#039;wo&#x3D;rd",
                            "pa%2526ss%2527wo%253Drd", R"(pa&amp;ss'\''wo=rd)"}) {
    const std::string text = json{{"a", fmt::format("is {}", spelt)}}.dump();
    for (std::size_t cut = text.find("wo"); cut < text.size(); ++cut) {
      const std::string masked = secrets.result(text.substr(0, cut), true);
      CAPTURE(cut, masked);
      CHECK(masked.starts_with(R"({"a":"is [masked])"));
      CHECK(masked.find("ss") == std::string::npos);
    }
  }
  log_in(secrets, "s3s&me");
  CHECK(secrets.text("%22s3s%26me%22 a=s3s&amp;me. s3s%26mes xs3s%26me") ==
        "%22[masked]%22 a=[masked]. s3s%26mes xs3s%26me");
}

TEST_CASE(
    "secrets: a value is found as it stands, whatever escape the text before it makes of it") {
  Redactor secrets;
  for (const char* value : {"deadbeef1", "12345678x", "u0041Bcd9"}) log_in(secrets, value);
  CHECK(secrets.text(R"(LIKE '%deadbeef1%' DOMAIN\12345678x \u0041Bcd9)") ==
        R"(LIKE '%[masked]%' DOMAIN\[masked] \[masked])");
}

TEST_CASE("secrets: what only looks like a spelling of a value stays") {
  Redactor secrets;
  for (const char* value : {"%41%42%43%44ef", "it's9Xyz", "sesame&1x", R"(C:\nox\99)", R"(\test)",
                            "a&amp;lt;b9x", "''''''abcd"}) {
    log_in(secrets, value);
  }
  const std::string text = "ABCDef its9Xyz sesame1x sesame 1x C:nox99 test a<b9x 'abcd 100%25";
  CHECK(secrets.text(text) == text);
}

TEST_CASE(
    "secrets: half a character, where a server cut its text, hides nothing from the masking") {
  Redactor secrets;
  log_in(secrets, "sesame-1");
  CHECK(secrets.result(R"({"text":"sesame-1, token=ab12cd and \ud83d"})") ==
        "{\"text\":\"[masked], token=[masked] and \xEF\xBF\xBD\"}");
  CHECK(secrets.result(R"({"text":"\ud83d\ude00 sesame\u002d1"})") ==
        "{\"text\":\"\xF0\x9F\x98\x80 [masked]\"}");
  CHECK(secrets.result(R"({"text":"sesame-1 \ud83d\ud)", true) == R"({"text":"[masked] )"
                                                                  "\xEF\xBF\xBD");
  CHECK(secrets.result(R"({"text":"\ud83d"})") == R"({"text":"\ud83d"})");
}

TEST_CASE("secrets: a password that looks like a placeholder is one all the same") {
  for (const std::string_view password : kPlaceholders) {
    CAPTURE(password);
    Redactor secrets;
    log_in(secrets, password);
    CHECK(secrets.result(result_saying(fmt::format("logged in with {}", password))) ==
          result_saying("logged in with [masked]"));
    Redactor listed;
    listed.arguments("login", json{{"passwords", {password}}}.dump());
    CHECK(listed.text(std::string(password)) == "[masked]");
  }
  // Words and what is not shown are no passwords to look for.
  Redactor secrets;
  for (const char* word : {"true", "********", "••••", "optional", "[masked]"})
    log_in(secrets, word);
  const std::string page = result_saying("true ******** •••• optional [masked]");
  CHECK(secrets.result(page) == page);
}

TEST_CASE("secrets: a field of a page holds no placeholder") {
  for (const std::string_view password : kPlaceholders) {
    CAPTURE(password);
    Redactor secrets;
    secrets.result(result_saying("- textbox \"Password\" [ref=e3]"));
    secrets.arguments("browser_type", json{{"ref", "e3"}, {"text", password}}.dump());
    CHECK(
        secrets.result(result_saying(fmt::format(
            "await page.getByLabel('Password').fill('{0}');\n- textbox \"Password\" [ref=e3]: {0}",
            password))) == result_saying("await page.getByLabel('Password').fill('[masked]');\n"
                                         "- textbox \"Password\" [ref=e3]: [masked]"));
    const auto shown = [&](const char* line) {
      return mask_secrets(result_saying(fmt::format(fmt::runtime(line), password)));
    };
    for (const char* line :
         {"- textbox \"Password\" [ref=e3]: {}", "- textbox \"Password\" [ref=e3]:\n  - text: {}",
          "uid=1_6 textbox \"Password\" value=\"{}\""}) {
      CHECK(shown(line).find("[masked]") != std::string::npos);
    }
  }
}

TEST_CASE("secrets: placeholders in running text stay") {
  for (const char* text :
       {"API_KEY=<your key>", "API_KEY=<api-key>", "API_KEY=your_api_key", "PASSWORD=%DB_PASS%",
        "token: ${{ secrets.TOKEN }}", "password=$DB_PASSWORD", "TOKEN='<insert it here>'"}) {
    CHECK(mask_secrets(result_saying(text)) == result_saying(text));
  }
  for (const char* text : {"DB_PASSWORD=yourPass2024!", "DB_PASSWORD='<script9!>'"}) {
    CHECK(mask_secrets(result_saying(text)).find("[masked]") != std::string::npos);
  }
}

TEST_CASE("secrets: what is remembered is bounded, for each origin by itself") {
  constexpr std::size_t kValues = 40;
  SecretMemory memory(kValues);
  CHECK(memory.remember("value-0-x", Origin::typed));
  CHECK(memory.remember("value-1-x", Origin::typed));
  CHECK(memory.remember("configured-x", Origin::configured));
  for (std::size_t i = 0; i < 10 * kValues; ++i) {
    CHECK(memory.remember("noise-" + std::to_string(i) + "-x", Origin::shown));
  }
  CHECK(memory.scrub("noise-359-x noise-360-x noise-399-x", false) ==
        "noise-359-x [masked] [masked]");
  CHECK(memory.scrub("value-0-x value-1-x configured-x", false) == "[masked] [masked] [masked]");
  // What is seen again is forgotten later, and what a client types is no longer a result's.
  CHECK_FALSE(memory.remember("value-0-x", Origin::shown));
  CHECK_FALSE(memory.remember("noise-360-x", Origin::typed));
  for (std::size_t i = 2; i < kValues; ++i) {
    CHECK(memory.remember("value-" + std::to_string(i) + "-x", Origin::typed));
  }
  CHECK(memory.scrub("value-0-x value-1-x value-2-x noise-360-x", false) ==
        "[masked] value-1-x [masked] [masked]");
  CHECK_FALSE(
      memory.remember(std::string(SecretMemory::kValueBytes + 1, 'x') + "1", Origin::typed));
}

TEST_CASE("secrets: what may be no secret is not looked for elsewhere") {
  for (const std::string_view said :
       {R"({"pwd":"/home/user/proj"})", R"({"pwd":"proj"})", R"({"tokens":["next","page12"]})",
        R"({"dependencies":{"js-tokens":"^4.0.0"}})", R"({"token":"2026-03-01"})",
        R"({"cookie":"example.com"})", R"({"auth":"oauth2-proxy"})",
        R"({"env":"PWD=/home/user/proj"})", R"({"text":"token: page12, token=next-page"})"}) {
    CAPTURE(said);
    Redactor secrets;
    secrets.arguments("run", said);
    secrets.result(said);
    const std::string text = result_saying(
        "cd /home/user/proj; next page12 ^4.0.0 2026-03-01 example.com oauth2-proxy next-page");
    CHECK(secrets.result(text) == text);
  }
  // What is made by a machine is, whatever its name is, and what a client gives as a password.
  Redactor secrets;
  secrets.result(R"({"token":"Zf3D0LXCM3EIMbgJpUNn"})");
  secrets.arguments("login", R"({"password":"tulip"})");
  CHECK(secrets.text("Zf3D0LXCM3EIMbgJpUNn tulip") == "[masked] [masked]");
}

TEST_CASE("secrets: a list stays a list, and an object an object") {
  CHECK(mask_secrets(R"({"tokens":["a","Zf3D0LXCM3EIMbgJpUNn"]})") ==
        R"({"tokens":["a","[masked]"]})");
  CHECK(mask_secrets(R"({"passwords":["tulip",["rose"]]})") ==
        R"({"passwords":["[masked]",["[masked]"]]})");
  CHECK(mask_secrets(R"({"credentials":{"user":"bob","password":"tulip"}})") ==
        R"({"credentials":{"user":"bob","password":"[masked]"}})");
}

TEST_CASE("secrets: of values that begin alike the longest is masked, and whole words alone") {
  SecretMemory memory;
  for (const char* value : {"abcd-1", "abcd-1-efgh", "abcd-1-efgh-9", "abcd-10", "abcdefgh"}) {
    CHECK(memory.remember(value, Origin::typed));
  }
  CHECK(memory.scrub("abcd-1-efgh-9! abcd-1-efgz abcd-10 abcd-100 abcd-1x abcdefghi", false) ==
        "[masked]! [masked]-efgz [masked] abcd-100 abcd-1x [masked]i");
  CHECK(memory.scrub("is abcd-1-ef", true) == "is [masked]");
  CHECK(memory.scrub("is abcd", true) == "is [masked]");
  CHECK(memory.scrub("is xabcd", true) == "is x[masked]");
}

TEST_CASE("secrets: noise in results pushes nothing out that the client has typed") {
  Redactor secrets;
  secrets.result(result_saying("- textbox \"Password\" [ref=e3]"));
  log_in(secrets, "Evict8Pw!q");
  secrets.arguments("run", R"({"command":"mysqldump --password=Dump9Word shop"})");
  json tokens = json::array();
  for (int i = 0; i < 3000; ++i) tokens.push_back({{"token", fmt::format("tk{:06}xY9", i)}});
  secrets.result(tokens.dump());
  std::string fields;
  for (int i = 0; i < 1100; ++i) fields += fmt::format("- textbox \"Password\" [ref=f{}]\n", i);
  secrets.result(result_saying(fields));
  CHECK(secrets.text("Evict8Pw!q, Dump9Word") == "[masked], [masked]");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e3","text":"tulip"})") ==
        R"({"ref":"e3","text":"[masked]"})");
}

TEST_CASE("secrets: a ref that is seen again is forgotten later") {
  Redactor secrets({16, 2});
  const auto field = [&](const char* ref, const char* name) {
    secrets.result(result_saying(fmt::format("- textbox \"{}\" [ref={}]", name, ref)));
  };
  const auto masks = [&](const char* ref) {
    const std::string typed = json{{"ref", ref}, {"text", "abc"}}.dump();
    return secrets.arguments("browser_type", typed) != typed;
  };
  field("e1", "Password");
  field("e2", "Password");
  field("e1", "Password");
  field("e3", "Password");
  CHECK(masks("e1"));
  CHECK_FALSE(masks("e2"));
  CHECK(masks("e3"));
  field("e1", "City");
  CHECK_FALSE(masks("e1"));
}

TEST_CASE("secrets: labels may be escaped, in any case and in many languages") {
  for (const char* typed :
       {R"({"element":"\u041f\u0430\u0440\u043e\u043b\u044c field","ref":"e1","text":"Ele9Xy"})",
        R"({"fields":[{"label":"\u5bc6\u7801","value":"Ele9Xy"}]})",
        R"({"element":"Pass\u0077ord","ref":"e1","text":"Ele9Xy"})"}) {
    CHECK(Redactor().arguments("t", typed).find("Ele9Xy") == std::string::npos);
  }
  for (const char* label :
       {"ПАРОЛЬ", "CONTRASEÑA", "Contrasen\u0303a", "Heslo", "Vaše heslo", "Şifre", "ŞİFRE",
        "Şifreniz", "口令", "Adgangskode", "Salasana", "Jelszó", "JELSZÓ", "Palavra-passe",
        "Пин-код", "Подтверждение пароля", "Repetir contraseña", "确认密码", "Geheimzahl"}) {
    CAPTURE(label);
    const json field{{"label", label}, {"value", "Lab9Xy"}};
    CHECK(mask_secrets(field.dump()).find("Lab9Xy") == std::string::npos);
    CHECK(mask_secrets(result_saying(fmt::format("- textbox \"{}\" [ref=e3]: ab", label)))
              .find("[masked]") != std::string::npos);
  }
  for (const char* label : {"the slot", "Şifreleme", "绕口令", "Спинной код", "Параллельно",
                            "Größe", "Parola-less", "密林", "Код города"}) {
    CAPTURE(label);
    const std::string field = json{{"label", label}, {"value", "Lab9Xy"}}.dump();
    CHECK(mask_secrets(field) == field);
  }
}

}  // namespace hebb::secrets
