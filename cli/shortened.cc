#include "cli/shortened.h"

#include "api/visible_text.h"
#include "cli/command.h"
#include "cli/display_width.h"

namespace hebb::cli {

namespace {

constexpr std::size_t kColumns = 60;  // columns of a name or description

}  // namespace

std::string shortened(std::string text) {
  return cut_to_width(visible_line(one_line(std::move(text))), kColumns);
}

}  // namespace hebb::cli
