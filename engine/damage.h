// Damaged events of the ledger: finding them, and putting them into quarantine. Also rebuild(),
// which refuses to write the mirror from a damaged ledger. Only for engine/.
#pragma once

#include <vector>

#include "engine/claims/claims.h"
#include "engine/ledger/ledger.h"

namespace hebb {

// The faults of the ledger other than events that are in quarantine, found from its rows alone, in
// order of position: an index may be damaged. What is read is folded into `into`, which is
// Claims::from_start().
std::vector<LedgerFault> open_faults(const Ledger& ledger, Claims& into);

}  // namespace hebb
