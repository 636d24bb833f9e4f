// What must hold of any database, whatever happened to it. Each check is a function that says what
// is wrong, or "" where nothing is; random lives and the scripts of tests/engine/scripts use them.
#pragma once

#include <optional>
#include <string>

#include "tests/support/history.h"
#include "tests/support/naive_model.h"
#include "tests/support/random.h"

namespace hebb::test {

// --- other ways to the same state ---------------------------------------------------------------
// A fold without all that an engine does to save work: the events that count, in their order.
State plain_fold(const Ledger& ledger, TimeMs until);
// The events that count, told to the naive model in their order. What was looked up on arrival is
// taken from the ledger.
naive::Model naive_of(Engine& engine);
// The log, imported into a database of its own: as a whole, or in parts that arrive in a random
// order, where what names a node that is still to come is given again.
Engine imported(Engine& engine);
Engine imported_shuffled(Engine& engine, Random& random);

// --- checks --------------------------------------------------------------------------------------
std::string check_plain_fold(Engine& engine);
std::string check_as_of(Engine& engine, TimeMs at);
// The file verifies, its mirror holds the ranking, and opened again it holds the same.
std::string check_file(Engine& engine, const std::string& path);
// Every node, edge, factor and the order, with an error of 1e-7.
std::string check_naive(Engine& engine, naive::Model model, TimeMs now);
// What an event, of which the model knows nothing yet, found when it arrived, for example the nodes
// related to an outcome. offered: as it was before.
std::string check_arrival(const naive::Model& model, const Event& stored,
                          const std::optional<Event>& offered);
// The ranking that is kept has the bits of one made anew.
std::string check_ranking(Engine& engine, TimeMs now);
// Where nothing that counts is younger than all that was taken back, another database holds the
// same once it has taken the log.
std::string check_same(Engine& got, Engine& expected);

}  // namespace hebb::test
