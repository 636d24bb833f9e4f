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
  Redactor secrets;
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

TEST_CASE("secrets: a list of arguments is one of the command that it begins with") {
  for (const char* plain :
       {R"(["rsync","-u","nas:photos/2024","."])", R"(["docker","run","-u","app1:app1"])",
        R"(["podman","run","--user","app1:group1"])"}) {
    CHECK(mask_secrets(plain) == plain);
  }
  CHECK(mask_secrets(R"(["sudo","curl","-u","bob:Usr9xy"])") ==
        R"(["sudo","curl","-u","bob:[masked]"])");
  CHECK(mask_secrets(R"(["docker","login","-u","bob","-p","Usr9xy"])") ==
        R"(["docker","login","-u","bob","-p","[masked]"])");
  CHECK(mask_secrets(R"(["podman","pull","--creds","bob:Usr9xy"])") ==
        R"(["podman","pull","--creds","bob:[masked]"])");
  // Where the command is not known, what looks like a login is looked for elsewhere only if it can
  // be nothing else.
  Redactor secrets;
  secrets.arguments("run", R"({"command":"rsync","args":["-u","nas:photos/2024","."]})");
  CHECK(secrets.text("see photos/2024") == "see photos/2024");
  secrets.arguments("run", R"({"args":["-u","bob:k9Zr2mQx7"]})");
  CHECK(secrets.text("see k9Zr2mQx7") == "see [masked]");
}

TEST_CASE("secrets: under the names of packages, passwords are secrets too") {
  CHECK(mask_secrets(R"({"packages":[{"registry":{"password":"Tr0ub4dor&3"}}]})") ==
        R"({"packages":[{"registry":{"password":"[masked]"}}]})");
  CHECK(mask_secrets(R"({"engines":{"pg":{"password":"correcthorse","db-pass":"k9Zr2mQx7"}}})") ==
        R"({"engines":{"pg":{"password":"[masked]","db-pass":"[masked]"}}})");
  CHECK(mask_secrets(R"({"require":{"passwords":{"a":"correcthorse"}}})") ==
        R"({"require":{"passwords":{"a":"[masked]"}}})");
  for (const char* plain :
       {R"({"dependencies":{"js-tokens":"latest","secret-box":"^1.2.0","password-prompt":"next"}})",
        R"({"packages":{"node_modules/secret-box":{"version":"1.0.0","license":"MIT"}}})",
        R"({"packages":[{"features":{"secret-service":["dep:secret-service"]}}]})",
        R"({"scripts":{"rotate-secrets":"node rotate.js --all","token":"node token.js"}})"}) {
    CHECK(mask_secrets(plain) == plain);
  }
}

TEST_CASE("secrets: a code of digits is one as a number, too") {
  CHECK(mask_secrets(R"({"otp":482913,"security_code":482913,"verificationCode":123})") ==
        R"({"otp":"[masked]","security_code":"[masked]","verificationCode":"[masked]"})");
  const std::string plain = R"({"otp":true,"totp":30,"token":482913,"csrf":1})";
  CHECK(mask_secrets(plain) == plain);
}

TEST_CASE("secrets: only a part of a form has its value behind an empty line") {
  const std::string plain =
      "  name = \"db_password\"\n}\n\nresource \"aws_db\" \"main\" {\n  size = 2\n}\n--- a/x\n";
  Redactor secrets;
  CHECK(secrets.text(plain) == plain);
  CHECK(secrets.text("form-data; name=\"city\"\n\nBonn\n--x\n\n" + plain) ==
        "form-data; name=\"city\"\n\nBonn\n--x\n\n" + plain);
  CHECK(secrets.text("form-data; name=\"pin\"\r\n\r\ntulip\r\n--x\r\n"
                     "form-data; name=\"password\"\r\n\r\nrose\r\n--x--") ==
        "form-data; name=\"pin\"\r\n\r\n[masked]\r\n--x\r\n"
        "form-data; name=\"password\"\r\n\r\n[masked]\r\n--x--");
}

TEST_CASE("secrets: the lines of a table may end with a separator") {
  Redactor secrets;
  CHECK(secrets.text("user,password,\nbob,Tr0ub4dor&3,\n") == "user,password,\nbob,[masked],\n");
  CHECK(secrets.text("user;password;\nbob;tulip;\n") == "user;password;\nbob;[masked];\n");
  const std::string code = "password,\nport9x,\n\n    user, password,\n    host, port9x,\n";
  CHECK(secrets.text(code) == code);
}

TEST_CASE("secrets: data of a secret is one at any depth, and in any order") {
  CHECK(mask_secrets(R"({"items":[{"data":{"a":"v1","data":{"b":"v2"}},"kind":"Secret"},
      {"data":{"a":"v1"},"kind":"List"}],"x":{"name":"password","value":"v3"}})") ==
        R"({"items":[{"data":{"a":"[masked]","data":{"b":"[masked]"}},"kind":"Secret"},
      {"data":{"a":"v1"},"kind":"List"}],"x":{"name":"password","value":"[masked]"}})");
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
  Redactor secrets;
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
  Redactor secrets;
  CHECK(secrets.text("- textbox [ref=e3]:\n  - /placeholder: Password\n  - text: tulip\n"
                     "- textbox [ref=e4]:\n  - /placeholder: City\n  - text: Bonn") ==
        "- textbox [ref=e3]:\n  - /placeholder: Password\n  - text: [masked]\n"
        "- textbox [ref=e4]:\n  - /placeholder: City\n  - text: Bonn");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e3","text":"rose"})") ==
        R"({"ref":"e3","text":"[masked]"})");
  CHECK(secrets.arguments("browser_type", R"({"ref":"e4","text":"Rome"})") ==
        R"({"ref":"e4","text":"Rome"})");
}

TEST_CASE("secrets: a line answers the prompt for which the line before it has waited") {
  Redactor secrets;
  CHECK(secrets.text("log(1)\nchild.expect('assword:')\nchild.sendline('tulips are red')") ==
        "log(1)\nchild.expect('assword:')\nchild.sendline('[masked]')");
  // The words of the line itself are no prompt, however long the lines before it are.
  const std::string plain =
      "spawn ssh bob@host -p 2222 -o X=y\nls\nlog('expect assword:'); child.sendline('ls -la1')";
  CHECK(secrets.text(plain) == plain);
}

TEST_CASE("secrets: what is about a password is none") {
  const std::string hint = R"({"password_hint":"your pet","passwordHint":"Rex77"})";
  CHECK(mask_secrets(hint) == hint);
}

}  // namespace hebb::secrets
