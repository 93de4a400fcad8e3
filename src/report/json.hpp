// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/stop.hpp"

namespace srgw::detail {

/// JSON that may stand in a page: `<` is escaped, so that no name can end the element around it.
/// Polls the StopScope as it grows.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);  ///< what is no UTF-8 becomes U+FFFD
  JsonWriter& number(double value);          ///< null unless finite
  JsonWriter& whole(long long value);
  JsonWriter& boolean(bool value);

  template <class List, class Write>
  JsonWriter& array(const List& items, Write write) {
    begin_array();
    for (const auto& item : items) write(item);
    return end_array();
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  StopCounter stop_{4096};
};

}  // namespace srgw::detail
