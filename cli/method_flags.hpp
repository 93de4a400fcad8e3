// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "srgw/solve.hpp"

namespace srgw::cli {

/// The options of all methods, by the names of their fields, as they were given.
using MethodFlags = std::map<std::string, std::string>;

/// One flag for each field of each method; defaults and texts are those of the library.
void add_method_flags(CLI::App& app, MethodFlags& flags);

/// The method that the flags choose: mirror descent when epsilon is above 0, else conditional
/// gradient. Throws a usage error when the method lacks a flag or a value is out of range.
/// Epsilon above 0 means mirror descent, unless another method was asked for.
[[nodiscard]] Method method_from_flags(MethodFlags flags,
                                       MethodName name = MethodName::conditional_gradient);

/// All options of a method with their values, for manifests.
[[nodiscard]] std::map<std::string, std::string> settings(const Method& method);

}  // namespace srgw::cli
