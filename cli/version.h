// What --version prints.
#pragma once

#include <string>

namespace hebb::cli {

// "hebb 0.3.0 (fd1b927f, schema 22)": the version, the commit that was built, and the version of
// the schema that databases have. Without the commit where neither git nor the source archive names
// it.
std::string version_text();

// The first digits of the commit; empty if it is not known. Defined in generated/commit.cc.
const char* built_commit();

}  // namespace hebb::cli
