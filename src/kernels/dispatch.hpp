// SPDX-License-Identifier: MIT
#pragma once

/// Defines the function that a header declares: it calls its namesake in HWY_NAMESPACE, compiled
/// for the best instruction set of the machine. Parameters and arguments are in parentheses.
/// To be used after <hwy/highway.h>, which must not be included before <hwy/foreach_target.h>.
// NOLINTBEGIN(bugprone-macro-parentheses): types and lists of parameters cannot have more of them
#define SRGW_DISPATCH(result, name, parameters, arguments) \
  HWY_EXPORT(name);                                        \
  result name parameters { return HWY_DYNAMIC_DISPATCH(name) arguments; }

/// The usual kernel: a pass over rows [begin, end).
#define SRGW_DISPATCH_PASS(result, name, Pass) \
  SRGW_DISPATCH(result, name, (const Pass& pass, Index begin, Index end), (pass, begin, end))
// NOLINTEND(bugprone-macro-parentheses)
