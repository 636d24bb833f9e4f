// Finds and masks secrets in a session's tool calls: in arguments, results, failures, and in calls
// that were stored before.
//
// A value is masked
//   - under a secret name: a key of JSON, the field that an object names, the field of a ref or uid
//     in the last snapshot, the field that was clicked before text is typed;
//   - by its shape, or by the text before it: see find.h;
//   - because it was masked before in this session, or is known from elsewhere: memory.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "secrets/find.h"
#include "secrets/memory.h"

namespace hebb::secrets {

// How certain it is that a value is a secret.
enum class Surety : std::uint8_t {
  given,  // its name is unmistakable, or it was put into a password field
  sure,   // the same in running text; or it has a token's format
  faint,  // its name may mean something else
};

// How much of a session's secrets is remembered; beyond it, the oldest is forgotten.
struct SecretBounds {
  std::size_t values = SecretMemory::kValues;  // typed by the client; as many shown in results
  std::size_t fields = 16384;                  // refs of secret fields on pages
};

// The secrets of one session.
class Redactor {
 public:
  explicit Redactor(SecretBounds bounds = {}) : bounds_(bounds), memory_(bounds.values) {}

  // Adds a value that is known to be secret: masked from now on, never forgotten.
  void know(std::string_view value) { memory_.remember(value, Origin::configured); }

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

  void learn(std::string_view value, Origin origin, Surety surety);
  void see(const SnapshotField& field);
  bool is_secret_field(const std::string& ref) const { return fields_.contains(ref); }
  // `highest`: the highest surety for the secrets found.
  std::string masked_text(std::string_view plain, Origin origin, Surety highest = Surety::sure);
  std::string scrub_text(std::string_view text, int nesting, bool cut) const;
  std::string scrub_json(std::string_view json, int nesting, bool cut) const;

  const SecretBounds bounds_;
  SecretMemory memory_;
  std::list<std::string> field_order_;  // refs of secret fields in the last snapshots
  std::unordered_map<std::string_view, std::list<std::string>::iterator> fields_;
  bool focused_ = false;  // the focused field is secret
  std::uint64_t version_ = 0;
};

// Masks JSON as the result of a new session.
std::string mask_secrets(std::string_view json);

}  // namespace hebb::secrets
