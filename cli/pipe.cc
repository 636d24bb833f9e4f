// hebb pipe: the operations as lines of JSON on standard input and output, for programs.
#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "api/handle.h"
#include "api/open.h"
#include "cli/commands.h"
#include "cli/outcome_hook.h"
#include "cli/output.h"
#include "serve/mcp/stdio.h"

namespace hebb::cli {

namespace {

using api::Problem, api::ProblemType;

constexpr std::size_t kMostWaiting = 1000;  // requests; more are answered with busy

// A line on standard input.
struct PipeLine {
  Json id, cancel;
  std::string operation;
  api::Object request;
  bool rows = false;
};
RECORD(PipeLine, FIELD(id, "A text or a whole number, which comes back with the answer"),
       FIELD(operation, "The name of an operation"), FIELD(request, "Its fields"),
       FIELD(rows, "Each element of the result's first list in a line of its own"),
       FIELD(cancel, "In place of all others: the id of the request to end"))

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

PipeLine read_line(const std::string& text) {
  PipeLine line;
  api::read_record(api::fields_of<PipeLine>(), api::parse_json(text, "line"), &line);
  const Json& id = line.cancel.is_null() ? line.id : line.cancel;
  const char* name = line.cancel.is_null() ? "id" : "cancel";
  if (!is_id(id)) throw api::invalid(name, "\"{}\" has to be a text or a whole number", name);
  return line;
}

// Requests are read by the thread that calls serve(). Two others run them, each with the database
// open: one those that read, one those that write, so that reading never waits for a long write.
class Pipe {
 public:
  explicit Pipe(const api::SessionOptions& options);

  // Answers until standard input ends and all is answered, or nobody reads standard output.
  void serve();

 private:
  struct Request {
    Json id;
    const api::Operation* operation;
    Json fields;
    bool rows;
  };
  struct Worker {
    explicit Worker(const api::SessionOptions& options) : handle(options) {}
    api::Handle handle;
    std::deque<Request> waiting;
    Json running;               // the id; null: none
    std::uint64_t cancels = 0;  // of the handle, when that request became the one that runs
    std::condition_variable wakes;
  };

  void take(const std::string& text);
  void add(Request request);
  void cancel(const Json& id);
  void work(Worker& worker);
  Json answer_to(Worker& worker, const Request& request);
  void send(const Json& line, bool flush = true);
  void fail(const Json& id, const Problem& problem) {
    send({{"id", id}, {"problem", problem.json()}});
  }

  std::mutex mutex_;  // guards the workers' members except `handle`, and ended_
  std::mutex out_;    // guards standard output
  bool ended_ = false;
  bool gone_ = false;  // nobody reads standard output; guarded by out_
  Worker reads_, writes_;
};

Pipe::Pipe(const api::SessionOptions& options) : reads_(options), writes_(options) {}

void Pipe::serve() {
  struct Threads {  // answer what waits, also where there is no memory for the next line
    ~Threads() {
      {
        const std::lock_guard lock(pipe.mutex_);
        pipe.ended_ = true;
      }
      for (Worker* worker : {&pipe.reads_, &pipe.writes_}) worker->wakes.notify_one();
      for (std::thread& thread : all) thread.join();
    }
    Pipe& pipe;
    std::vector<std::thread> all = {};
  } threads{*this};
  for (Worker* worker : {&reads_, &writes_})
    threads.all.emplace_back([this, worker] { work(*worker); });
  serve::mcp::Lines lines(STDIN_FILENO, serve::mcp::StdioOptions().longest_line);
  using Is = serve::mcp::Line::Is;
  for (auto line = lines.next(-1); line.is != Is::end; line = lines.next(-1)) {
    if (line.is == Is::too_long) {
      fail(nullptr, api::invalid("line", "a line is longer than {} bytes, and was left out",
                                 serve::mcp::StdioOptions().longest_line));
    } else if (line.text.find_first_not_of(" \t\r") != std::string::npos) {
      take(line.text);
    }
    const std::lock_guard lock(out_);
    if (gone_) break;
  }
}

void Pipe::take(const std::string& text) {
  Json id;
  try {
    id = api::name_in_text(text, "id");
    const PipeLine line = read_line(text);
    if (!line.cancel.is_null()) return cancel(line.cancel);
    add({line.id, &api::require_operation(line.operation),
         line.request.json.is_null() ? Json::object() : line.request.json, line.rows});
  } catch (...) {
    fail(id, api::problem_of(std::current_exception()));
  }
}

void Pipe::add(Request request) {
  Worker& worker = request.operation->effect == api::Effect::reads ? reads_ : writes_;
  const std::lock_guard lock(mutex_);
  if (worker.waiting.size() >= kMostWaiting) {
    throw api::problem(ProblemType::busy, "", "{} requests wait already: read their answers first",
                       kMostWaiting);
  }
  worker.waiting.push_back(std::move(request));
  worker.wakes.notify_one();
}

void Pipe::cancel(const Json& id) {
  bool waited = false;
  {
    const std::lock_guard lock(mutex_);
    for (Worker* worker : {&reads_, &writes_}) {
      if (worker->running == id) worker->handle.cancel();
      waited |= std::erase_if(worker->waiting, [&](const Request& r) { return r.id == id; }) > 0;
    }
  }
  if (waited) fail(id, Problem(ProblemType::cancelled, "the caller cancelled this"));
}

void Pipe::work(Worker& worker) {
  while (true) {
    Request request;
    {
      std::unique_lock lock(mutex_);
      worker.running = nullptr;
      worker.wakes.wait(lock, [&] { return ended_ || !worker.waiting.empty(); });
      if (worker.waiting.empty()) return;
      request = std::move(worker.waiting.front());
      worker.waiting.pop_front();
      worker.running = request.id;
      worker.cancels = worker.handle.cancels();
    }
    try {
      send(answer_to(worker, request));
    } catch (...) {
      fail(request.id, api::problem_of(std::current_exception()));
    }
  }
}

Json Pipe::answer_to(Worker& worker, const Request& request) try {
  const api::Answer answer = worker.handle.run(*request.operation, request.fields, worker.cancels);
  if (!request.rows) return {{"id", request.id}, {"answer", answer.whole()}};
  for (std::size_t i = 0; auto row = answer.row(i); ++i) {
    worker.handle.require_not_cancelled(worker.cancels);
    send({{"id", request.id}, {"row", std::move(*row)}}, false);
  }
  return {{"id", request.id}, {"answer", answer.others()}};
} catch (...) {
  return {{"id", request.id}, {"problem", api::problem_of(std::current_exception()).json()}};
}

void Pipe::send(const Json& line, bool flush) {
  const std::string text = api::text_of(line) + "\n";
  const std::lock_guard lock(out_);
  write_data(text);
  if (flush && !flush_output()) gone_ = true;
}

void serve_pipe(Context& context) {
  api::SessionOptions options;
  options.database.path = context.db_path();
  options.now = context.now_option;
  options.zone = context.tz;
  options.agent = context.agent();
  context.make_default_folder([&context](const std::string& text) { context.note(text); });
  options.database.outcome_taken = outcome_listener(context);
  Pipe(options).serve();
}

}  // namespace

void add_pipe(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, context, "pipe", "Answer requests on standard input, a line of JSON each, for a program",
      "  echo '{\"id\": 1, \"operation\": \"rank\", \"request\": {\"limit\": 3}}' | hebb pipe\n"
      "  ssh host hebb --db tasks.db pipe\n"
      "A line:   {\"id\": 1, \"operation\": \"rank\", \"request\": {…}}, or {\"cancel\": 1}\n"
      "Answers:  {\"id\": 1, \"answer\": {…}} or {\"id\": 1, \"problem\": {…}}, in any order:\n"
      "          wait for the answer to a write before what depends on it\n"
      "With \"rows\": true, each row of a list before its answer: {\"id\": 1, \"row\": {…}}",
      [&context] { serve_pipe(context); });
  add_outcome_hook(*command, context);
}

}  // namespace hebb::cli
