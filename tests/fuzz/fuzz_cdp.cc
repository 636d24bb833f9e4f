// Bytes that a browser may send, in pieces. However they are cut, the messages are the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "skill/browser/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hebb::skill::MessageReader;
  constexpr std::size_t kLimit = 4096;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  MessageReader whole(kLimit), pieces(kLimit);
  const auto all = whole.feed(text);
  std::size_t count = 0;
  for (std::size_t at = 0; at < size; at += 7) count += pieces.feed(text.substr(at, 7)).size();
  if (count != all.size()) std::abort();
  for (const auto& m : all) {
    if (!m.id && m.method.empty()) std::abort();
  }
  return 0;
}
