#include "skill/artifact/check_schema.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/values/did_you_mean.h"

namespace hebb::skill {
namespace {

constexpr std::pair<std::string_view, std::string_view> kJsonTypes[] = {
    {"object", "an object"},
    {"array", "a list"},
    {"string", "a string"},
    {"integer", "a whole number"},
    {"boolean", "true or false"}};

bool has_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  return type == "boolean" && value.is_boolean();
}

[[noreturn]] void is_wrong(const Json& value, const std::string& path, std::string_view allowed) {
  invalid(path, fmt::format("is {}; must be {}", dump(value), allowed));
}

std::string member_path(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

const Json* schema_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string joined_by_comma(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& root) : root_(root) {}

  void value(const Json& value, const Json& schema, const std::string& path) const {
    if (const Json* ref = schema_member(schema, "$ref")) {
      constexpr std::string_view kDefs = "#/$defs/";
      const auto name = ref->get<std::string>().substr(kDefs.size());
      return this->value(value, root_.at("$defs").at(name), path);
    }
    if (const Json* only = schema_member(schema, "const"); only != nullptr && value != *only)
      is_wrong(value, path, dump(*only));
    if (const Json* type = schema_member(schema, "type")) {
      const auto known = std::find_if(std::begin(kJsonTypes), std::end(kJsonTypes),
                                      [&](const auto& one) { return *type == one.first; });
      if (!has_type(value, known->first)) is_wrong(value, path, known->second);
    }
    if (value.is_number_integer()) number(value, schema, path);
    if (value.is_string()) text(value.get_ref<const std::string&>(), schema, path);
    if (value.is_array()) array(value, schema, path);
    if (value.is_object()) object(value, schema, path);
    if (const Json* any_of = schema_member(schema, "anyOf")) one_of(value, *any_of, path);
  }

 private:
  static void number(const Json& value, const Json& schema, const std::string& path) {
    const Json* least = schema_member(schema, "minimum");
    const Json* most = schema_member(schema, "maximum");
    if (least != nullptr && (value < *least || value > *most))
      is_wrong(value, path, fmt::format("from {} to {}", dump(*least), dump(*most)));
  }

  // Counts characters, as the standard says.
  static void text(const std::string& value, const Json& schema, const std::string& path) {
    const auto length =
        static_cast<std::size_t>(std::count_if(value.begin(), value.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        }));
    if (length < schema.value("minLength", std::size_t{0})) invalid(path, "is empty");
    if (const Json* most = schema_member(schema, "maxLength"); most != nullptr && length > *most)
      invalid(path, fmt::format("has {} characters; at most {} are taken", length, dump(*most)));
  }

  void array(const Json& value, const Json& schema, const std::string& path) const {
    if (value.size() < schema.value("minItems", std::size_t{0})) invalid(path, "is empty");
    if (const Json* most = schema_member(schema, "maxItems");
        most != nullptr && value.size() > *most)
      invalid(path, fmt::format("has {} of them; at most {} are taken", value.size(), dump(*most)));
    const Json* items = schema_member(schema, "items");
    for (std::size_t i = 0; items != nullptr && i < value.size(); ++i)
      this->value(value[i], *items, fmt::format("{}[{}]", path, i));
  }

  void object(const Json& value, const Json& schema, const std::string& path) const {
    const Json required = schema.value("required", Json::array());
    for (const Json& name : required) {
      const auto& text = name.get_ref<const std::string&>();
      if (!value.contains(text)) invalid(member_path(path, text), "is missing");
    }
    if (const Json* properties = schema_member(schema, "properties")) {
      for (const auto& [name, item] : value.items()) {
        const auto known = properties->find(name);
        if (known != properties->end()) {
          this->value(item, *known, member_path(path, name));
        } else if (schema.contains("additionalProperties")) {
          std::vector<std::string> names;
          for (const auto& one : properties->items()) names.push_back(one.key());
          invalid(member_path(path, name), "is not known here" + did_you_mean_text(name, names));
        }
      }
    }
    if (const Json* dependent = schema_member(schema, "dependentSchemas")) {
      for (const auto& [name, further] : dependent->items()) {
        if (value.contains(name)) this->value(value, further, path);
      }
    }
  }

  // The member that is constant in an alternative; empty: none is.
  static std::string constant_in(const Json& alternative) {
    const Json* properties = schema_member(alternative, "properties");
    if (properties == nullptr) return {};
    for (const auto& [name, schema] : properties->items()) {
      if (schema.contains("const")) return name;
    }
    return {};
  }

  void one_of(const Json& value, const Json& alternatives, const std::string& path) const {
    const std::string constant = constant_in(alternatives.front());
    if (!constant.empty()) return meant_one(value, alternatives, constant, path);
    std::vector<std::string> wanted;
    for (const Json& one : alternatives) {
      const auto& name = one.at("required").front().get_ref<const std::string&>();
      if (value.contains(name)) return;
      wanted.push_back(name);
    }
    invalid(path, fmt::format("has none of {}", joined_by_comma(wanted)));
  }

  void meant_one(const Json& value, const Json& alternatives, const std::string& constant,
                 const std::string& path) const {
    if (!value.is_object()) is_wrong(value, path, "an object");
    const Json* given = schema_member(value, constant.c_str());
    if (given == nullptr) invalid(member_path(path, constant), "is missing");
    std::vector<std::string> wanted;
    for (const Json& one : alternatives) {
      const Json& only = one.at("properties").at(constant).at("const");
      if (*given == only) return this->value(value, one, path);
      wanted.push_back(only.is_string() ? only.get<std::string>() : dump(only));
    }
    const std::string meant =
        given->is_string() ? did_you_mean_text(given->get<std::string>(), wanted) : "";
    is_wrong(*given, member_path(path, constant), "one of " + joined_by_comma(wanted) + meant);
  }

  const Json& root_;
};

}  // namespace

void check_schema(const Json& value, const Json& schema, const Json& root,
                  const std::string& path) {
  SchemaCheck(root).value(value, schema, path);
}

}  // namespace hebb::skill
