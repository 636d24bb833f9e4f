// Finds and masks secrets in a session's tool calls: in arguments, results, failures, and in calls
// that were stored before.
//
// A value is masked
//   - under a secret name: a key of JSON, the field that an object names, the field of a ref or uid
//     in the last snapshot, the field that was clicked before text is typed;
//   - by its shape, or by the text before it: shapes.h;
//   - because it was masked before in this session, or is known from elsewhere: memory.h.
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

// The secrets of one session. Memory is bounded: SecretMemory's values and kFields field names.
class Secrets {
 public:
  static constexpr std::size_t kFields = 1024;  // beyond it, the oldest is forgotten

  // Adds a value that is known to be secret: masked from now on, never forgotten.
  void know(std::string_view value) { given_.remember(value); }

  // Replaces secrets in JSON by kMasked, also in strings that contain JSON; the rest stays
  // byte for byte. The JSON may be cut anywhere (then set `cut`): what might be the beginning of a
  // secret is masked too. O(length). Masks that are there already stay.
  std::string arguments(std::string_view tool, std::string_view json, bool cut = false);
  std::string result(std::string_view json, bool cut = false);
  std::string text(std::string_view plain);  // a failure's message

  // Masks text again with the secrets that are known by now. version() changes when more are known.
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
  std::unordered_set<std::string> fields_;  // refs of secret fields in the last snapshots
  std::deque<std::string> field_order_;
  bool focused_ = false;  // the field that has the focus is secret
  std::uint64_t version_ = 0;
};

// Masks JSON as the result of a session that has shown nothing else.
std::string mask_secrets(std::string_view json);

}  // namespace hebb::capture
