// Evidence of a page when a step failed: a folder with a picture, the document, its accessibility
// tree, the console's messages and the network requests. Secrets are removed.
#pragma once

#include <string>

#include "skill/browser/browser.h"
#include "skill/replay/result.h"
#include "skill/store/secrets.h"

namespace hebb::skill {

// Returns the folder, which only its owner may read; empty if it could not be made. It includes the
// skill's steps in the form to record them anew. Parts that the browser refuses are left out. Does
// not throw for errors of the browser.
std::string keep_evidence(Browser* browser, std::size_t tab, const std::string& folder,
                          const Skill& skill, const Failure& failure, const SecretValues& secrets);

}  // namespace hebb::skill
