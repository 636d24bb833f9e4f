// The session of a command: its database, or the several that it asks together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/open.h"
#include "cli/command.h"
#include "cli/view.h"

namespace hebb::cli {

class CommandSession final : public api::OpenSession {
 public:
  explicit CommandSession(const Context& context, const View& view = {});
  ~CommandSession() override;

  // The engine of the first database: its settings decide how a request is read.
  Engine& engine(api::Access access) override;
  std::vector<api::Session*> several() const override;
  bool takes_beginnings() const override { return true; }
  Engine& waiting_engine(api::Access access, int wait_ms) override {
    wait_ms_ = wait_ms;
    return engine(access);
  }
  void part(const Json& done) override {
    if (part_ && !context_.json) part_(context_, done);
  }
  Progress progress(const std::string& what) override;
  std::string given_path() const override { return context_.db_path(); }

 private:
  struct Other;  // one of several databases, with the context of a command for it alone

  EngineOptions opening(api::Access access) const override;

  const Context& context_;
  std::string of_;  // prefix of notes: the database that they are about, if there are several
  std::vector<std::unique_ptr<Other>> each_;
  void (*part_)(const Context&, const Json&);
  int wait_ms_ = EngineOptions().busy_timeout_ms;
};

}  // namespace hebb::cli
