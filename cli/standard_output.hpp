// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"

namespace srgw::cli {

/// A file that an option names.
struct OptionFile {
  const char* option;
  const std::string& file;
};

/// Whether one of the files is `-`, stdout, so that no text may be printed. Throws a usage error if
/// two are, or one is with --json.
inline bool takes_stdout(std::initializer_list<OptionFile> outputs, const Common& common) {
  const char* taken = nullptr;
  for (const auto& [option, file] : outputs) {
    if (file != "-") continue;
    if (common.json) fail_usage("{} - with --json, expected one of them", option);
    if (taken != nullptr) {
      fail_usage("{} - and {} - are both stdout, expected one of them", taken, option);
    }
    taken = option;
  }
  return taken != nullptr;
}

}  // namespace srgw::cli
