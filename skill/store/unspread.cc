#include "skill/store/unspread.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "secrets/canonical.h"
#include "text/ascii.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kLeastLetters = 8;  // fewer are together by chance, if signs are left out

bool counts_as_letter(char c) { return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80; }

// The length of invisible text at a position: a blank, or a character without width.
std::size_t unseen(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned a = byte(0), b = byte(1), c = byte(2);
  if (a == ' ' || (a >= '\t' && a <= '\r')) return 1;
  if ((a == 0xC2 && (b == 0xA0 || b == 0xAD)) || (a == 0xCD && b == 0x8F)) return 2;
  if (a == 0xE2 && b == 0x80) return c <= 0x8F || (c >= 0xA8 && c <= 0xAF) ? 3 : 0;
  const bool other = (a == 0xE2 && b == 0x81 && c >= 0x9F && c <= 0xAF) ||
                     (a == 0xE3 && b == 0x80 && c == 0x80) ||
                     (a == 0xE1 && b == 0xA0 && c == 0x8E) ||
                     (a == 0xE1 && b == 0x9A && c == 0x80) || (a == 0xEF && b == 0xBB && c == 0xBF);
  return other ? 3 : 0;
}

// The visible letters of a text: without escapes and blanks, in lower case.
struct Seen {
  std::string text;
  std::vector<std::size_t> places;  // of each byte in the source, and the source's end

  explicit Seen(std::string_view source) {
    const secrets::Canonical canonical(source);
    const std::string_view all = canonical.text();
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t blank = unseen(all, at);
      if (blank == 0) {
        text += to_lower(all[at]);
        places.push_back(canonical.place(at));
      }
      at += std::max(blank, std::size_t{1});
    }
    places.push_back(source.size());
  }
};

std::string letters_of(const std::string& text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), counts_as_letter);
  return out;
}

struct Wanted {
  std::string seen, letters;  // an empty one is not searched
  std::string slot;
};

std::vector<Wanted> wanted(const SecretValues& secrets) {
  std::vector<Wanted> all;
  for (const auto& [value, name] : secrets.used()) {
    Wanted w{Seen(value).text, "", slot(name)};
    if (w.seen.size() < SecretValues::kLeastBytes) continue;
    w.letters = letters_of(w.seen);
    if (w.letters.size() < kLeastLetters) w.letters.clear();
    all.push_back(std::move(w));
  }
  // Longer texts first, since they may contain others.
  std::stable_sort(all.begin(), all.end(),
                   [](const Wanted& a, const Wanted& b) { return a.seen.size() > b.seen.size(); });
  return all;
}

bool tells(const std::string& text, const std::vector<Wanted>& all) {
  const Seen seen(text);
  const std::string letters = letters_of(seen.text);
  return std::any_of(all.begin(), all.end(), [&](const Wanted& w) {
    return seen.text.find(w.seen) != std::string::npos ||
           (!w.letters.empty() && letters.find(w.letters) != std::string::npos);
  });
}

// A text with the parts to remove.
class Masking {
 public:
  explicit Masking(const std::string& text) : text_(text), out_(text.size(), false) {}

  void look(const Track& track, const std::vector<Wanted>& all) {
    const auto places = left(track);
    const Seen seen(text_at(places));
    for (const Wanted& w : all) {
      for (std::size_t at = seen.text.find(w.seen); at != std::string::npos;
           at = seen.text.find(w.seen, at + w.seen.size()))
        take_out(seen, places, at, w);
    }
  }
  std::string left_of(const Track& track) const { return text_at(left(track)); }
  std::string result() const {
    std::string result;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (const auto slot = slots_.find(i); slot != slots_.end()) result += slot->second;
      if (!out_[i]) result += text_[i];
    }
    return result;
  }

 private:
  std::vector<std::size_t> left(const Track& track) const {
    std::vector<std::size_t> places;
    for (const auto& [from, to] : track) {
      for (std::size_t i = from; i < to; ++i) {
        if (!out_[i]) places.push_back(i);
      }
    }
    return places;
  }
  std::string text_at(const std::vector<std::size_t>& places) const {
    std::string text;
    for (const std::size_t i : places) text += text_[i];
    return text;
  }
  void take_out(const Seen& seen, const std::vector<std::size_t>& places, std::size_t at,
                const Wanted& w) {
    bool first = true;
    for (std::size_t i = at; i < at + w.seen.size(); ++i) {
      for (std::size_t k = seen.places[i]; k < seen.places[i + 1]; ++k) {
        // Blanks after it belong to the text that follows.
        const bool last = i + 1 == at + w.seen.size();
        if (last && k > seen.places[i] && unseen(text_, places[k]) != 0) break;
        if (std::exchange(first, false)) slots_.emplace(places[k], w.slot);
        out_[places[k]] = true;
      }
    }
  }

  const std::string& text_;
  std::vector<bool> out_;
  std::map<std::size_t, std::string> slots_;  // by their position in the text
};

// Scans HTML as browsers write it: attributes have quotes, and all elements are closed.
class HtmlScanner {
 public:
  explicit HtmlScanner(std::string_view html) : html_(html) {}

  std::vector<Track> tracks() {
    while (at_ < html_.size()) {
      const std::size_t open = std::min(html_.find('<', at_), html_.size());
      if (open > at_) text_.emplace_back(at_, open);
      at_ = open;
      if (at_ < html_.size()) tag();
    }
    std::vector<Track> all{std::move(text_)};
    for (auto& [name, values] : attributes_) all.push_back(std::move(values));
    return all;
  }

 private:
  void skip_behind(std::string_view what) {
    const std::size_t found = html_.find(what, at_);
    at_ = found == std::string_view::npos ? html_.size() : found + what.size();
  }

  void tag() {
    if (html_.substr(at_).starts_with("<!--")) return skip_behind("-->");
    const std::size_t begin = ++at_;
    const std::size_t name = std::min(html_.find_first_of(" \t\n/>", at_), html_.size());
    const std::string_view tag = html_.substr(begin, name - begin);
    at_ = name;
    while (at_ < html_.size() && html_[at_] != '>') attribute();
    if (at_ < html_.size()) ++at_;
    for (const std::string_view code : {"script", "style"}) {
      if (tag != code) continue;
      skip_behind(std::string("</") + std::string(code));
      skip_behind(">");
    }
  }

  void attribute() {
    const std::size_t end = std::min(html_.find_first_of("=> ", at_), html_.size());
    const std::string_view name = html_.substr(at_, end - at_);
    at_ = end;
    if (html_.substr(at_).starts_with("=\"")) {
      const std::size_t from = at_ + 2, to = std::min(html_.find('"', from), html_.size());
      if (name == "srcdoc") inner(from, to);
      attributes_[name].emplace_back(from, to);
      at_ = std::min(to + 1, html_.size());
    } else if (at_ < html_.size() && html_[at_] != '>') {
      ++at_;
    }
  }

  // The text of a document within an attribute: everything outside of its tags.
  void inner(std::size_t from, std::size_t to) {
    Track& track = attributes_["srcdoc text"];
    bool in_tag = false;
    for (std::size_t at = from; at < to;) {
      const std::string_view rest = html_.substr(at, to - at);
      const bool opens = rest.front() == '<' || rest.starts_with("&lt;");
      const bool closes = rest.front() == '>' || rest.starts_with("&gt;");
      if (opens && !in_tag) track.emplace_back(from, at);
      at += (opens || closes) && rest.front() == '&' ? 4 : 1;
      if (opens) in_tag = true;
      if (closes && in_tag) from = at;
      if (closes) in_tag = false;
    }
    if (!in_tag) track.emplace_back(from, to);
  }

  std::string_view html_;
  std::size_t at_ = 0;
  Track text_;
  std::map<std::string_view, Track> attributes_;
};

}  // namespace

std::vector<Track> html_tracks(std::string_view html) { return HtmlScanner(html).tracks(); }

std::optional<std::string> without_secrets(const std::string& text, std::vector<Track> tracks,
                                           const SecretValues& secrets) {
  const auto all = wanted(secrets);
  if (all.empty()) return secrets.scrub(text);
  tracks.push_back({{0, text.size()}});
  Masking masking(text);
  for (const Track& track : tracks) masking.look(track, all);
  for (const Track& track : tracks) {
    if (tells(masking.left_of(track), all)) return std::nullopt;
  }
  return secrets.scrub(masking.result());
}

bool tells_secret(const std::string& text, const SecretValues& secrets) {
  return tells(text, wanted(secrets));
}

}  // namespace hebb::skill
