// Where a secret may stand: in lists of arguments, cookies, pages as JSON, tables and YAML.
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "secrets/secrets.h"

namespace hebb::secrets {
namespace {

using nlohmann::json;

}  // namespace

TEST_CASE("secrets: a list of arguments is masked as one text is") {
  Secrets secrets;
  CHECK(secrets.arguments("run", R"({"args":["-u","bob:Usr9xy","--token" , "tk9-xy","-v"]})") ==
        R"({"args":["-u","bob:[masked]","--token" , "[masked]","-v"]})");
  CHECK(secrets.arguments("run", R"({"args":["curl","-d","{\"password\":\"x\"}","--password"]})") ==
        R"({"args":["curl","-d","{\"password\":\"[masked]\"}","--password"]})");
  for (const char* plain :
       {R"(["--token","--verbose"])", R"(["--token",7,"page12"])", R"(["--token"],["page12"])",
        R"({"a":"--token","b":"page12"})", R"(["-u","origin","a:b2"])"}) {
    CHECK(mask_secrets(plain) == plain);
  }
}

TEST_CASE("secrets: the value of a cookie is one") {
  CHECK(mask_secrets(
            R"([{"name":"sessionid","value":"ab","domain":"example.com","httpOnly":true}])") ==
        R"([{"name":"sessionid","value":"[masked]","domain":"example.com","httpOnly":true}])");
  CHECK(
      mask_secrets(R"([{"sameSite":"Lax","name":"sid","value":"ab"},{"name":"a","value":"b"}])") ==
      R"([{"sameSite":"Lax","name":"sid","value":"[masked]"},{"name":"a","value":"b"}])");
}

TEST_CASE("secrets: a page may be given as JSON") {
  Secrets secrets;
  secrets.result(
      R"({"structuredContent":{"snapshot":[{"role":"textbox","name":"Password","ref":"e3"},
          {"role":"button","name":"Show password","ref":"e4"}]}})");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e3","text":"tulip"})") ==
        R"({"ref":"e3","text":"[masked]"})");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e4","text":"tulips"})") ==
        R"({"ref":"e4","text":"tulips"})");
  secrets.result(R"([{"role":"textbox","name":"City","ref":"e3"}])");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e3","text":"Bonn"})") ==
        R"({"ref":"e3","text":"Bonn"})");
}

TEST_CASE("secrets: a field may have its name in a placeholder") {
  Secrets secrets;
  CHECK(secrets.text("- textbox [ref=e3]:\n  - /placeholder: Password\n  - text: tulip\n"
                     "- textbox [ref=e4]:\n  - /placeholder: City\n  - text: Bonn") ==
        "- textbox [ref=e3]:\n  - /placeholder: Password\n  - text: [masked]\n"
        "- textbox [ref=e4]:\n  - /placeholder: City\n  - text: Bonn");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e3","text":"rose"})") ==
        R"({"ref":"e3","text":"[masked]"})");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e4","text":"Rome"})") ==
        R"({"ref":"e4","text":"Rome"})");
}

TEST_CASE("secrets: what is about a password is none") {
  const std::string hint = R"({"password_hint":"your pet","passwordHint":"Rex77"})";
  CHECK(mask_secrets(hint) == hint);
}

}  // namespace hebb::secrets
