// Texts that others have written, without their secrets, to be stored: refused items, and the words
// of an outcome beside its fields.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

// Names of things (taskId, id, source, target …) and the token of a claim stay as they are, so that
// the rest can be read again.

// A valid outcome: a JSON object. O(length).
std::string outcome_without_secrets(std::string_view outcome);

// An item that was refused, which may be any text, and a message about it, which may quote it.
// `cut`: the item is only the beginning of one.
void take_secrets_out(std::string& item, std::string& detail, bool cut);
std::string text_without_secrets(std::string_view text);  // of such a message alone

}  // namespace hebb
