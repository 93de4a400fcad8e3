// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <charconv>

#include "base/message.hpp"

namespace srgw {

namespace {

/// The number that a name is, if writing the number gives the name again.
std::optional<std::int64_t> exact_number(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || std::to_string(number) != text) return std::nullopt;
  return number;
}

}  // namespace

NodeNames NodeNames::numbered(Index count, std::int64_t first) {
  NodeNames names;
  names.count_ = count;
  names.first_ = count == 0 ? 0 : first;
  return names;
}

NodeNames::NodeNames(std::vector<std::int64_t> ids) { take(std::move(ids)); }

NodeNames::NodeNames(std::vector<std::string> texts) {
  std::vector<std::int64_t> ids;
  ids.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto id = exact_number(text);
    if (!id) {
      count_ = std::ssize(texts);
      texts_ = std::move(texts);
      return;
    }
    ids.push_back(*id);
  }
  take(std::move(ids));
}

void NodeNames::take(std::vector<std::int64_t> ids) {
  count_ = std::ssize(ids);
  if (ids.empty()) return;
  first_ = ids.front();
  for (std::size_t i = 1; i < ids.size(); ++i) {
    // The number before cannot be the largest one when one more follows it.
    if (ids[i] <= ids[i - 1] || ids[i] != ids[i - 1] + 1) {
      ids_ = std::move(ids);
      first_ = 0;
      return;
    }
  }
}

std::int64_t NodeNames::number(Index node) const {
  return ids_.empty() ? first_ + node : ids_[node];
}

std::string NodeNames::operator[](Index node) const {
  return are_numbers() ? std::to_string(number(node)) : texts_[node];
}

NameIndex::NameIndex(const NodeNames& names) : names_(names) {
  const auto fail = [&](Index node) {
    detail::fail_argument("two nodes are called {}, expected different names", names[node]);
  };
  if (!names.ids_.empty()) by_id_.reserve(names.ids_.size());
  for (std::size_t i = 0; i < names.ids_.size(); ++i) {
    if (!by_id_.emplace(names.ids_[i], static_cast<NodeId>(i)).second) fail(static_cast<Index>(i));
  }
  for (std::size_t i = 0; i < names.texts_.size(); ++i) {
    if (!by_text_.emplace(names.texts_[i], static_cast<NodeId>(i)).second) {
      fail(static_cast<Index>(i));
    }
  }
}

std::optional<NodeId> NameIndex::find(std::string_view name) const {
  if (!names_.are_numbers()) {
    const auto found = by_text_.find(name);
    return found == by_text_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto id = exact_number(name);
  if (!id) return std::nullopt;
  if (!names_.consecutive()) {
    const auto found = by_id_.find(*id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }
  if (*id < names_.first_ || *id - names_.first_ >= names_.count_) return std::nullopt;
  return static_cast<NodeId>(*id - names_.first_);
}

}  // namespace srgw
