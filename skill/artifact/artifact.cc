#include "skill/artifact/artifact.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/fields/record.h"

namespace hebb::fields {

// An object that is absent in JSON where it is empty.
struct NotEmpty;
template <>
struct CodecAs<NotEmpty, Json> : Plain<Json, Kind::object> {
  static Json get(const Json& object) { return object.empty() ? Json() : object; }
};
// In JSON its name.
struct Named;
template <>
struct CodecAs<Named, skill::SelectorType> : Plain<skill::SelectorType, Kind::text> {
  static Json get(skill::SelectorType type) { return skill::selector_type_name(type); }
  static void set(skill::SelectorType& type, const Json& json) {
    type = *skill::selector_type(json.get_ref<const std::string&>());
  }
};
template <>
struct CodecAs<Named, skill::Kind> : Plain<skill::Kind, Kind::text> {
  static Json get(skill::Kind kind) { return skill::kind_name(kind); }
  static void set(skill::Kind& kind, const Json& json) {
    kind = *skill::kind_of(json.get_ref<const std::string&>());
  }
};

}  // namespace hebb::fields

namespace hebb::skill {

// Members that are a text here, and an object with that text in JSON.
struct PostAssert {
  std::string id;
  operator const std::string&() const { return id; }  // NOLINT(google-explicit-constructor)
};
RECORD(PostAssert,
       field("contract_id", self.id, "Of the contract", {.min = 1, .max = 256, .required = true}))
struct Recorder {
  std::string version;
  operator const std::string&() const { return version; }  // NOLINT(google-explicit-constructor)
};
RECORD(Recorder, field("hebb_version", self.version, "Of the recorder",
                       {.min = 1, .max = 64, .required = true}))

constexpr double kLatestRecording = 253'402'300'799'999;  // the end of the year 9999
constexpr double kTypedLength = 16 << 10;                 // characters of what is typed

static std::vector<std::string> types_with_value() {
  auto names = selector_type_names();
  std::erase(names, selector_type_name(SelectorType::role_name));
  return names;
}
RECORD(Selector,
       FIELD_AS(Named, type, "How it finds an element",
                {.choices = selector_type_names(), .required = true}),
       FIELD(role, "The ARIA role", {.min = 1, .max = 64, .required = true, .only = {"role_name"}}),
       field("name", self.value, "The accessible name",
             {.max = ArtifactLimits::kTextBytes, .required = true, .only = {"role_name"}}),
       field("value", self.value, "What it looks for",
             {.min = 1,
              .max = ArtifactLimits::kTextBytes,
              .required = true,
              .only = types_with_value()}),
       FIELD(exact, "False: a part of it is enough, ignoring case", {.may_be_absent = true}),
       FIELD(nth, "Which of all that match, from 0; negative: from the end",
             {.min = -10'000, .max = 10'000}),
       FIELD(has_text, "Only elements that have this text",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .may_be_absent = true}),
       FIELD(within, "Only within what these find, the outermost first",
             {.least = 1, .most = ArtifactLimits::kWithin, .may_be_absent = true}))

RECORD(Step, FIELD_AS(Named, kind, "What it does", {.choices = kind_names(), .required = true}),
       FIELD(selectors, "How its element is found, the best first", {.required = true}),
       field("frameOrdinal", self.frame_ordinal, "The number of the frame, in document order",
             {.min = 0, .max = 1000, .may_be_absent = true}),
       FIELD_AS(NotEmpty, args, "What the kind needs"),
       field_as<PostAssert>("post_assert", self.contract_id, "Checked after it"),
       FIELD(frames, "The iframes around the element, from the outermost",
             {.least = 1, .most = ArtifactLimits::kFrames, .may_be_absent = true}),
       FIELD(tab, "The number of the page, as they were opened",
             {.min = 0, .max = 100, .may_be_absent = true}),
       FIELD(to, "What it is dropped on", {.may_be_absent = true}),
       FIELD(focus, "Where the focus was", {.may_be_absent = true, .only = {"press", "key_down"}}),
       FIELD_AS(NotEmpty, extra, "Of an imported format"))

RECORD(Artifact,
       FIELD(recorded_at, "Epoch milliseconds",
             {.min = 0, .max = kLatestRecording, .required = true}),
       field_as<Recorder>("recorder", self.hebb_version, "What recorded it", {.required = true}),
       FIELD(steps, "In their order",
             {.least = 1, .most = ArtifactLimits::kSteps, .required = true}),
       FIELD_AS(NotEmpty, extra, "Of an imported format"))

// The args of which hebb knows the form. Others are kept for whoever recorded them.
struct Args {
  std::string kind, value, url, key;
  std::int64_t count = 0, width = 0, height = 0;
  std::vector<std::string> files, values;
  bool accept = false;
  fields::Object attributes, properties;
};
RECORD(Args, FIELD(kind, "Of the step"),
       FIELD(value, "", {.max = kTypedLength, .required = true, .only = {"fill"}}),
       FIELD(value, "", {.max = kTypedLength}),
       FIELD(url, "",
             {.min = 1, .max = ArtifactLimits::kTextBytes, .required = true, .only = {"navigate"}}),
       FIELD(url, "", {.max = ArtifactLimits::kTextBytes}),
       FIELD(key, "",
             {.min = 1, .max = 64, .required = true, .only = {"press", "key_down", "key_up"}}),
       FIELD(key, "", {.max = 64}), FIELD(count, "", {.min = 1, .max = 3, .only = {"click"}}),
       FIELD(count, "", {.min = 0, .max = 10'000}),
       FIELD(files, "", {.least = 1, .most = 100, .required = true, .only = {"upload"}}),
       FIELD(files, "", {.least = 1, .most = 100}), FIELD(values, "", {.most = 1000}),
       FIELD(accept, "", {.only = {"dialog"}}), FIELD(attributes, "", {.only = {"wait"}}),
       FIELD(properties, "", {.only = {"wait"}}),
       FIELD(width, "", {.min = 1, .max = 16'384, .required = true, .only = {"viewport"}}),
       FIELD(height, "", {.min = 1, .max = 16'384, .required = true, .only = {"viewport"}}))

namespace {

bool plain(const Selector& s) {
  const bool type_of_1 = s.type != SelectorType::test_id && s.type != SelectorType::label &&
                         s.type != SelectorType::placeholder;
  return type_of_1 && s.exact && !s.nth && s.has_text.empty() && s.within.empty();
}

bool plain(const Step& s) {
  return s.kind <= Kind::scroll &&
         std::all_of(s.selectors.begin(), s.selectors.end(),
                     [](const Selector& x) { return plain(x); }) &&
         s.frames.empty() && s.tab == 0 && s.to.empty() && s.focus.empty() && s.extra.empty();
}

// These throw fields::Invalid, for what the fields by themselves do not say.

// A request may have a null in place of nothing; what is stored may not.
void refuse_nulls(const Json& json, const std::string& path) {
  if (json.is_null()) throw fields::Invalid(path, "is null; leave it out, or give a value");
  if (!json.is_structured()) return;
  for (const auto& [name, value] : json.items()) {
    if (value.is_object() && (name == "args" || name == "extra")) continue;  // of whatever form
    refuse_nulls(value, json.is_array() ? fmt::format("{}[{}]", path, name)
                        : path.empty()  ? name
                                        : fmt::format("{}.{}", path, name));
  }
}

template <class T>
T read_fields(const Json& json) {
  refuse_nulls(json, "");
  T read;
  fields::read_record(fields::fields_of<T>(), json, &read);
  return read;
}

template <class T>
Json written(const T& value) {
  return fields::write_record(fields::fields_of<T>(), &value);
}

// Has what it throws say where in the whole.
void within(const std::string& path, const auto& read) {
  try {
    read();
  } catch (const fields::Invalid& e) {
    throw fields::Invalid(e.path_within(path), e.why);
  }
}

void check(const Selector& selector) {
  for (std::size_t i = 0; i < selector.within.size(); ++i) {
    if (!selector.within[i].within.empty())
      throw fields::Invalid(fmt::format("within[{}].within", i), "is not known here");
  }
}

void check(const Chain& chain, const std::string& path, bool may_be_empty) {
  if (chain.empty() && !may_be_empty) throw fields::Invalid(path, "is empty");
  if (chain.size() > ArtifactLimits::kSelectors)
    throw fields::Invalid(path, fmt::format("has {} values; at most {} are taken", chain.size(),
                                            ArtifactLimits::kSelectors));
  for (std::size_t i = 0; i < chain.size(); ++i)
    within(fmt::format("{}[{}]", path, i), [&] { check(chain[i]); });
}

void check_args(const Step& step) {
  Json known{{"kind", kind_name(step.kind)}};
  const auto those = fields::fields_where(fields::fields_of<Args>(), known["kind"]);
  for (const auto& [name, value] : step.args.items()) {
    if (name != "kind" && fields::find_field(those, name)) known[name] = value;
  }
  read_fields<Args>(known);
  const auto has = [&](const char* name) { return step.args.contains(name); };
  if (step.kind == Kind::select && !has("value") && !has("values") && !has("label"))
    throw fields::Invalid("", "has none of value, values, label");
}

void check(const Step& step) {
  check(step.selectors, "selectors", !needs_element(step.kind));
  check(step.to, "to", step.kind != Kind::drag);
  check(step.focus, "focus", true);
  for (std::size_t i = 0; i < step.frames.size(); ++i)
    check(step.frames[i], fmt::format("frames[{}]", i), false);
  if (!step.frames.empty() && step.frame_ordinal != 0)
    throw fields::Invalid("frameOrdinal", fmt::format("is {}; must be 0", step.frame_ordinal));
  if (!step.focus.empty() && !step.selectors.empty())
    throw fields::Invalid("selectors", "has to be empty where there is a focus");
  within("args", [&] { check_args(step); });
}

void check(const Artifact& artifact, int version) {
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    within(fmt::format("steps[{}]", i), [&] {
      check(artifact.steps[i]);
      if (version == 1 && !plain(artifact.steps[i]))
        throw fields::Invalid("", "needs schema_version 2");
    });
  }
  if (version == 1 && !artifact.extra.empty())
    throw fields::Invalid("extra", "needs schema_version 2");
}

// Reads a T, and then checks it. Throws Invalid with the path.
template <class T>
T read_checked(const Json& json, const std::string& path, const auto&... version) {
  try {
    T read = read_fields<T>(json);
    check(read, version...);
    return read;
  } catch (const fields::Invalid& e) {
    invalid(e.path_within(path), e.why);
  }
}

}  // namespace

int Artifact::schema_version() const {
  const bool all = std::all_of(steps.begin(), steps.end(), [](const Step& s) { return plain(s); });
  return all && extra.empty() ? 1 : 2;
}

Selector read_selector(const Json& json, const std::string& path) {
  return read_checked<Selector>(json, path);
}

Json write_selector(const Selector& selector) { return written(selector); }

Step read_step(const Json& json, const std::string& path) { return read_checked<Step>(json, path); }

Json write_step(const Step& step) { return written(step); }

Artifact read_artifact(const Json& json) {
  const Json& version = Fields(json, "").need("schema_version");
  if (version != 1 && version != 2)
    invalid("schema_version", fmt::format("is {}; 1 and 2 are known", dump(version)));
  Json members = json;
  members.erase("schema_version");
  return read_checked<Artifact>(members, "", version.get<int>());
}

void require_known_args(const Artifact& artifact) {
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    Fields args(artifact.steps[i].args, fmt::format("steps[{}].args", i));
    args.allow(args_of(artifact.steps[i].kind));
    args.done();
  }
}

Json write_artifact(const Artifact& artifact) {
  Json out{{"schema_version", artifact.schema_version()}};
  out.update(written(artifact));
  return out;
}

}  // namespace hebb::skill
