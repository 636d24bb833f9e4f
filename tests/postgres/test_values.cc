// Values go to a server and come back as they were.
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sql/postgres/connection.h"
#include "tests/support/cluster.h"

namespace hebb::postgres {
namespace {

using Maybe = std::optional<std::string_view>;
using Limits = std::numeric_limits<std::int64_t>;

constexpr int kTimeoutMs = 20'000;

void check_values(Connection& connection) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, Limits::min(), Limits::max()}) {
    const Result same = connection.ask("SELECT $1, ($1)::text", Arguments().integer(value));
    CHECK(same.integer(0, 0) == value);
    CHECK(same.text(0, 1) == std::to_string(value));
  }
  const Result small = connection.ask(
      "SELECT (-7)::smallint, 2147483647, (-2147483648)::integer, true, false, NULL::bigint");
  CHECK(small.integer(0, 0) == -7);
  CHECK(small.integer(0, 1) == 2147483647);
  CHECK(small.integer(0, 2) == -2147483648);
  CHECK(small.integer(0, 3) == 1);
  CHECK(small.integer(0, 4) == 0);
  CHECK(small.is_null(0, 5));
  CHECK_FALSE(small.is_null(0, 4));
  CHECK(small.integer(0, 5) == 0);

  const std::string long_text(1 << 20, 'x');
  for (const std::string_view value :
       {std::string_view(""), std::string_view("a 'quote', \\ and ü€😀"),
        std::string_view(long_text)}) {
    const Result same = connection.ask("SELECT $1, octet_length($1)", Arguments().text(value));
    CHECK(same.text(0, 0) == value);
    CHECK(same.integer(0, 1) == static_cast<std::int64_t>(value.size()));
  }
  CHECK(connection.ask("SELECT '{\"a\": [1]}'::json").text(0, 0) == "{\"a\": [1]}");

  const Uuid id = random_uuid();
  CHECK(id != random_uuid());
  const Result uuid = connection.ask("SELECT $1, ($1)::text", Arguments().uuid(id));
  CHECK(uuid.text(0, 0) == std::string_view(reinterpret_cast<const char*>(id.data()), id.size()));
  CHECK(uuid.text(0, 1).substr(14, 1) == "4");
  CHECK(uuid.text(0, 1).substr(19, 1).find_first_of("89ab") == 0);

  const std::string bytes("\0\xff\n\\x\0", 6);
  const std::vector<Maybe> blobs{Maybe(bytes), Maybe(""), std::nullopt};
  const Result blob =
      connection.ask("SELECT b, b IS NULL FROM unnest($1) AS b", Arguments().blobs(blobs));
  REQUIRE(blob.rows() == 3);
  CHECK(blob.text(0, 0) == bytes);
  CHECK(blob.text(1, 0).empty());
  CHECK_FALSE(blob.is_null(1, 0));
  CHECK(blob.is_null(2, 0));

  const std::vector<Maybe> texts{Maybe("a,b"), Maybe("NULL"), Maybe(""), std::nullopt,
                                 Maybe("{\"ü\"}")};
  const Result text = connection.ask(
      "SELECT t FROM unnest($1) WITH ORDINALITY AS u(t, i) ORDER BY i", Arguments().texts(texts));
  REQUIRE(text.rows() == 5);
  for (int i = 0; i < 5; ++i) {
    const Maybe& sent = texts[static_cast<std::size_t>(i)];
    CHECK(text.is_null(i, 0) == !sent);
    CHECK(text.text(i, 0) == sent.value_or(""));
  }
}

void check_arrays(Connection& connection) {
  const char* const count =
      "SELECT cardinality($1), cardinality($2), cardinality($3), $1 = '{}', $2 = '{}', $3 = '{}'";
  const Result none = connection.ask(count, Arguments().integers({}).texts({}).blobs({}));
  for (int i = 0; i < 3; ++i) CHECK(none.integer(0, i) == 0);
  for (int i = 3; i < 6; ++i) CHECK(none.integer(0, i) == 1);

  std::vector<std::int64_t> numbers;
  std::vector<std::string> words;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    numbers.push_back(Limits::max() - i * i);
    words.push_back("word " + std::to_string(i));
  }
  const std::vector<Maybe> texts(words.begin(), words.end());
  const Result rows = connection.ask(
      "SELECT n, t, b FROM unnest($1, $2, $3) WITH ORDINALITY AS u(n, t, b, i) ORDER BY i",
      Arguments().integers(numbers).texts(texts).blobs(texts));
  REQUIRE(rows.rows() == 10'000);
  bool same = true;
  for (int i = 0; i < rows.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    same = same && rows.integer(i, 0) == numbers[at] && rows.text(i, 1) == words[at] &&
           rows.text(i, 2) == words[at];
  }
  CHECK(same);
}

// No UTF-8, and a zero byte.
void check_refused(Connection& connection) {
  for (const std::string_view text : {std::string_view("\xff"), std::string_view("a\0b", 3)}) {
    try {
      connection.ask("SELECT $1", Arguments().text(text));
      FAIL("it was taken");
    } catch (const Error& error) {
      CHECK(error.sqlstate() == "22021");
      CHECK_FALSE(error.lost());
    }
  }
}

}  // namespace

TEST_CASE(
    "values of every kind go to a server and come back, and texts that cannot be are refused") {
  test::Cluster server;
  Connection connection(server.url(), kTimeoutMs);
  check_values(connection);
  check_arrays(connection);
  check_refused(connection);
}

}  // namespace hebb::postgres
