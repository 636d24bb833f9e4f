// Blocks of pages that are made from the program. In a page a block stands between two lines,
// <!-- generated: NAME --> and <!-- end -->; HEBB_UPDATE_DOCS=1 ./test_docs writes what is between.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hebb::test {

// What should stand in a block; it gets what stands there, for the cells that people write.
using Generator = std::function<std::string(const std::string& now)>;
using Generators = std::map<std::string, Generator>;  // by the block's name

const Generators& generators();  // of all blocks
// By page. A new block is a line in one of these, and its two lines in the page.
Generators ranking_blocks();
Generators sender_blocks();
Generators formats_blocks();
Generators schema_blocks();
Generators measurements_blocks();

using Rows = std::vector<std::vector<std::string>>;
std::string table_text(const std::vector<std::string>& head, const Rows& rows);
Generator table_block(std::vector<std::string> head, std::function<Rows()> rows);
// With a last column and an order that people choose: both stay as they are, and a row that is new
// is the last and has "?".
Generator half_written_block(std::vector<std::string> head, std::function<Rows()> rows);
std::string code(const std::string& text);  // in backticks

// The page with the content of each block made anew. Throws std::runtime_error, with the line, for
// a block that is not closed, an end of none, and a mark that is not a line of its own.
using MakeBlock = std::function<std::string(const std::string& name, const std::string& now)>;
std::string with_blocks(const std::string& markdown, const MakeBlock& make);

}  // namespace hebb::test
