// The text of the exception that is being handled.
#pragma once

#include <exception>

namespace hebb::capture {

// Call it within a catch (...); valid until its end.
inline const char* exception_text() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown failure";
  }
}

}  // namespace hebb::capture
