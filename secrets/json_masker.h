// Masks the secrets in JSON: under secret names, in objects that describe their value, and as
// find_secrets() finds them in strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/memory.h"
#include "secrets/secrets.h"

namespace hebb::secrets {

inline constexpr int kNesting = 3;  // JSON within strings of JSON is masked down to this depth

class JsonMasker {
 public:
  // `typing`: a member "text" at the top level is typed into the field that has the focus.
  JsonMasker(Redactor& secrets, Origin origin, std::string_view json, int nesting, bool typing)
      : secrets_(secrets), origin_(origin), json_(json), nesting_(nesting), typing_(typing) {
    out_.reserve(json.size());
  }

  std::string run();

 private:
  // How the name of an object or list classifies the values in it.
  enum class Within : std::uint8_t {
    nothing,
    faint,         // under token, cookies, …: only values that look like secrets
    password,      // under passwords, secrets, …: all values except names of things
    dependencies,  // the names are of packages
    held,          // data whose object may declare it a secret
  };
  // A value that waits for its object to decide whether it is a secret.
  struct Held {
    std::string_view value;        // with quotes
    std::size_t from = 0, to = 0;  // in the output
    bool of_key = false;           // a private member of a JSON Web Key
    bool of_user = false;          // a key that is secret if the object has a user
  };
  struct Object {
    Within within = Within::nothing;
    bool is_list = false;
    bool names_secret = false;
    bool names_field = false;
    bool points_to_secret = false;
    bool is_key = false;  // a JSON Web Key
    bool has_user = false;
    bool has_key_name = false;
    bool is_secret = false;  // its kind declares a secret
    int of_cookie = 0;       // number of members typical of a cookie
    std::string named;       // the name of the value, as another member gives it
    std::string ref, role;   // of the page's field that the object describes
    std::vector<Held> held;
    std::size_t data = 0;  // where its data begins in data_
  };

  void between();
  void open(char bracket);
  static bool is_secret(const Held& held, const Object& object);
  void close_object();
  void string();
  void forget_command();
  void member(std::string_view key, std::size_t value);
  bool secret(std::string_view name, std::string_view value);
  bool within(std::string_view name, std::string_view quoted);
  void describe(Object& object, std::string_view folded, std::string_view quoted);
  Held hold(std::string_view quoted, bool of_key = false);
  void mask(const Held& held, bool given);
  void mask(std::string_view value, bool given);
  std::string masked_string(std::string_view quoted);
  std::string credentials(std::string_view quoted);
  std::string masked_inner(std::string_view text);

  Redactor& secrets_;
  const Origin origin_;
  const std::string_view json_;
  const int nesting_;
  const bool typing_;
  std::size_t at_ = 0;
  std::string flag_;               // the previous string in a list, if it may be a flag
  std::string command_;            // the other strings of the list, a blank behind each
  Within next_ = Within::nothing;  // of the object or list that opens next
  std::string out_;
  std::vector<Object> objects_;  // and lists
  std::vector<Held> data_;       // of the enclosing objects, which may declare it secret
  std::vector<Held> masked_;     // held values that are secrets
};

}  // namespace hebb::secrets
