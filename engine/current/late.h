// What events that came out of order touch: it waits to be folded again, so that the history of a
// node is read once for all of them.
#pragma once

#include <utility>

#include "engine/fold/state.h"

namespace hebb {

class Late {
 public:
  const Scope& scope() const { return scope_; }
  // touched: by e, which is not folded yet.
  void add(const Event& e, const Scope& touched, const State& state);
  // Whether it may change what is looked up to resolve e. That is whether the nodes it names exist
  // and, for an outcome, the edges and states by which its contexts and related nodes are found.
  bool is_read_by(const Event& e, const State& state) const;
  Scope take();  // none waits after it

 private:
  Scope scope_;
  bool changes_lookups_ = false;  // more than outcomes wait, or such as change contexts
};

}  // namespace hebb
