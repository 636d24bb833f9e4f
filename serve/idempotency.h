// A request that is sent again counts once, if it has an Idempotency-Key.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/field.h"
#include "serve/message.h"

namespace hebb::serve {

// Throws Problem for an Idempotency-Key that cannot be one.
void require_key(const std::string& key);

// Gives what an operation is asked the field that says what it is that happened, if it has none: by
// that the ledger knows it when it comes again, whenever that is. An empty key changes nothing.
void name_by_key(api::Json& asked, std::string_view field, const std::string& key);

// The method, the target and the body of a request, in a few bytes. Throws Problem if the file with
// the body cannot be read.
std::string digest_of(const Request& request);

// The responses to the last requests with a key.
class KeyedResponses {
 public:
  // The response to the request of that digest, or a refusal if the key came with another one;
  // nullopt: the key is new, or forgotten.
  std::optional<Response> find(const std::string& key, const std::string& digest) const;
  void keep(const std::string& key, const std::string& digest, const Response& response);

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = 16 << 20;  // of all of them

  struct Done {
    std::string digest;
    Response response;
  };
  std::map<std::string, Done> done_;  // by key
  std::deque<std::string> keys_;      // the oldest first
  std::size_t bytes_ = 0;             // of the responses
};

}  // namespace hebb::serve
