#include "capture/net/openssl.h"

#include <cassert>
#include <cstddef>
#include <tuple>

#include <dlfcn.h>
#include <fmt/format.h>

// The functions defined below are hidden in this program or library: a program that links libhebb
// and OpenSSL calls OpenSSL itself.
#pragma GCC visibility push(hidden)
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#pragma GCC visibility pop

namespace hebb {
namespace {

struct Library {
  void* handle = nullptr;
  std::string failure;
};

const Library& library() {
  static const Library loaded = [] {
    Library opened;
    const std::string name = fmt::format("libssl.so.{0}", OPENSSL_SHLIB_VERSION);
    opened.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened.handle) {
      opened.failure = fmt::format("TLS needs {}, in Debian the package libssl{}: {}", name,
                                   OPENSSL_SHLIB_VERSION, dlerror());
    }
    return opened;
  }();
  return loaded;
}

// The function in libssl, or in libcrypto, which it loads.
template <typename Function>
Function* function_named(const char* name) {
  assert(library().handle && "load_openssl() first");
  void* const found = dlsym(library().handle, name);
  assert(found && "every version with this number has it");
  return reinterpret_cast<Function*>(found);
}

template <typename Function>
struct Signature;
template <typename R, typename... A>
struct Signature<R(A...)> {
  using Result = R;
  template <std::size_t i>
  using Argument = std::tuple_element_t<i, std::tuple<A...>>;
};

}  // namespace

const std::string& load_openssl() { return library().failure; }

}  // namespace hebb

// Types as in OpenSSL's headers; the number is the number of arguments.
#define HEBB_RESULT(name) hebb::Signature<decltype(name)>::Result name
#define HEBB_ARGUMENT(name, i) hebb::Signature<decltype(name)>::Argument<i>
#define HEBB_CALL(name, ...)                                               \
  {                                                                        \
    static auto* const real = hebb::function_named<decltype(name)>(#name); \
    return real(__VA_ARGS__);                                              \
  }
#define HEBB_0(name) HEBB_RESULT(name)() HEBB_CALL(name)
#define HEBB_1(name) HEBB_RESULT(name)(HEBB_ARGUMENT(name, 0) a) HEBB_CALL(name, a)
#define HEBB_2(name) \
  HEBB_RESULT(name)(HEBB_ARGUMENT(name, 0) a, HEBB_ARGUMENT(name, 1) b) HEBB_CALL(name, a, b)
#define HEBB_3(name)                                                             \
  HEBB_RESULT(name)                                                              \
  (HEBB_ARGUMENT(name, 0) a, HEBB_ARGUMENT(name, 1) b, HEBB_ARGUMENT(name, 2) c) \
      HEBB_CALL(name, a, b, c)
#define HEBB_4(name)                                                             \
  HEBB_RESULT(name)                                                              \
  (HEBB_ARGUMENT(name, 0) a, HEBB_ARGUMENT(name, 1) b, HEBB_ARGUMENT(name, 2) c, \
   HEBB_ARGUMENT(name, 3) d) HEBB_CALL(name, a, b, c, d)

HEBB_0(TLS_client_method)
HEBB_1(SSL_CTX_new)
HEBB_1(SSL_CTX_free)
HEBB_4(SSL_CTX_ctrl)
HEBB_2(SSL_CTX_set_options)
HEBB_3(SSL_CTX_set_verify)
HEBB_1(SSL_CTX_set_default_verify_paths)
HEBB_1(SSL_new)
HEBB_1(SSL_free)
HEBB_4(SSL_ctrl)
HEBB_2(SSL_get_ex_data)
HEBB_3(SSL_set_ex_data)
HEBB_3(SSL_set_bio)
HEBB_2(SSL_set1_host)
HEBB_1(SSL_get0_param)
HEBB_1(SSL_get_verify_result)
HEBB_1(SSL_accept)
HEBB_1(SSL_connect)
HEBB_3(SSL_read)
HEBB_3(SSL_write)
HEBB_1(SSL_shutdown)
HEBB_1(SSL_get_shutdown)
HEBB_2(SSL_get_error)
HEBB_2(X509_VERIFY_PARAM_set1_ip_asc)
HEBB_1(X509_verify_cert_error_string)
HEBB_4(BIO_new_bio_pair)
HEBB_1(BIO_free)
HEBB_3(BIO_read)
HEBB_3(BIO_write)
HEBB_4(BIO_ctrl)
HEBB_1(BIO_ctrl_pending)
HEBB_0(ERR_clear_error)
HEBB_0(ERR_get_error)
HEBB_1(ERR_reason_error_string)
HEBB_1(ERR_lib_error_string)
