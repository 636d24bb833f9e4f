// The recorder's way between a stdio client and a server behind HTTP: what record_pump is for a
// server that is a process.
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

// "Name: value" as it stands on a command line. Throws std::invalid_argument that does not repeat
// the value.
std::pair<std::string, std::string> parse_http_header(std::string_view text);

// What of it is secret: values under secret-looking names, of headers and of the address's query.
std::vector<std::string> credentials(const HttpServer& server);

// Runs until the client has closed its end and has all its answers, or reads no more, or a signal
// comes. Both client descriptors lead to /dev/null afterwards. How this process should end.
ProcessEnd pump_http(const ClientEnds& client, const HttpServer& server, const HeldSignals& signals,
                     PumpTaps taps, std::shared_ptr<LineQueue> queue,
                     const std::function<void(std::string_view)>& warn);

}  // namespace hebb::capture
