// Tasks from lines and rows of a text that is no JSON. Their readers make an object of each, which
// is read as an item of a tracker by the mapping of the format. Internal to the readers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/input/tracker.h"

namespace hebb::input {

using RowObject = nlohmann::ordered_json;
// A field for "created" as it is written, by which a row without an id is known in any zone.
inline constexpr const char* kCreatedText = "created as written";

// All of the input without a byte order mark. Throws UnreadableInput, with the line, for one that
// is not UTF-8.
std::string_view whole_text(Input& input);

// A day or a time as RFC 3339: "2026-12-01", "2026-12-01 13:05", "1.12.2026", RFC 3339. One without
// a zone is of the zone of `options`; a day is meant to its end, 23:59, or else its beginning.
// nullopt: it is none.
std::optional<std::string> row_time(std::string_view text, bool whole_day,
                                    const ReadOptions& options);

// The rows of an input.
class Rows {
 public:
  Rows(const Mapping& mapping, const ReadOptions& options, const ItemSink& sink)
      : mapping_(mapping), options_(options), sink_(sink) {}

  // Adds what make() returns. An ItemRefused that it throws is the refusal of the row.
  template <class Make>
  void add(std::int64_t line, std::string_view text, const Make& make) {
    try {
      take(line, make());
    } catch (ItemRefused& refused) {
      if (options_.listed) options_.listed->items.insert(std::string(text));
      sink_({line,
             std::string(text.substr(0, Limits::kKeptBytes)),
             std::move(refused.refusal),
             text.size(),
             {}});
    }
  }
  // Reads all of them, or counts them for options.rows.
  void read();

 private:
  struct Row {
    std::int64_t line;
    std::string json;           // without the id
    std::string id;             // empty: it gets one of the name
    std::string name, over_at;  // for RowNumbers
  };
  void take(std::int64_t line, RowObject object);
  std::string new_id(const Row& row, RowNumbers& numbers);

  const Mapping& mapping_;
  const ReadOptions& options_;
  const ItemSink& sink_;
  std::vector<Row> rows_;
  std::map<std::string, std::int64_t> lines_;  // of ids
};

}  // namespace hebb::input
