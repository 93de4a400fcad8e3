// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "io/input.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// A place in a file; line 0 is the file as a whole.
struct Where {
  std::string_view file;
  std::size_t line = 0;
};

[[nodiscard]] std::string message_at(const Where& where, std::string_view message);

/// Throws a format error `FILE:LINE: message`.
template <class... Args>
[[noreturn]] void fail_at(const Where& where, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Error::Kind::format,
              message_at(where, fmt::format(text, std::forward<Args>(args)...)));
}

/// Text for a message: quoted, cut when it is long, without control characters.
[[nodiscard]] std::string quote(std::string_view text);

[[nodiscard]] std::string_view trim(std::string_view text);  ///< without blanks at both ends
[[nodiscard]] bool is_utf8(std::string_view text);

/// The whole text as a number, or nothing. Numbers that are not finite are none.
[[nodiscard]] std::optional<std::int64_t> to_integer(std::string_view text);
/// The number that a text is, if writing the number gives the text again: 007 and +7 are none.
[[nodiscard]] std::optional<std::int64_t> to_exact_integer(std::string_view text);
[[nodiscard]] std::optional<double> to_number(std::string_view text);

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string number_text(double number);
/// Prints a number with a point, which tells it from a whole number.
[[nodiscard]] std::string real_text(double number);

/// The line in which a byte lies, from 1.
[[nodiscard]] std::size_t line_of(std::string_view text, std::size_t position);

/// Throws unless the bytes could be text: not UTF-16, no zero bytes. Returns them without the mark
/// that some editors put in front.
[[nodiscard]] std::string_view as_text(const Input& input);

/// Walks over the lines of a text, without their ends (LF or CRLF).
class LineReader {
 public:
  explicit LineReader(const Input& input) : file_(input.name), rest_(as_text(input)) {}
  /// Walks over a part of a text that as_text() has checked.
  LineReader(std::string_view file, std::string_view text) : file_(file), rest_(text) {}

  /// Steps to the next line; false when there is none.
  bool next();
  /// The next line that is not empty and starts with none of `comments`.
  bool next_content(std::string_view comments);

  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] Where where() const { return {file_, number_}; }
  [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }

 private:
  std::string_view file_, rest_, line_;
  std::size_t number_ = 0;
  StopCounter stop_;
};

/// Takes words that are separated by blanks from a line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  /// The next word, or an empty one at the end.
  std::string_view next();
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// The fields of a line between separators, blanks around them removed. A field in double quotes
/// may hold separators, and two quotes for one. Returns false when a quote is left open.
[[nodiscard]] bool split_fields(std::string_view line, char separator,
                                std::vector<std::string>& fields);
/// A field that split_fields() reads back: in quotes where it must be.
[[nodiscard]] std::string csv_field(std::string_view text, char separator);
/// Whether brackets of a JSON text are open more than `depth` deep: values are copied and destroyed
/// by functions that call themselves.
[[nodiscard]] bool is_nested_deeper(std::string_view json, int depth);
/// The text with ASCII letters in lower case.
[[nodiscard]] std::string lower(std::string_view text);

}  // namespace srgw::detail
