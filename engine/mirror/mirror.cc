// Reads of the mirror: its position, and the values that the graph does not hold; and the claims.
#include "engine/mirror/mirror.h"

#include "engine/values/canonical_json.h"

namespace hebb {

// A mirror that was folded by other rules counts as not written.
std::int64_t Mirror::position() const {
  if (db_.integer(sql::Query::mirror_get, kMirrorRules) != fold_rules()) return 0;
  return db_.integer(sql::Query::mirror_get, kMirrorPosition).value_or(0);
}

NodeContent Mirror::content(std::string_view id) const {
  NodeContent content;
  auto& q = db_.query(sql::Query::node_content).bind(1, id);
  const sql::Reset reset(q);
  if (!q.step()) return content;
  content.name = q.text(0);
  content.description = q.text(1);
  content.project = q.text(2);
  content.scope = q.text(3);
  content.properties = q.text(4);
  return content;
}

std::vector<std::pair<std::string, std::string>> Mirror::named(
    const std::vector<std::string>& names) const {
  std::vector<std::pair<std::string, std::string>> nodes;
  std::string list = "[";
  for (const std::string& name : names) {
    if (list.size() > 1) list += ',';
    append_json_string(list, name);
  }
  list += ']';
  auto& rows = db_.query(sql::Query::node_ids_by_name).bind(1, list);
  const sql::Reset reset(rows);
  while (rows.step()) nodes.emplace_back(rows.text(0), rows.text(1));
  return nodes;
}

std::vector<std::string> Mirror::ids_by_project(std::string_view project) const {
  std::vector<std::string> ids;
  auto& rows = db_.query(sql::Query::node_ids_by_project).bind(1, project);
  const sql::Reset reset(rows);
  while (rows.step()) ids.emplace_back(rows.text(0));
  return ids;
}

void Mirror::renew_index_of_words() { run(db_, sql::Query::search_rebuild); }

// --- claims --------------------------------------------------------------------------------------

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

std::int64_t Mirror::claims_total() const {
  return db_.integer(sql::Query::mirror_get, kMirrorClaims).value_or(0);
}

void put_claim(sql::Database& db, const ClaimRow& c) {
  run(db, sql::Query::put_claim, c.task, c.token, c.agent, c.claimed_at, c.expires_at, c.expiries,
      std::int64_t{c.expiry_is_failure});
}

void Mirror::write_claims(Claims& claims, std::int64_t position) {
  if (keys_as_of_ == this->position()) keys_as_of_ = position;  // no row of a node changes
  run(db_, sql::Query::mirror_set, kMirrorPosition, position);
  if (claims.total() != claims_total())
    run(db_, sql::Query::mirror_set, kMirrorClaims, claims.total());
  const auto changed = claims.take_changes();
  if (!changed) {
    run(db_, sql::Query::clear_claims);
    for (const auto& [task, claim] : claims.rows()) put_claim(db_, claim);
    return;
  }
  for (const std::string& task : *changed) {
    if (const ClaimRow* claim = claims.of_task(task)) {
      put_claim(db_, *claim);
    } else {
      run(db_, sql::Query::delete_claim, task);
    }
  }
}

}  // namespace hebb
