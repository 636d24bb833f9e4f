// The table `claim`.
#include "engine/mirror/mirror.h"

namespace hebb {

std::vector<ClaimRow> Mirror::claims() const {
  std::vector<ClaimRow> claims;
  auto& rows = db_.query(sql::Query::load_claims);
  const sql::Reset reset(rows);
  while (rows.step()) {
    claims.push_back({std::string(rows.text(0)), std::string(rows.text(2)), rows.integer(1),
                      rows.integer(3), rows.integer(4), rows.integer(5), rows.integer(6) != 0});
  }
  return claims;
}

std::int64_t Mirror::claims_made() const { return mark("claims").value_or(0); }

void Mirror::write_claims(Claims& claims, std::int64_t position) {
  if (keys_as_of_ == this->position()) keys_as_of_ = position;  // no row of a node changes
  write_position(position);
  if (claims.made() != claims_made()) {
    db_.query(sql::Query::mirror_set)
        .bind(1, std::string_view("claims"))
        .bind(2, claims.made())
        .run();
  }
  const auto put = [&](const ClaimRow& c) {
    db_.query(sql::Query::put_claim)
        .bind(1, std::string_view(c.task))
        .bind(2, c.token)
        .bind(3, std::string_view(c.agent))
        .bind(4, c.claimed_at)
        .bind(5, c.expires_at)
        .bind(6, c.expiries)
        .bind(7, std::int64_t{c.expiry_is_failure})
        .run();
  };
  const auto changed = claims.take_changes();
  if (!changed) {
    db_.query(sql::Query::clear_claims).run();
    for (const auto& [task, claim] : claims.rows()) put(claim);
    return;
  }
  for (const std::string& task : *changed) {
    const auto it = claims.rows().find(task);
    if (it != claims.rows().end()) {
      put(it->second);
    } else {
      db_.query(sql::Query::delete_claim).bind(1, std::string_view(task)).run();
    }
  }
}

}  // namespace hebb
