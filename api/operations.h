// The makers of the list's lines, one an operation; each stands beside what it runs.
#pragma once

#include "api/edges.h"
#include "api/nodes.h"
#include "api/operation.h"
#include "api/rank.h"
