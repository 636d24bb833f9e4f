// The order of rows: that of reward::better(), by what a row says.
#include "engine/rank/query.h"

namespace hebb {

bool goes_before(const PathRow& a, const PathRow& b) {
  if (a.pinned != b.pinned) return a.pinned;
  if (a.factors.priority != b.factors.priority) return a.factors.priority > b.factors.priority;
  // Where files are changed: the one that is level by itself and not through them.
  if (a.change_proximity != b.change_proximity) return a.change_proximity < b.change_proximity;
  if (a.factors.base != b.factors.base) return a.factors.base > b.factors.base;
  if (a.created_at != b.created_at) return a.created_at < b.created_at;
  return a.id < b.id;
}

}  // namespace hebb
