// Values in PostgreSQL's binary format: what goes to the server, and what comes from it.
#include <cassert>
#include <cstring>
#include <limits>
#include <type_traits>

#include <sys/random.h>

#include "sql/postgres/connection.h"

namespace hebb::postgres {
namespace {

// Numbers of types, the same in every database.
constexpr Oid kBytea = 17, kBigint = 20, kText = 25, kUuid = 2950;
constexpr Oid kBigintArray = 1016, kTextArray = 1009, kByteaArray = 1001;

// Big-endian.
template <typename Integer>
void put(std::string& bytes, Integer value) {
  const auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
  for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(bits >> shift & 0xff);
  }
}

std::int64_t integer_of(std::string_view bytes) {
  if (bytes.empty()) return 0;
  assert((bytes.size() == 1 || bytes.size() == 2 || bytes.size() == 4 || bytes.size() == 8) &&
         "a column of integers");
  std::uint64_t bits = 0;
  for (const char c : bytes) bits = bits << 8 | static_cast<unsigned char>(c);
  const int unused = 64 - 8 * static_cast<int>(bytes.size());
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::int32_t length_of(std::size_t size) {
  if (size <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(size);
  throw Error("", false, "a value of 2 GiB or more cannot be sent to PostgreSQL");
}

// The dimensions of an array, before its elements.
std::string array_begin(Oid element, std::size_t count, bool has_null) {
  std::string bytes;
  put<std::int32_t>(bytes, count > 0);  // how many dimensions: an empty array has none
  put<std::int32_t>(bytes, has_null);
  put(bytes, element);
  if (count == 0) return bytes;
  put(bytes, length_of(count));
  put<std::int32_t>(bytes, 1);  // the index of the first
  return bytes;
}

std::string array_of(Oid element, Arguments::Texts values) {
  bool has_null = false;
  std::size_t size = 32;
  for (const auto& value : values) {
    has_null = has_null || !value;
    size += 4 + (value ? value->size() : 0);
  }
  std::string bytes = array_begin(element, values.size(), has_null);
  bytes.reserve(size);
  for (const auto& value : values) {
    put<std::int32_t>(bytes, value ? length_of(value->size()) : -1);
    if (value) bytes += *value;
  }
  length_of(bytes.size());
  return bytes;
}

}  // namespace

Uuid random_uuid() {
  Uuid uuid;
  for (std::size_t got = 0; got < uuid.size();) {
    const ssize_t n = getrandom(uuid.data() + got, uuid.size() - got, 0);
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  uuid[6] = (uuid[6] & std::byte{0x0f}) | std::byte{0x40};
  uuid[8] = (uuid[8] & std::byte{0x3f}) | std::byte{0x80};
  return uuid;
}

Arguments& Arguments::integer(std::int64_t value) {
  std::string bytes;
  put(bytes, value);
  values_.push_back({kBigint, std::move(bytes)});
  return *this;
}

Arguments& Arguments::text(std::string_view value) {
  length_of(value.size());
  values_.push_back({kText, std::string(value)});
  return *this;
}

Arguments& Arguments::uuid(const Uuid& value) {
  values_.push_back(
      {kUuid, std::string(reinterpret_cast<const char*>(value.data()), value.size())});
  return *this;
}

Arguments& Arguments::integers(std::span<const std::int64_t> values) {
  std::string bytes = array_begin(kBigint, values.size(), false);
  bytes.reserve(bytes.size() + values.size() * 12);
  for (const std::int64_t value : values) {
    put<std::int32_t>(bytes, 8);
    put(bytes, value);
  }
  values_.push_back({kBigintArray, std::move(bytes)});
  return *this;
}

Arguments& Arguments::texts(Texts values) {
  values_.push_back({kTextArray, array_of(kText, values)});
  return *this;
}

Arguments& Arguments::blobs(Texts values) {
  values_.push_back({kByteaArray, array_of(kBytea, values)});
  return *this;
}

int Result::rows() const { return libpq().PQntuples(result_.get()); }

bool Result::is_null(int row, int column) const {
  return libpq().PQgetisnull(result_.get(), row, column) != 0;
}

std::int64_t Result::integer(int row, int column) const { return integer_of(text(row, column)); }

std::string_view Result::text(int row, int column) const {
  const Libpq& pq = libpq();
  assert(row >= 0 && row < pq.PQntuples(result_.get()));
  assert(column >= 0 && column < pq.PQnfields(result_.get()));
  return {pq.PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(pq.PQgetlength(result_.get(), row, column))};
}

}  // namespace hebb::postgres
