// What a page was like when a step failed: a folder with a picture, the document, its accessibility
// tree, what the console said and what was loaded. Secrets are scrubbed.
#pragma once

#include <string>

#include "skill/browser/browser.h"
#include "skill/replay/result.h"
#include "skill/store/secrets.h"

namespace hebb::skill {

// The folder that was made, for its owner alone; empty where it could not be. What cannot be had
// from the browser is left out. Never throws for what the browser does.
std::string keep_evidence(Browser* browser, std::size_t tab, const std::string& folder,
                          const Failure& failure, const SecretValues& secrets);

std::string from_base64(std::string_view text);

}  // namespace hebb::skill
