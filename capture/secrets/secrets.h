// What of a session's tool calls is a secret: one place for arguments, results, failures, and for
// what was stored before.
//
// A value is masked
//   - under a name that says so: a key of JSON, the field that an object names, the field that a
//     ref or uid of the last snapshot names, the field that was clicked before text is typed;
//   - by its shape, or by what stands before it in text: secret_shapes.h;
//   - because it was masked before in this session, or is known from elsewhere: secret_memory.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

#include "capture/secrets/memory.h"
#include "capture/secrets/shapes.h"

namespace hebb::capture {

// Of one session. Bounded: SecretMemory's values and kFields names of fields.
class Secrets {
 public:
  static constexpr std::size_t kFields = 1024;  // the oldest beyond are forgotten

  // A value that is secret whatever the session shows: masked from here on, never forgotten.
  void know(std::string_view value) { given_.remember(value); }

  // JSON with what is secret replaced by kMasked, also in strings that hold JSON themselves; the
  // rest stays byte for byte. Takes JSON that is cut anywhere (`cut`: and says so): what might be a
  // secret's beginning is masked. O(length). What is masked stays masked.
  std::string arguments(std::string_view tool, std::string_view json, bool cut = false);
  std::string result(std::string_view json, bool cut = false);
  std::string text(std::string_view plain);  // a failure's message

  // What was masked before, with what is known since then. version() changes when that is more.
  std::string arguments_again(std::string_view json, bool cut = false);
  std::string result_again(std::string_view json, bool cut = false) const;
  std::uint64_t version() const { return version_; }

 private:
  friend class JsonMasker;
  enum class Origin : std::uint8_t { arguments, result };

  void learn(std::string_view value, Origin origin);
  void see(const SnapshotField& field);
  bool is_secret_field(const std::string& ref) const { return fields_.contains(ref); }
  std::string masked_text(std::string_view plain);
  std::string scrub(std::string_view text, bool is_json, bool cut) const;

  SecretMemory memory_, given_;
  std::unordered_set<std::string> fields_;  // of the last snapshots, that hold a secret
  std::deque<std::string> field_order_;
  bool focused_ = false;  // the field that text typed now goes to holds a secret
  std::uint64_t version_ = 0;
};

// As an only result.
std::string mask_secrets(std::string_view json);

}  // namespace hebb::capture
