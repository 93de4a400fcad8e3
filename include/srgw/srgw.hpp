// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/csr.hpp"
#include "srgw/error.hpp"
#include "srgw/fields.hpp"
#include "srgw/generate.hpp"
#include "srgw/graph.hpp"
#include "srgw/initial.hpp"
#include "srgw/kmeans.hpp"
#include "srgw/metrics.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"
#include "srgw/structure.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"
