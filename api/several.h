// One question over several databases: each answers for itself, and the answers are put in one
// order. Nothing of a ranking looks from one database into another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/order.h"
#include "api/session.h"
#include "engine/claims/claims.h"
#include "engine/rank/query.h"

namespace hebb::api {

// A row of the ranking, and the database that it is from.
struct Found {
  Session* in = nullptr;
  PathRow row;
  std::optional<ClaimRow> claim = {};  // where it was claimed
};

bool asks_several(const Session& session);
// Calls use() for each database in the order given, with a session of it; where there is but one,
// with this one. Of several, what it throws is a Problem that names the database.
void each_database(Session& session, const std::function<void(Session&)>& use);
// The same of one of them.
void in_database(Session& asked, Session& one, const std::function<void()>& use);
// As it was given; empty where there is but one.
std::string database_name(const Session& asked, const Session& one);

// Of several databases, the latest of their stamps: weights of all are those of then, since
// priorities by different ones cannot be compared. Absent where there is but one.
std::optional<TimeMs> common_stamp(Session& session);
// Where several are asked and `given`: throws Problem, as the field cannot be answered from rows of
// each database.
void refuse_of_several(const Session& session, bool given, std::string_view field);
// The same of the fields of an order.
void refuse_of_several(Session& session, const Order& order);
// Of several databases: without the ids that are no nodes of this one, as another may have them.
void keep_known(const Session& asked, Session& one, Selection& selection);
// What each of several found, best first: `count` rows from `offset` on, placed among them all. Of
// one database, all rows as they are.
void put_in_order(const Session& session, std::vector<Found>& found, std::size_t offset,
                  std::size_t count);

}  // namespace hebb::api
