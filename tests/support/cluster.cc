#include "tests/support/cluster.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/postgres/connection.h"

namespace hebb::test {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 60'000;

// The folder of the newest version, as Debian places it, or of what is in PATH.
const std::string& programs() {
  static const std::string found = [] {
    std::string best;
    int newest = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
      const int version = std::atoi(entry.path().filename().c_str());
      if (version > newest && fs::exists(entry.path() / "bin/initdb")) {
        newest = version;
        best = (entry.path() / "bin").string() + "/";
      }
    }
    if (newest == 0 && (!is_installed("initdb") || !is_installed("postgres"))) {
      throw std::runtime_error("PostgreSQL is not installed: scripts/install-deps --test");
    }
    return best;
  }();
  return found;
}

// As whom a server runs, if not as who runs the test.
const passwd* other_user() {
  if (geteuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  if (!user) user = getpwnam("nobody");
  if (!user) throw std::runtime_error("there is neither a user postgres nor nobody");
  return user;
}

void give_away(const std::string& path) {
  const passwd* const user = other_user();
  if (user && chown(path.c_str(), user->pw_uid, user->pw_gid) != 0) {
    throw std::runtime_error("cannot chown " + path);
  }
}

std::vector<std::string> as_user(std::vector<std::string> args) {
  args.front() = programs() + args.front();
  std::vector<std::string> all{"setpriv", "--pdeathsig", "QUIT"};
  if (const passwd* const user = other_user()) {
    all.insert(all.end(), {"--clear-groups", fmt::format("--regid={}", user->pw_gid),
                           fmt::format("--reuid={}", user->pw_uid)});
  }
  all.insert(all.end(), args.begin(), args.end());
  return all;
}

void check(const std::vector<std::string>& args, const std::string& folder) {
  const ProcessResult result = run_process(args, {{}, {}, folder});
  if (result.exit_code == 0) return;
  throw std::runtime_error(
      fmt::format("{} failed: {}{}", fmt::join(args, " "), result.out, result.err));
}

// Of initdb: another version makes another template.
std::string template_folder() {
  std::string initdb = programs() + "initdb";
  struct stat file {};
  stat(initdb.c_str(), &file);
  return (fs::path(HEBB_BINARY).parent_path() /
          fmt::format("postgres-template-{}-{}-{}", geteuid(), file.st_size, file.st_mtime))
      .string();
}

// Below what the kernel gives to whoever asks for any, so that nobody gets it while a server is
// down.
int free_port() {
  std::random_device random;
  for (int tried = 0; tried < 1000; ++tried) {
    const int port = 20'000 + static_cast<int>(random() % 12'000);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const int bound = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
    close(fd);
    if (bound == 0) return port;
  }
  throw std::runtime_error("no port is free");
}

// One that was killed leaves a piece of memory, whose number is in the seventh line of this file.
void free_shared_memory(const std::string& pid_file) {
  std::ifstream file(pid_file);
  std::string line;
  for (int i = 0; i < 7; ++i) std::getline(file, line);
  unsigned long key = 0;
  int id = 0;
  if (std::istringstream(line) >> key >> id) shmctl(id, IPC_RMID, nullptr);
}

}  // namespace

Cluster::Cluster(ClusterOptions options) : options_(std::move(options)) {
  give_away(folder_.path());
  make_data(options_.own_identifier);
  configure();
  start();
  if (options_.password.empty()) return;
  sql(fmt::format("ALTER USER postgres PASSWORD '{}'", options_.password));
}

Cluster::Cluster(Cluster& primary, bool synchronous) : options_(primary.options_) {
  give_away(folder_.path());
  run({"pg_basebackup", "-D", data(), "-R", "-c", "fast", "--no-sync", "-d", primary.url()});
  start();
  primary.wait_until("EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming')");
  if (!synchronous) return;
  primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
  primary.sql("SELECT pg_reload_conf()");
  primary.wait_until("EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')");
}

Cluster::~Cluster() {
  if (running()) end(SIGQUIT);
  free_shared_memory(data() + "/postmaster.pid");
}

void Cluster::run(std::vector<std::string> args) const {
  check(as_user(std::move(args)), folder_.path());
}

// Processes that make the template at once each make one; one of them becomes the template.
void Cluster::make_data(bool own_identifier) {
  const std::vector<std::string> initdb{"initdb",         "-D",
                                        data(),           "-U",
                                        "postgres",       "-A",
                                        "trust",          "--no-sync",
                                        "--locale=C",     "--encoding=UTF8",
                                        "--wal-segsize=1"};
  if (own_identifier) return run(initdb);
  const std::string kept = template_folder();
  if (!fs::exists(kept)) {
    run(initdb);
    const std::string copy = fmt::format("{}.{}", kept, getpid());
    check({"cp", "-a", data(), copy}, "");
    std::error_code there_is_one;
    fs::rename(copy, kept, there_is_one);
    if (there_is_one) fs::remove_all(copy);
    return;
  }
  check({"cp", "-a", kept, data()}, "");
}

void Cluster::configure() const {
  const char* const host = options_.password.empty() ? "trust" : "scram-sha-256";
  write_text(data() + "/pg_hba.conf", fmt::format("local all,replication all trust\n"
                                                  "host all,replication all 127.0.0.1/32 {}\n",
                                                  host));
  const char* const on = options_.fsync ? "on" : "off";
  write_text(data() + "/postgresql.conf",
             fmt::format("listen_addresses = '127.0.0.1'\nmax_connections = 60\n"
                         "shared_buffers = 16MB\ndynamic_shared_memory_type = mmap\nfsync = "
                         "{0}\nfull_page_writes = {0}\n",
                         on));
}

std::string Cluster::url(const std::string& database, const std::string& user) const {
  return fmt::format("postgresql://{}@/{}?host={}&port={}", user, database, folder_.path(), port_);
}

std::string Cluster::url_tcp(const std::string& database) const {
  const std::string password = options_.password.empty() ? "" : ":" + options_.password;
  return fmt::format("postgresql://postgres{}@127.0.0.1:{}/{}", password, port_, database);
}

// --- its processes -------------------------------------------------------------------------------

void Cluster::start() {
  if (port_ > 0) {
    if (!try_start()) throw std::runtime_error("PostgreSQL did not start:\n" + log());
    return;
  }
  for (int tried = 0; tried < 10; ++tried) {
    port_ = free_port();
    if (try_start()) return;
    if (log().find("Address already in use") == std::string::npos) break;
    fs::remove(folder_.file("log"));
  }
  throw std::runtime_error("PostgreSQL did not start:\n" + log());
}

void Cluster::spawn() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  const int log =
      ::open(folder_.file("log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const auto args =
      as_user({"postgres", "-D", data(), "-p", std::to_string(port_), "-k", folder_.path()});
  std::vector<char*> argv;
  for (const auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  server_ = fork();
  if (server_ == 0) {
    fcntl(ends[1], F_SETFD, 0);
    dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    setpgid(0, 0);  // what interrupts the tests is told to it by their end
    if (chdir(folder_.path().c_str()) == 0) execvp(argv[0], argv.data());
    _exit(127);
  }
  close(log);
  close(ends[1]);
  alive_ = ends[0];
  if (server_ < 0) throw std::runtime_error("fork failed");
}

bool Cluster::try_start() {
  spawn();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  while (std::chrono::steady_clock::now() < deadline) {
    // Wakes at once if the server ends, and asks again where it does not take connections yet.
    pollfd ended{alive_, POLLIN, 0};
    if (::poll(&ended, 1, 10) > 0) break;
    try {
      postgres::Connection(url(), kPatienceMs);
      return true;
    } catch (const postgres::Error& error) {
      if (!error.lost()) throw;
    }
  }
  end(SIGKILL);
  return false;
}

void Cluster::end(int signal) {
  ::kill(server_, signal);
  pollfd ended{alive_, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&ended, 1, kPatienceMs)) < 0 && errno == EINTR) {
  }
  if (ready == 0) ::kill(server_, SIGKILL);
  while (waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(alive_);
  server_ = alive_ = -1;
}

void Cluster::stop() { end(SIGINT); }
void Cluster::kill() { end(SIGKILL); }

void Cluster::restart() {
  stop();
  start();
}

Cluster Cluster::standby(bool synchronous) { return Cluster(*this, synchronous); }

void Cluster::promote() { sql("SELECT pg_promote()"); }

// --- what is in it -------------------------------------------------------------------------------

void Cluster::sql(const std::string& statements) {
  postgres::Connection(url(), kPatienceMs).run(statements);
}

std::string Cluster::value(const std::string& query) {
  const std::string as_text = fmt::format("SELECT ({})::text", query);
  postgres::Connection connection(url(), kPatienceMs);
  return std::string(connection.ask(as_text.c_str()).text(0, 0));
}

void Cluster::wait_until(const std::string& condition) {
  // The server waits, not the test.
  const std::string query = fmt::format("SELECT pg_sleep(0.01), ({})::text", condition);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  postgres::Connection connection(url(), kPatienceMs);
  while (connection.ask(query.c_str()).text(0, 1) != "true") {
    if (std::chrono::steady_clock::now() < deadline) continue;
    throw std::runtime_error(condition + " does not become true:\n" + log());
  }
}

std::string Cluster::log() const { return read_text(folder_.file("log")); }

}  // namespace hebb::test
