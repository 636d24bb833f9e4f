#include "skill/artifact/artifact.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/artifact/stored.h"

namespace hebb::fields {

// An object that is absent in JSON where it is empty.
struct NotEmpty;
template <>
struct CodecAs<NotEmpty, Json> : Plain<Json, Kind::object> {
  static Json get(const Json& object) { return object.empty() ? Json() : object; }
};
// In JSON its name.
template <>
struct Codec<skill::StepKind> : Plain<skill::StepKind, Kind::text> {
  static Json get(skill::StepKind kind) { return skill::kind_name(kind); }
  static void set(skill::StepKind& kind, const Json& json) {
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

RECORD(Step, FIELD(kind, "What it does", {.choices = kind_names(), .required = true}),
       FIELD(selectors, "How its element is found, the best first",
             {.most = ArtifactLimits::kSelectors, .required = true}),
       field("frameOrdinal", self.frame_ordinal, "The number of the frame, in document order",
             {.min = 0, .max = 1000, .may_be_absent = true}),
       FIELD_AS(NotEmpty, args, "What the kind needs"),
       field_as<PostAssert>("post_assert", self.contract_id, "Checked after it"),
       FIELD(frames, "The iframes around the element, from the outermost",
             {.least = 1, .most = ArtifactLimits::kFrames, .may_be_absent = true}),
       FIELD(tab, "The number of the page, as they were opened",
             {.min = 0, .max = 100, .may_be_absent = true}),
       FIELD(to, "What it is dropped on",
             {.most = ArtifactLimits::kSelectors, .may_be_absent = true}),
       FIELD(focus, "Where the focus was",
             {.most = ArtifactLimits::kSelectors,
              .may_be_absent = true,
              .only = {"press", "key_down"}}),
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

bool is_of_version_1(const Selector& s) {
  const bool type_of_1 = s.type != SelectorType::test_id && s.type != SelectorType::label &&
                         s.type != SelectorType::placeholder;
  return type_of_1 && s.exact && !s.nth && s.has_text.empty() && s.within.empty();
}

bool is_of_version_1(const Step& s) {
  return s.kind <= StepKind::scroll &&
         std::all_of(s.selectors.begin(), s.selectors.end(),
                     [](const Selector& x) { return is_of_version_1(x); }) &&
         s.frames.empty() && s.tab == 0 && s.to.empty() && s.focus.empty() && s.extra.empty();
}

// Throws fields::Invalid.
void check_args(const Step& step) {
  Json known{{"kind", kind_name(step.kind)}};
  const auto those = fields::fields_where(fields::fields_of<Args>(), known["kind"]);
  for (const auto& [name, value] : step.args.items()) {
    if (name != "kind" && fields::find_field(those, name)) known[name] = value;
  }
  refuse_nulls(known);
  Args read;
  fields::read_record(fields::fields_of<Args>(), known, &read);
  const auto has = [&](const char* name) { return step.args.contains(name); };
  if (step.kind == StepKind::select && !has("value") && !has("values") && !has("label"))
    throw fields::Invalid("", "has none of value, values, label");
}

}  // namespace

void Selector::check() const {
  for (std::size_t i = 0; i < within.size(); ++i) {
    if (!within[i].within.empty())
      throw fields::Invalid(fmt::format("within[{}].within", i), "is not known here");
  }
}

void Step::check() const {
  if (selectors.empty() && needs_element(kind)) throw fields::Invalid("selectors", "is empty");
  if (to.empty() && kind == StepKind::drag) throw fields::Invalid("to", "is empty");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t count = frames[i].size();
    if (count > 0 && count <= ArtifactLimits::kSelectors) continue;
    throw fields::Invalid(fmt::format("frames[{}]", i),
                          count == 0 ? "is empty"
                                     : fmt::format("has {} values; at most {} are taken", count,
                                                   ArtifactLimits::kSelectors));
  }
  if (!frames.empty() && frame_ordinal != 0)
    throw fields::Invalid("frameOrdinal", fmt::format("is {}; must be 0", frame_ordinal));
  if (!focus.empty() && !selectors.empty())
    throw fields::Invalid("selectors", "has to be empty where there is a focus");
  try {
    check_args(*this);
  } catch (const fields::Invalid& e) {
    throw fields::Invalid(e.path_within("args"), e.why);
  }
}

int Artifact::schema_version() const {
  const bool all =
      std::all_of(steps.begin(), steps.end(), [](const Step& s) { return is_of_version_1(s); });
  return all && extra.empty() ? 1 : 2;
}

Step read_step(const Json& json, const std::string& path) {
  return read_stored_json<Step>(json, path);
}

Json write_step(const Step& step) { return stored_json(step); }

Artifact read_artifact(const Json& json) {
  const Json& version = Fields(json, "").need("schema_version");
  if (version != 1 && version != 2)
    invalid("schema_version", fmt::format("is {}; 1 and 2 are known", dump(version)));
  Json members = json;
  members.erase("schema_version");
  auto artifact = read_stored_json<Artifact>(members);
  if (version == 2) return artifact;
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    if (!is_of_version_1(artifact.steps[i]))
      invalid(fmt::format("steps[{}]", i), "needs schema_version 2");
  }
  if (!artifact.extra.empty()) invalid("extra", "needs schema_version 2");
  return artifact;
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
  out.update(stored_json(artifact));
  return out;
}

}  // namespace hebb::skill
