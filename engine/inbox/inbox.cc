#include "engine/inbox/inbox.h"

namespace hebb {

void Inbox::add_dead_letter(const DeadLetter& letter) {
  auto& q = db_.query(sql::Query::add_dead_letter);
  q.bind(1, letter.at).bind(2, std::string_view(letter.format));
  q.bind(3, std::string_view(letter.reason)).bind(4, std::string_view(letter.detail));
  q.bind(5, std::string_view(letter.file)).bind(6, letter.line);
  q.bind(7, std::as_bytes(std::span(letter.text)));
  if (!letter.hash.empty()) q.bind(8, letter.bytes).bind(9, std::string_view(letter.hash));
  q.run();
}

bool Inbox::set_dead_letter(const DeadLetter& letter) {
  auto& q = db_.query(sql::Query::set_dead_letter);
  q.bind(1, letter.id).bind(2, letter.at);
  q.bind(3, std::string_view(letter.reason)).bind(4, std::string_view(letter.detail));
  q.run();
  return db_.changes() > 0;
}

bool Inbox::find_same(DeadLetter& letter) const {
  auto& q = db_.query(sql::Query::same_dead_letter);
  const sql::Reset reset(q);
  q.bind(1, std::string_view(letter.file)).bind(2, letter.line);
  q.bind(3, std::string_view(letter.format)).bind(4, std::as_bytes(std::span(letter.text)));
  if (!letter.hash.empty()) q.bind(5, std::string_view(letter.hash));
  if (!q.step()) return false;
  letter.id = q.integer(0);
  letter.reason = q.text(1);
  return true;
}

std::vector<DeadLetter> Inbox::dead_letters_after(std::int64_t id, std::size_t bytes) const {
  std::vector<DeadLetter> letters;
  auto& q = db_.query(sql::Query::list_dead_letters);
  const sql::Reset reset(q);
  q.bind(1, id);
  std::size_t taken = 0;
  while (taken <= bytes && q.step()) {
    DeadLetter l;
    l.id = q.integer(0);
    l.reason = q.text(1);
    l.file = q.text(2);
    l.line = q.integer(3);
    const auto blob = q.blob(4);
    l.text.assign(reinterpret_cast<const char*>(blob.data()), blob.size());
    l.format = q.text(5);
    l.detail = q.text(6);
    l.at = q.integer(7);
    l.hash = q.text(9);
    l.bytes = l.hash.empty() ? static_cast<std::int64_t>(l.text.size()) : q.integer(8);
    taken += l.text.size();
    letters.push_back(std::move(l));
  }
  return letters;
}

std::int64_t Inbox::count_dead_letters() const {
  auto& q = db_.query(sql::Query::count_dead_letters);
  const sql::Reset reset(q);
  return q.step() ? q.integer(0) : 0;
}

bool Inbox::drop_dead_letter(std::int64_t id) {
  db_.query(sql::Query::drop_dead_letter).bind(1, id).run();
  return db_.changes() > 0;
}

}  // namespace hebb
