// Reading a request as people and programs write it, the same for every door.
#pragma once

#include "api/field.h"
#include "api/session.h"
#include "api/when.h"

namespace hebb::api {

// read_record(), of a request. Beyond what that reads, a time may be what read_when() reads, in the
// zone of the session or else of the database's policy. The text of a node is
//   - an id, whole, also of a node that is deleted;
//   - else the exact name of a task, a node with a state, if one task alone has it;
//   - else, if Session::takes_beginnings(), three characters or more that begin an id which
//     add made (api/new_id.h), and no other id.
// Another text is left as it is, and names no node: the operation says so.
// `access` is what the operation needs: the database is opened for it. Returns what was understood
// where it is not what was written, {"due_at": "2026-11-27T00:00:00.000Z"}; else null. Throws
// Problem, as read_record() and Session::engine(), and where several tasks have the name.
Json read_request(const Fields& fields, const Json& json, void* record, Session& session,
                  Access access);
// Whether it says its times in full: the same at any time.
bool is_exact(const Fields& fields, const Json& json);
// The member of a result that says what was understood.
inline constexpr const char* kUnderstood = "understood";
// Whether a request with these fields may have such parts.
bool is_understood(const Fields& fields);

// The name of the zone of times that name none: of the session, else of the database's policy.
std::string zone_name(Session& session, Access access);

}  // namespace hebb::api
