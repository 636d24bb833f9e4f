// Strict JSON: nlohmann's parser, with checks of keys and numbers while it parses.
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "api/field.h"
#include "api/problem.h"
#include "engine/engine.h"
#include "engine/values/refusals.h"

namespace hebb::api {

namespace {

constexpr int kNumberTooLarge = 406;  // nlohmann's id of that error

// Builds the value as the library does, and refuses keys and numbers that the library accepts.
class Strict : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;
  explicit Strict(Json& result) : Base(result, false) {}

  bool key(std::string& name) {
    if (!keys_.back().insert(name).second)
      return refuse(refusal::kDuplicateKey, fmt::format("the key \"{}\" is there twice", name));
    return Base::key(name);
  }
  bool start_object(std::size_t size) {
    keys_.emplace_back();
    return enter() && Base::start_object(size);
  }
  bool end_object() {
    keys_.pop_back();
    --depth_;
    return Base::end_object();
  }
  bool start_array(std::size_t size) { return enter() && Base::start_array(size); }
  bool end_array() {
    --depth_;
    return Base::end_array();
  }
  bool number_float(double value, const std::string& text) {
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    if (whole)
      return refuse(refusal::kOutOfRange, fmt::format("the number {} would be rounded", text));
    return Base::number_float(value, text);
  }
  template <class E>
  bool parse_error(std::size_t at, const std::string& token, const E& error) {
    if (error.id == kNumberTooLarge)
      return refuse(refusal::kNotFinite, fmt::format("a number is too large: {}", token));
    where_ = at;
    return false;
  }

  std::optional<Refusal> refusal;
  std::size_t where() const { return where_; }

 private:
  bool refuse(std::string_view reason, std::string why) {
    refusal = Refusal{std::string(reason), std::move(why)};
    return false;
  }
  bool enter() {
    return ++depth_ <= Limits::kDepth ||
           refuse(refusal::kTooDeep, fmt::format("it is nested more than {} deep", Limits::kDepth));
  }

  std::vector<std::set<std::string>> keys_;
  std::size_t depth_ = 0, where_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& field) {
  Json json;
  Strict strict(json);
  if (Json::sax_parse(text, &strict)) return json;
  if (strict.refusal) {
    strict.refusal->detail = fmt::format("{}: {}", field, strict.refusal->detail);
    throw Refused(std::move(*strict.refusal));
  }
  throw invalid(field, "\"{}\" is not JSON: what stands at byte {} cannot be read", field,
                strict.where());
}

}  // namespace hebb::api
