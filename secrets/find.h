// Finds secrets in plain text by their shape or by the text before them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::secrets {

struct SecretSpan {
  std::size_t from = 0, to = 0;
  bool sure = false;  // the format or the name is unmistakable
};

// A field in a snapshot of a page, with the ref by which tools name it.
struct SnapshotField {
  std::string ref;  // of [ref=e12], or uid=1_6
  bool secret = false;
  bool focused = false;
};

struct Findings {
  std::vector<SecretSpan> spans;      // in order, not overlapping
  std::vector<SnapshotField> fields;  // in the order they stand
};

// Tokens of known formats and of the shape of tokens, PEM blocks, user:password@host, parameters of
// addresses, HTTP headers, NAME=value and name: "value", values of password fields in HTML, in
// snapshots of Playwright MCP and chrome-devtools-mcp, and in code that fills one, command lines,
// sentences, columns of tables; also where the text is escaped for HTML or an address, or is
// base64. O(length).
Findings find_secrets(std::string_view text);

// The searches that find_secrets() consists of. Spans may be in any order, and overlap.
Findings find_in_plain(std::string_view text);
void find_in_tables(std::string_view text, std::vector<SecretSpan>& found);
void find_in_escaped(std::string_view text, std::vector<SecretSpan>& found);
void find_in_base64(std::string_view text, std::vector<SecretSpan>& found);

}  // namespace hebb::secrets
