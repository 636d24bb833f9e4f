// picture: a node's neighbourhood, laid out to be drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/edges.h"
#include "api/operation.h"

namespace hebb::api {

struct PictureRequest {
  std::string id;
  std::int64_t depth = 2, limit = 40;
  bool dormant = false;
  static const Fields& fields();
};
struct PictureNode {
  std::string id, name, type, state;
  std::int64_t depth = 0;
  std::int64_t more = 0;  // neighbours that are left out
  double x = 0, y = 0;
  static const Fields& fields();
};
struct PictureEdge {
  std::string source, target, type;
  double weight = 0;
  bool dormant = false;
  std::string path;  // as the attribute d of SVG has it
  static const Fields& fields();
};
struct PictureResult {
  double width = 0, height = 0;
  std::vector<PictureNode> nodes;  // the middle first, the nearest next
  std::vector<PictureEdge> edges;  // all between these nodes, the weakest first
  static const Fields& fields();
};
PictureResult picture(Session& session, const PictureRequest& request);
Operation picture_operation();

}  // namespace hebb::api
