// The HTTP client with TLS: whom it trusts.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/net/peer.h"
#include "tests/support/folder.h"

using namespace hebb;
using Catch::Matchers::Contains;
using hebb::test::Folder;

namespace {

template <auto free>
struct FreeBy {
  template <typename T>
  void operator()(T* what) const {
    free(what);
  }
};
using TlsKey = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using TlsCertificate = std::unique_ptr<X509, FreeBy<X509_free>>;

// Signed by itself, for these names ("IP:127.0.0.1,DNS:x").
TlsCertificate certificate_for(const std::string& names, EVP_PKEY* key) {
  TlsCertificate made(X509_new());
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
  X509_set_pubkey(made.get(), key);
  X509_NAME* const name = X509_get_subject_name(made.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(made.get(), name);
  X509_EXTENSION* const extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  X509_add_ext(made.get(), extension, -1);
  X509_EXTENSION_free(extension);
  REQUIRE(X509_sign(made.get(), key, EVP_sha256()) > 0);
  return made;
}

// Answers each request, over TLS, with "hello".
class TlsServer {
 public:
  explicit TlsServer(const std::string& names)
      : key_(EVP_EC_gen("P-256")), certificate_(certificate_for(names, key_.get())) {
    context_ = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(context_, certificate_.get());
    SSL_CTX_use_PrivateKey(context_, key_.get());
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(listener_, plain, size) == 0);
    REQUIRE(listen(listener_, 8) == 0);
    REQUIRE(getsockname(listener_, plain, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] {
      for (int fd = -1; (fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
        serve(fd);
        close(fd);
      }
    });
  }
  ~TlsServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
    SSL_CTX_free(context_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url(const std::string& host = "127.0.0.1") const {
    return fmt::format("https://{}:{}/x", host, port_);
  }
  void write_certificate(const std::string& path) const {
    FILE* const file = std::fopen(path.c_str(), "w");
    REQUIRE(file != nullptr);
    PEM_write_X509(file, certificate_.get());
    std::fclose(file);
  }

 private:
  void serve(int fd) const {
    SSL* const tls = SSL_new(context_);
    SSL_set_fd(tls, fd);
    char bytes[4096];
    // A request without a body arrives in one record.
    if (SSL_accept(tls) == 1 && SSL_read(tls, bytes, sizeof bytes) > 0) {
      const std::string_view answer =
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
      SSL_write(tls, answer.data(), static_cast<int>(answer.size()));
      SSL_shutdown(tls);
    }
    SSL_free(tls);
  }

  TlsKey key_;
  TlsCertificate certificate_;
  SSL_CTX* context_ = nullptr;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

struct TlsAnswer {
  std::string body;
  HttpFailure failure;
};

TlsAnswer get_over_tls(const std::string& url) {
  HttpPeer peer(parse_http_url(url, "E"), {{"Authorization", "Bearer s3cr3t"}});
  TlsAnswer got;
  HttpRequest request;
  request.method = "GET";
  request.head = [](const HttpHead& head) { return head.status == 200; };
  request.body_piece = [&](std::string_view piece) {
    got.body += piece;
    return true;
  };
  HttpPeer::Call call;
  got.failure = peer.exchange(request, call);
  return got;
}

}  // namespace

TEST_CASE("https: a certificate of nobody that is trusted is refused, with what to do") {
  const TlsServer server("IP:127.0.0.1");
  const TlsAnswer got = get_over_tls(server.url());
  CHECK_THAT(got.failure, Contains(server.url() + " is not trusted") &&
                              Contains("self-signed certificate") && Contains("SSL_CERT_FILE"));
  CHECK(got.body.empty());
}

TEST_CASE("https: SSL_CERT_FILE names whom to trust, for the names in the certificate only") {
  const TlsServer server("IP:127.0.0.1,DNS:localhost");
  const TlsServer other("DNS:other.example");
  const Folder folder;
  const std::string file = folder.file("trusted.pem");
  ::setenv("SSL_CERT_FILE", file.c_str(), 1);
  server.write_certificate(file);
  CHECK(get_over_tls(server.url()).body == "hello");
  CHECK(get_over_tls(server.url("localhost")).body == "hello");
  other.write_certificate(file);
  CHECK_THAT(get_over_tls(other.url()).failure, Contains("is not trusted") && Contains("mismatch"));
  CHECK_THAT(get_over_tls(other.url("localhost")).failure,
             Contains("is not trusted") && Contains("mismatch"));
  ::unsetenv("SSL_CERT_FILE");
}

TEST_CASE("https: a server that speaks no TLS is said to be unreachable by TLS") {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(listener, plain, size) == 0);
  REQUIRE(listen(listener, 1) == 0);
  REQUIRE(getsockname(listener, plain, &size) == 0);
  std::thread server([&] {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    constexpr std::string_view kAnswer = "HTTP/1.1 400 Bad Request\r\n\r\n";
    [[maybe_unused]] const auto sent = ::send(fd, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
    close(fd);
  });
  const std::string failure =
      get_over_tls(fmt::format("https://127.0.0.1:{}/", ntohs(address.sin_port))).failure;
  server.join();
  close(listener);
  CHECK_THAT(failure, Contains("cannot be reached (TLS: "));
}
