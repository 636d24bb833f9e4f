// The makers of the list's lines, one an operation; each stands beside what it runs.
#pragma once

#include "api/edges.h"
#include "api/explain.h"
#include "api/ingest.h"
#include "api/neighbors.h"
#include "api/nodes.h"
#include "api/operation.h"
#include "api/path.h"
#include "api/rank.h"
#include "api/recalibrate.h"
#include "api/recall.h"
#include "api/topology.h"
