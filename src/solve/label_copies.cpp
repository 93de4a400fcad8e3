// SPDX-License-Identifier: MIT
// What LabelStep keeps of rows on other ranks: copies of their part of a plan.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/parallel.hpp"
#include "solve/label_step.hpp"

namespace srgw::detail {

// After the rows here have been set.
template <class Label>
void LabelStep<Label>::start_copies() {
  std::vector<NodeId> listed;
  for (Index i = 0; i < rows_; ++i) {
    if (plan_.is_listed(i)) listed.push_back(static_cast<NodeId>(i));
  }
  exchange_.refresh_all(plan_.labels());
  if (exchange_.sum(static_cast<std::int64_t>(listed.size())) > 0) {
    plan_.prepare_lists();
    exchange_.refresh_parts(
        listed, [&](NodeId row, Ranks::Bytes& bytes) { write_row(plan_, row, bytes); },
        [&](NodeId place, std::span<const std::byte>& bytes) { read_row(plan_, place, bytes); });
    plan_.settle_lists();
  }
}

// What neighbours on other ranks have chosen: what they had, unless they say otherwise.
template <class Label>
void LabelStep<Label>::refresh_copies(const Rows& plan, Rows& minimisers, bool lists,
                                      Changed& changed) {
  changed.copies.clear();
  if (exchange_.alone()) return;
  std::copy(plan.layer(0) + rows_, plan.layer(0) + places_, minimisers.labels().begin() + rows_);
  exchange_.refresh(minimisers.labels(), changed.rows, &changed.copies);
  if (!lists) return;
  std::vector<NodeId> listed;
  std::ranges::copy_if(changed.rows, std::back_inserter(listed),
                       [&](NodeId i) { return minimisers.is_listed(static_cast<Index>(i)); });
  minimisers.prepare_lists();
  exchange_.refresh_parts(
      listed, [&](NodeId row, Ranks::Bytes& bytes) { write_row(minimisers, row, bytes); },
      [&](NodeId place, std::span<const std::byte>& bytes) {
        read_row(minimisers, place, bytes);
        changed.copies.push_back(place);
      });
}

// A row for another rank: how many shares, then these.
template <class Label>
void LabelStep<Label>::write_row(const Rows& rows, NodeId row, Ranks::Bytes& bytes) {
  Shares shares;
  rows.collect(static_cast<Index>(row), shares);
  const auto count = static_cast<std::uint32_t>(shares.size());
  const std::size_t end = bytes.size();
  const std::size_t size = shares.size() * sizeof(typename Rows::Share);
  bytes.resize(end + sizeof count + size);
  std::memcpy(bytes.data() + end, &count, sizeof count);
  std::memcpy(bytes.data() + end + sizeof count, shares.data(), size);
}

template <class Label>
void LabelStep<Label>::read_row(Rows& rows, NodeId place, std::span<const std::byte>& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  Shares shares(count);
  const std::size_t size = count * sizeof(typename Rows::Share);
  std::memcpy(static_cast<void*>(shares.data()), bytes.data() + sizeof count, size);
  bytes = bytes.subspan(sizeof count + size);
  rows.set_row(static_cast<Index>(place), shares);
}

// Copies do not know their neighbours here: these look for themselves, which takes less than to
// count.
template <class Label>
bool LabelStep<Label>::flag_neighbours_of_copies(const std::vector<NodeId>& copies) {
  if (copies.empty()) return false;
  if (16 * copies.size() > exchange_.copies()) return true;
  std::vector<bool> is_changed(places_, false);
  for (const NodeId place : copies) is_changed[place] = true;
  parallel_for(block_count(rows_), options_.threads, [&](Index block, int) {
    for (Index i = block * block_rows; i < std::min(rows_, (block + 1) * block_rows); ++i) {
      if (std::ranges::any_of(pass_.source.sparse_row(i).columns,
                              [&](NodeId j) { return is_changed[j]; })) {
        flag_[i] = 1;
      }
    }
  });
  return false;
}

template void LabelStep<std::uint8_t>::start_copies();
template void LabelStep<std::uint16_t>::start_copies();
template void LabelStep<std::uint32_t>::start_copies();
template void LabelStep<std::uint8_t>::refresh_copies(const Rows&, Rows&, bool, Changed&);
template bool LabelStep<std::uint8_t>::flag_neighbours_of_copies(const std::vector<NodeId>&);
template void LabelStep<std::uint8_t>::write_row(const Rows&, NodeId, Ranks::Bytes&);
template void LabelStep<std::uint8_t>::read_row(Rows&, NodeId, std::span<const std::byte>&);
template void LabelStep<std::uint16_t>::refresh_copies(const Rows&, Rows&, bool, Changed&);
template bool LabelStep<std::uint16_t>::flag_neighbours_of_copies(const std::vector<NodeId>&);
template void LabelStep<std::uint16_t>::write_row(const Rows&, NodeId, Ranks::Bytes&);
template void LabelStep<std::uint16_t>::read_row(Rows&, NodeId, std::span<const std::byte>&);
template void LabelStep<std::uint32_t>::refresh_copies(const Rows&, Rows&, bool, Changed&);
template bool LabelStep<std::uint32_t>::flag_neighbours_of_copies(const std::vector<NodeId>&);
template void LabelStep<std::uint32_t>::write_row(const Rows&, NodeId, Ranks::Bytes&);
template void LabelStep<std::uint32_t>::read_row(Rows&, NodeId, std::span<const std::byte>&);

}  // namespace srgw::detail
