// The kinds of events: what the ledger calls each, and the digit with which its keys begin. Only
// for the files of the event codec.
#pragma once

#include <string_view>

#include "engine/ledger/event.h"

namespace hebb {

struct KindInfo {
  std::string_view name;  // stored; do not rename
  char digit;             // stored in keys; do not renumber. Causes before effects.
};

template <typename T>
constexpr KindInfo kKind{};
template <>
inline constexpr KindInfo kKind<NodeUpsert>{"node", '1'};
template <>
inline constexpr KindInfo kKind<Link>{"edge", '2'};
template <>
inline constexpr KindInfo kKind<Unlink>{"unlink", '3'};
template <>
inline constexpr KindInfo kKind<StateChange>{"state", '4'};
template <>
inline constexpr KindInfo kKind<OutcomeSignal>{"outcome", '5'};
template <>
inline constexpr KindInfo kKind<NodeDelete>{"delete", '6'};
template <>
inline constexpr KindInfo kKind<Pivot>{"pivot", '6'};
template <>
inline constexpr KindInfo kKind<Recalibration>{"recalibrate", '6'};
template <>
inline constexpr KindInfo kKind<PolicyChange>{"policy", '6'};
template <>
inline constexpr KindInfo kKind<Undo>{"undo", '6'};
template <>
inline constexpr KindInfo kKind<Forget>{"gc", '6'};
template <>
inline constexpr KindInfo kKind<Claim>{"claim", '6'};
template <>
inline constexpr KindInfo kKind<Renew>{"renew", '6'};
template <>
inline constexpr KindInfo kKind<Release>{"release", '6'};

}  // namespace hebb
