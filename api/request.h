// Reading a request as people and programs write it, the same for every door.
#pragma once

#include "api/field.h"
#include "api/session.h"
#include "api/when.h"

namespace hebb::api {

// read_record() for a request. A time may also be a text for read_when(), in the zone of the
// session or else of the database's policy. The text of a node is
//   - an id, whole, also of a node that is deleted;
//   - else the exact name of a task, a node with a state, if one task alone has it;
//   - else, if Session::takes_beginnings(), three characters or more that begin an id which
//     add made (api/new_id.h), and no other id.
// Another text is left unchanged; the operation reports that there is no such node. `access`: how
// the operation opens the database. Returns the values that were understood where they differ from
// the written ones, {"due_at": "2026-11-27T00:00:00.000Z"}; else null. Throws Problem, as
// read_record() and Session::engine(), and where several tasks have the name.
Json read_request(const Fields& fields, const Json& json, void* record, Session& session,
                  Access access);
// Whether all times of the request are complete, so that it means the same at any time.
bool is_exact(const Fields& fields, const Json& json);
// The member of an answer with the values that were understood.
inline constexpr const char* kUnderstood = "understood";
// Whether these fields include times or nodes, which read_request() understands.
bool is_understood(const Fields& fields);

// The name of the default time zone: the session's, else the one in the database's policy.
std::string zone_name(Session& session, Access access);

}  // namespace hebb::api
