#include "engine/values/read_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/values/checks.h"

namespace hebb {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kNumberTooLarge = 406;  // nlohmann's id of that error

// What nlohmann's parser calls for each part of the text.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t most_keys) : most_keys_(most_keys) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string& text) override {
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    if (whole)
      return refuse(refusal::kOutOfRange, fmt::format("the number {} would be rounded", text));
    return add(value);
  }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) override { return false; }  // JSON has none
  bool start_object(std::size_t /*size*/) override { return begin(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return begin(Json::array()); }
  bool key(std::string& name) override {
    auto& object = open_.back()->get_ref<Json::object_t&>();
    if (object.size() == most_keys_)
      return refuse(refusal::kTooManyKeys, fmt::format("an object may have {} keys", most_keys_));
    object.emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() override {
    const auto& object = open_.back()->get_ref<const Json::object_t&>();
    names_.clear();
    for (const auto& member : object) names_.emplace_back(member.first);
    std::sort(names_.begin(), names_.end());
    if (const auto twice = std::adjacent_find(names_.begin(), names_.end()); twice != names_.end())
      return refuse(refusal::kDuplicateKey,
                    fmt::format("the key \"{}\" is there twice", shown(*twice)));
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t at, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (error.id == kNumberTooLarge)
      return refuse(refusal::kNotFinite, fmt::format("a number is too large: {}", shown(token)));
    return refuse(refusal::kNotJson, fmt::format("what stands at byte {} cannot be read", at));
  }

  Json root;
  std::optional<Refusal> refused;

 private:
  static std::string shown(std::string_view text) {
    return text.size() <= kShownBytes ? std::string(text)
                                      : fmt::format("{}…", cut(text, kShownBytes));
  }
  // "outcomes[3].data"; empty: the root.
  std::string place() const {
    std::string place;
    for (const Json* at : open_) {
      if (at == open_.back()) break;
      if (at->is_array()) {
        place += fmt::format("[{}]", at->size() - 1);
      } else {
        const auto& name = at->get_ref<const Json::object_t&>().back().first;
        place += fmt::format("{}{}", place.empty() ? "" : ".", shown(name));
      }
    }
    return place;
  }
  bool refuse(std::string_view reason, std::string why) {
    const std::string where = place();
    if (!where.empty()) why = fmt::format("{}: {}", where, why);
    refused = Refusal{std::string(reason), std::move(why)};
    return false;
  }
  // The place of the next value. Keys are compared when their object ends.
  Json& next() {
    if (open_.empty()) return root;
    if (open_.back()->is_object()) return open_.back()->get_ref<Json::object_t&>().back().second;
    return open_.back()->get_ref<Json::array_t&>().emplace_back();
  }
  bool add(Json value) {
    next() = std::move(value);
    return true;
  }
  bool begin(Json value) {
    if (open_.size() == Limits::kDepth)
      return refuse(refusal::kTooDeep,
                    fmt::format("it is nested more than {} deep", Limits::kDepth));
    Json& place = next();
    place = std::move(value);
    open_.push_back(&place);
    return true;
  }

  const std::size_t most_keys_;
  std::vector<Json*> open_;  // the objects and arrays that have not ended, innermost last
  std::vector<std::string_view> names_;
};

}  // namespace

std::variant<Json, Refusal> read_json(std::string_view text, std::size_t most_keys) {
  // The parser takes a NUL as the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    return Refusal{std::string(refusal::kNotJson),
                   fmt::format("what stands at byte {} cannot be read", nul + 1)};
  Builder builder(most_keys);
  if (Json::sax_parse(text, &builder)) return std::move(builder.root);
  return std::move(*builder.refused);
}

Json json_or_discarded(std::string_view text) {
  auto read = read_json(text);
  auto* json = std::get_if<Json>(&read);
  return json ? std::move(*json) : Json(Json::value_t::discarded);
}

}  // namespace hebb
