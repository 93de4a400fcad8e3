// SPDX-License-Identifier: MIT
#include "io/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace srgw::detail {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// How many bytes the UTF-8 character at the front has; 0 when it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return continues(1) ? 2 : 0;
  if ((first & 0xF0U) == 0xE0U) {
    // No overlong forms and no halves of UTF-16 pairs.
    const bool sound = !(first == 0xE0U && byte(1) < 0xA0U) && !(first == 0xEDU && byte(1) > 0x9FU);
    return sound && continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool sound = !(first == 0xF0U && byte(1) < 0x90U) && !(first == 0xF4U && byte(1) > 0x8FU);
    return sound && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string message_at(const Where& where, std::string_view message) {
  return where.line == 0 ? fmt::format("{}: {}", where.file, message)
                         : fmt::format("{}:{}: {}", where.file, where.line, message);
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (std::size_t i = 0; i < std::min(text.size(), longest);) {
    const std::size_t length = utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0 || byte < 0x20U || byte == 0x7FU) {
      result += fmt::format("\\x{:02x}", byte);
      ++i;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result + (text.size() > longest ? "...'" : "'");
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> to_exact_integer(std::string_view text) {
  const auto number = to_integer(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

std::optional<double> to_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string number_text(double number) { return fmt::format("{}", number); }

std::string real_text(double number) {
  std::string text = number_text(number);
  const std::size_t exponent = text.find('e');
  if (text.find('.') == std::string::npos) text.insert(std::min(exponent, text.size()), ".0");
  return text;
}

std::size_t line_of(std::string_view text, std::size_t position) {
  const auto before = text.substr(0, position);
  return std::count(before.begin(), before.end(), '\n') + 1;
}

std::string_view as_text(const Input& input) {
  std::string_view text = input.bytes;
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail_at({input.name, 1},
            "UTF-16 text, expected UTF-8 or ASCII; convert it, for instance with "
            "iconv");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Where there is a zero byte in binary junk, there is one early.
  constexpr std::size_t sample = 4096;
  const std::size_t zero = text.substr(0, sample).find('\0');
  if (zero != std::string_view::npos) {
    fail_at({input.name, line_of(text, zero)},
            "a zero byte, expected text; is the format of the file another one?");
  }
  return text;
}

bool LineReader::next() {
  stop_.throw_if_stopped();
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

bool LineReader::next_content(std::string_view comments) {
  while (next()) {
    const std::string_view content = trim(line_);
    if (!content.empty() && comments.find(content.front()) == std::string_view::npos) return true;
  }
  return false;
}

std::string_view Words::next() {
  std::size_t begin = 0;
  while (begin < rest_.size() && is_blank(rest_[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest_.size() && !is_blank(rest_[end])) ++end;
  const std::string_view word = rest_.substr(begin, end - begin);
  rest_.remove_prefix(end);
  return word;
}

bool split_fields(std::string_view line, char separator, std::vector<std::string>& fields) {
  fields.clear();
  for (std::size_t at = 0;;) {
    while (at < line.size() && is_blank(line[at]) && line[at] != separator) ++at;
    std::string field;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) return false;
        if (line[at] == '"' && line.substr(at).starts_with("\"\"")) {
          ++at;
        } else if (line[at] == '"') {
          break;
        }
        field += line[at];
      }
      at = std::min(line.find(separator, at), line.size());
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      field = trim(line.substr(at, end - at));
      at = end;
    }
    fields.push_back(std::move(field));
    if (at >= line.size()) return true;
    ++at;
  }
}

std::string csv_field(std::string_view text, char separator) {
  const bool plain = !text.empty() && text.find_first_of("\" \t#%") == std::string_view::npos &&
                     text.find(separator) == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

bool is_nested_deeper(std::string_view json, int depth) {
  int open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size() && open <= depth; ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
  }
  return open > depth;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace srgw::detail
