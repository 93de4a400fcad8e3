// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace srgw {

/// The one exception of the library. The message says where, what was found and what was expected.
/// Not converging is no error: it is a Status.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    argument,  ///< a value that the caller gave makes no sense
    format,    ///< a file says something that it may not say
    io,        ///< a file cannot be read or written
    resource,  ///< memory or another limit does not suffice
    stopped,   ///< a time limit or a cancellation came before there was a result
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace srgw
