#include "cli/command_session.h"

namespace hebb::cli {

EngineOptions CommandSession::opening(api::Access access) const {
  EngineOptions options = context_.opening(access);
  options.busy_timeout_ms = wait_ms_;
  return options;
}

struct CommandSession::Other {
  Other(const Context& all, const std::string& database, const View& view)
      : context(of_one(all, database)), session(context, view) {
    session.of_ = api::shown_path(database) + ": ";
  }
  static Context of_one(Context context, const std::string& database) {
    context.databases = {database};
    return context;
  }

  Context context;
  CommandSession session;
};

CommandSession::CommandSession(const Context& context, const View& view)
    : OpenSession({.now = context.now_option,
                   .zone = context.tz,
                   .agent = context.agent(),
                   .note = [this](const std::string& text) { context_.note(of_ + text); },
                   .browser_use = api::BrowserUse{}}),  // with the user's own permissions
      context_(context),
      part_(view.part) {
  if (context.databases.size() < 2) return;
  for (const std::string& database : context.databases)
    each_.push_back(std::make_unique<Other>(context, database, view));
}

CommandSession::~CommandSession() = default;

Engine& CommandSession::engine(api::Access access) {
  return each_.empty() ? OpenSession::engine(access) : each_.front()->session.engine(access);
}

std::vector<api::Session*> CommandSession::several() const {
  std::vector<api::Session*> sessions;
  for (const auto& one : each_) sessions.push_back(&one->session);
  return sessions;
}

Progress CommandSession::progress(const std::string& what) {
  return [bar = std::make_shared<ProgressBar>(context_, what)](
             std::size_t done, std::size_t total) { bar->update(done, total); };
}

}  // namespace hebb::cli
