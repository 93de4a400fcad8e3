// SPDX-License-Identifier: MIT
#include "report/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "io/text.hpp"

namespace srgw::detail {

/// A comma unless something has just begun.
void JsonWriter::separate() {
  stop_.throw_if_stopped();
  if (out_.empty()) return;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':') out_ += ',';
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_ += '{';
  return *this;
}
JsonWriter& JsonWriter::end_object() {
  out_ += '}';
  return *this;
}
JsonWriter& JsonWriter::begin_array() {
  separate();
  out_ += '[';
  return *this;
}
JsonWriter& JsonWriter::end_array() {
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ':';
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  const bool readable = is_utf8(value);
  out_ += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (byte < 0x20 || byte == 0x7F || c == '<') {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", byte);
    } else if (byte >= 0x80 && !readable) {
      out_ += "\\ufffd";
    } else {
      out_ += c;
    }
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(out_), "{:.9g}", value);
  } else {
    out_ += "null";
  }
  return *this;
}

JsonWriter& JsonWriter::whole(long long value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

}  // namespace srgw::detail
