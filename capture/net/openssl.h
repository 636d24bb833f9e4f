// OpenSSL, loaded when TLS is first used, since most processes use none: linked, it would take
// about as long to load as all the rest of the program.
//
// openssl.cc defines the OpenSSL functions that this room and Asio use; each calls the function of
// the same name in the library. No other object sees these definitions.
#pragma once

#include <string>

namespace hebb {

// Loads OpenSSL unless it is loaded; call it before any of its functions. Returns why it failed,
// with what to install; empty: it is loaded.
const std::string& load_openssl();

}  // namespace hebb
