// The text of the exception in flight.
#pragma once

#include <exception>

namespace hebb::capture {

// Call it within a catch (...); valid until its end.
inline const char* what_was_thrown() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown failure";
  }
}

}  // namespace hebb::capture
