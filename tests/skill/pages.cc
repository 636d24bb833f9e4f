#include "tests/skill/pages.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <unistd.h>

#include "tests/support/process.h"

namespace hebb::test {

void Site::answer(const std::string& path, const Wire& wire) {
  Answer answer;
  {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(path);
    if (found != answers_.end()) answer = found->second;
  }
  if (answer) return answer(wire);
  std::unique_lock lock(mutex_);
  const auto page = pages_.find(path);
  if (page == pages_.end()) return wire.answer(404, "", "");
  const std::string html = page->second;
  lock.unlock();
  wire.answer(200, "text/html; charset=utf-8", html);
}

void Site::put(const std::string& path, const std::string& html) {
  const std::lock_guard lock(mutex_);
  pages_[path] = html;
}

void Site::on(const std::string& path, Answer answer) {
  const std::lock_guard lock(mutex_);
  answers_[path] = std::move(answer);
}

std::string Site::file(const std::string& name) {
  std::ifstream in(std::string(HEBB_SOURCE_DIR "/tests/skill/site/") + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Site::url(const std::string& path) const { return server_.url(path); }
std::string Site::domain() const { return server_.address(); }

namespace {

struct Process {
  int pid = 0, parent = 0;
  std::string command;  // with blanks between its arguments
};

std::vector<Process> processes() {
  namespace fs = std::filesystem;
  std::vector<Process> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat"), line(entry.path() / "cmdline");
    std::string text;
    std::getline(stat, text);
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos || end + 4 > text.size()) continue;
    Process p{std::stoi(name), std::stoi(text.substr(end + 4)),
              std::string(std::istreambuf_iterator<char>(line), {})};
    std::replace(p.command.begin(), p.command.end(), '\0', ' ');
    all.push_back(std::move(p));
  }
  return all;
}

// Of this process, and of those.
std::vector<Process> descendants() {
  const auto all = processes();
  std::vector<int> parents{getpid()};
  std::vector<Process> found;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const Process& p : all) {
      if (p.parent != parents[i]) continue;
      parents.push_back(p.pid);
      found.push_back(p);
    }
  }
  return found;
}

// From now on this process's browsers have their folders in one that is its own: elsewhere others'
// come and go. Its path.
std::string own_temporary_folder() {
  static const Folder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  return folder.path();
}

std::vector<int> processes_with(const std::string& argument, const std::string& without) {
  std::vector<int> found;
  for (const Process& p : descendants()) {
    const auto has = [&](const std::string& text) {
      return p.command.find(text) != std::string::npos;
    };
    if (has(argument) && !has(without)) found.push_back(p.pid);
  }
  return found;
}

}  // namespace

Left left_behind() {
  namespace fs = std::filesystem;
  Left left;
  const std::string temporary = own_temporary_folder();
  left.processes = descendants().size();
  for (const auto& e : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string to = fs::read_symlink(e.path(), gone);
    // Those of the server that serves the pages come and go.
    if (!to.starts_with("socket:[") && !to.starts_with("/proc/")) ++left.descriptors;
  }
  for (const auto& e : fs::directory_iterator(temporary)) {
    const std::string name = e.path().filename();
    if (name.starts_with("hebb-browser-")) ++left.folders;
  }
  return left;
}

std::vector<int> own_browsers() { return processes_with("--remote-debugging-pipe", "--type="); }
std::vector<int> own_renderers() { return processes_with("--type=renderer", "--type=zygote"); }

std::string page(const std::string& body) {
  return "<!doctype html><meta charset=utf-8><title>T</title><body>" + body;
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("there is no " + what);
  return text.replace(at, what.size(), by);
}

}  // namespace hebb::test
