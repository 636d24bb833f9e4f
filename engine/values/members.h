// The members of an object, found in its text without parsing it: it may be cut off, or be no JSON
// further on.
#pragma once

#include <string_view>

#include "secrets/json_text.h"

namespace hebb {

// A place in the text, which begins with the bracket.
class Members {
 public:
  explicit Members(std::string_view object) : text_(object) {}

  // Goes to the next member; false: there is none.
  bool next() {
    at_ = secrets::skip_space(text_, end_);
    if (at_ >= text_.size()) return false;
    if (text_[at_] == ',') at_ = secrets::skip_space(text_, at_ + 1);
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    const std::size_t key_end = secrets::skip_string(text_, at_);
    key_ = text_.substr(at_, key_end - at_);
    const std::size_t colon = secrets::skip_space(text_, key_end);
    if (colon >= text_.size() || text_[colon] != ':') return false;
    value_at_ = secrets::skip_space(text_, colon + 1);
    end_ = secrets::skip_value(text_, value_at_);
    return true;
  }
  std::string_view key() const { return key_; }
  std::string_view value() const { return text_.substr(value_at_, end_ - value_at_); }
  std::size_t value_at() const { return value_at_; }
  std::size_t end() const { return end_; }

 private:
  std::string_view text_, key_;
  std::size_t at_ = 0, value_at_ = 0;
  std::size_t end_ = 1;  // of the member before
};

}  // namespace hebb
