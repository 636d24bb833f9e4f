// A client of a recorder before a server behind HTTP.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "capture/actions/row.h"
#include "capture/record/record.h"
#include "tests/capture/record_support.h"
#include "tests/support/raw_server.h"

namespace hebb::capture::test {

using hebb::test::Heard;
using hebb::test::RawServer;
using hebb::test::Wire;

// A stdio client of `hebb record -- URL`, in this process.
class HttpClient {
 public:
  explicit HttpClient(std::string url,
                      std::vector<std::pair<std::string, std::string>> headers = {});
  ~HttpClient();

  void say(std::string_view line);  // without its line end
  std::string hear();               // the next line, without its end; "" at the end
  // Closes the client's end and returns the lines that still come.
  std::vector<std::string> finish();
  void leave();                   // reads no more; waits for the recorder's end
  std::vector<ActionRow> rows();  // after finish() or leave()
  const RecordEnd& end() const { return end_; }
  std::vector<std::string> warnings;  // after finish() or leave()

 private:
  std::mutex mutex_;  // of warnings
  Folder dir_;
  int to_ = -1, from_ = -1;
  int theirs_[2] = {-1, -1};
  std::string buffer_;
  RecordEnd end_;
  std::thread recorder_;
};

}  // namespace hebb::capture::test
