// Texts that are made to stop who looks for secrets in them.
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "secrets/secrets.h"

using hebb::secrets::Redactor;

namespace {

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> kPieces{"}=",
                                                "{",
                                                "}",
                                                "(",
                                                ")",
                                                "[",
                                                "]",
                                                "\"",
                                                "'",
                                                "`",
                                                "=",
                                                ":",
                                                "=>",
                                                "://",
                                                "@",
                                                "|",
                                                ",",
                                                ";",
                                                "<",
                                                ">",
                                                "</",
                                                "\\",
                                                "\\\"",
                                                "\n",
                                                "\t",
                                                " ",
                                                "&",
                                                "?",
                                                "#",
                                                "$",
                                                "--",
                                                "- ",
                                                "a",
                                                "A1",
                                                "\tTRUE\t1\tA",
                                                "kind:",
                                                "kind: Secret\n",
                                                "data:",
                                                "get;",
                                                "password",
                                                "password=",
                                                "password:",
                                                "name=\"password\"",
                                                "value=",
                                                "<password>",
                                                "--password",
                                                "curl -u",
                                                "-H '",
                                                "Cookie: ",
                                                "Authorization: ",
                                                "Bearer ",
                                                "%41",
                                                "&#x41;",
                                                "\\u0041",
                                                "eyJ",
                                                "-----BEGIN",
                                                "-----BEGIN PRIVATE KEY-----",
                                                "-----END",
                                                "ghp_",
                                                "(\"password\",",
                                                "IDENTIFIED BY '",
                                                "machine a login b password ",
                                                "variable \"x\" {",
                                                "set-cookie",
                                                "expect assword: send \"x\\r",
                                                "net use Z: ",
                                                "-u bob -p ",
                                                "jwt.sign({",
                                                "\na.b:5432:c:d:e1",
                                                "legal winner thank ",
                                                "<Password><value>",
                                                "SETUSER a >b1",
                                                "Password [none]: ",
                                                "{\"a\":",
                                                "\"a\":["};
  return kPieces;
}

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace

TEST_CASE("no text of such pieces, and none that ends within one, is more than can be looked at") {
  CHECK_NOTHROW(Redactor().text(repeated("(\"password\",\"a\":[?-H 'Authorization: ", 8192)));
  std::mt19937 random(20261125);
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 12); n >= 0; --n)
      text += pieces()[random() % pieces().size()];
    CAPTURE(text);
    CHECK_NOTHROW(Redactor().text(text));
    CHECK_NOTHROW(Redactor().result("{\"a\":\"" + text));
  }
}

// Where each piece were compared with all others, the first of these would take minutes.
TEST_CASE("a long row of one piece is looked at once", "[slow]") {
  for (const char* piece : {"=",
                            "password:",
                            "}=",
                            "\tTRUE\t1\tA",
                            "kind:",
                            "?x=",
                            "-----BEGIN",
                            " -----BEGIN PRIVATE KEY-----",
                            "--password:",
                            "(\"password\",",
                            "→",
                            "：",
                            "密码：",
                            "kinit<<<${",
                            "Authorization:",
                            "PuTTY-User-Key-File-",
                            "form-data; name=\"password\"\n\nx\n",
                            "\na.b:5432:c:d:e1",
                            "a.b:5432:c:",
                            "\"legal winner thank ",
                            "net use a ",
                            "convertto-securestring -a ",
                            "assword send ",
                            "jwt.sign(",
                            "login(",
                            "Client(\"a1",
                            "password=\\",
                            "<value>",
                            "SETUSER a >b",
                            "Password [n]: ",
                            "-u b -p ",
                            "value=\""}) {
    const std::string text = repeated(piece, 1 << 19);
    CAPTURE(piece);
    CHECK_FALSE(Redactor().text(text).empty());
  }
}

TEST_CASE("what stands behind a long row of one piece is looked at once") {
  const std::string dots = repeated(".", 1 << 19), blanks = repeated(" ", 1 << 19);
  CHECK_FALSE(Redactor().text(repeated("password=", 1 << 19) + dots).empty());
  CHECK_FALSE(Redactor().text(repeated("→", 1 << 19) + dots).empty());
  CHECK_FALSE(Redactor().text(repeated("→", 1 << 19) + "a1b2c3" + blanks).empty());
  CHECK_FALSE(Redactor().text(repeated("password=", 1 << 19) + "\\x").empty());
  const std::string keys = repeated("PuTTY-User-Key-File-", 1 << 19);
  CHECK(Redactor().text(keys + "\nPrivate-Lines: 1\nAAAAIQDzQ9Xr7pV\n") == keys + "\n[masked]");
  const std::string value = repeated("ab ", 1 << 20);
  CHECK_FALSE(Redactor().text(repeated("fill(", 2000) + '"' + value + "\",\"x\"").empty());
}

TEST_CASE("a long name, and a long value under one, is looked at once") {
  constexpr std::size_t kBytes = 1 << 21;
  CHECK_FALSE(Redactor().result("{\"" + repeated("token", kBytes) + "\":\"x\"}").empty());
  CHECK_FALSE(Redactor().result("{\"password\":\"" + repeated("tokeniz ", kBytes)).empty());
  CHECK_FALSE(Redactor().result("{\"password\":\"" + repeated("İ", kBytes)).empty());
}

TEST_CASE("data that may be a secret's is looked at once, however deep it stands") {
  CHECK_FALSE(Redactor().result(repeated("{\"data\":{\"a\":\"\",", 1 << 21)).empty());
  std::string flat = "{\"kind\":\"Secret\",\"data\":{", masked = flat;
  for (int i = 0; i < 1 << 18; ++i) {
    flat += "\"a\":\"b\",";
    masked += "\"a\":\"[masked]\",";
  }
  CHECK(Redactor().result(flat) == masked);
}

TEST_CASE("a value that is too long to be judged is masked to its end") {
  const std::string value = repeated("kQ7x", 5000);
  CHECK(Redactor().text("password=" + value).find("kQ7x") == std::string::npos);
  CHECK(Redactor().text("?api_key=" + value + "&a=1").find("kQ7x") == std::string::npos);
}
