// Connects a stdio client with a server behind HTTP, as capture/record/pump.h does with a server
// that is a process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/process.h"
#include "capture/record/child.h"
#include "capture/record/http_bridge.h"
#include "capture/record/pump.h"
#include "capture/record/queue.h"

namespace hebb::capture {

struct HttpServer {
  HttpUrl url;
  HttpHeaders headers;  // with every request
};

// Parses "Name: value" from a command line. Throws std::invalid_argument, whose text does not
// contain the value.
std::pair<std::string, std::string> parse_http_header(std::string_view text);

// The secrets in it: values with secret-looking names in the headers and the address's query.
std::vector<std::string> credentials(const HttpServer& server);

// Runs until the client has closed its end and has all its answers, or reads no more, or a signal
// comes. Both client descriptors refer to /dev/null afterwards. Returns how this process has to
// end.
ProcessEnd pump_http(const ClientEnds& client, const HttpServer& server, const HeldSignals& signals,
                     PumpTaps taps, std::shared_ptr<LineQueue> queue,
                     const std::function<void(std::string_view)>& warn);

}  // namespace hebb::capture
