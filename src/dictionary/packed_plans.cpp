// SPDX-License-Identifier: MIT
#include "dictionary/packed_plans.hpp"

#include "base/message.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

enum Kind : std::uint8_t { none = 0, labels = 1, short_rows = 2, dense = 3 };

Kind kind_of(const Plan& plan) {
  if (plan.rows() == 0) return none;
  if (plan.is_assignment()) return labels;
  return std::holds_alternative<ShortRows>(plan.storage()) ? short_rows : dense;
}

/// Reads rows one after the other, and no further than there are.
class Reader {
 public:
  Reader(const io::Archive& archive, const std::string& name)
      : rows_(archive.values<std::uint32_t>(name + "_rows")),
        columns_(archive.values<std::uint32_t>(name + "_columns")),
        masses_(archive.values<double>(name + "_masses")) {}

  /// Goes past the rows of graphs that others have.
  void skip(std::size_t rows) {
    if (rows > rows_.size() - row_) fail();
    for (; rows > 0; --rows) entry_ += rows_[row_++];
  }

  ShortRows take(Index nodes, Index columns) {
    ShortRows result;
    result.offsets.push_back(0);
    for (Index i = 0; i < nodes; ++i) {
      if (row_ >= rows_.size()) fail();
      const std::size_t end = entry_ + rows_[row_++];
      if (end > columns_.size() || end > masses_.size()) fail();
      for (; entry_ < end; ++entry_) {
        if (columns_[entry_] >= static_cast<std::uint64_t>(columns)) fail();
        result.columns.push_back(columns_[entry_]);
        result.masses.push_back(masses_[entry_]);
      }
      result.offsets.push_back(result.columns.size());
    }
    return result;
  }

  [[noreturn]] static void fail() {
    throw Error(Error::Kind::format, "plans of the checkpoint do not fit the graphs");
  }

 private:
  SharedArray<std::uint32_t> rows_, columns_;
  SharedArray<double> masses_;
  std::size_t row_ = 0, entry_ = 0;
};

Plan plan_of(Kind kind, const Vector& weights, ShortRows rows, Index columns) {
  if (kind == short_rows) return Plan::from_rows(weights, std::move(rows), columns);
  if (kind == labels) {
    if (rows.columns.size() != static_cast<std::size_t>(weights.size())) Reader::fail();
    return Plan::from_labels(weights, rows.columns, columns);
  }
  Matrix matrix = Matrix::Zero(weights.size(), columns);
  for (Index i = 0; i < weights.size(); ++i) {
    for (auto e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      matrix(i, rows.columns[e]) = rows.masses[e];
    }
  }
  return Plan::from_dense(weights, std::move(matrix));
}

}  // namespace

void pack_plans(const std::vector<Plan>& plans, const std::string& name, Shard& shard,
                io::Archive& archive) {
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint32_t> rows, columns;
  std::vector<double> masses;
  for (const Plan& plan : plans) {
    kinds.push_back(kind_of(plan));
    with_masses(plan, [&](const auto& row_masses) {
      for (Index i = 0; i < plan.rows(); ++i) {
        const std::size_t before = columns.size();
        row_masses(i, [&](Index k, double mass) {
          columns.push_back(static_cast<std::uint32_t>(k));
          masses.push_back(mass);
        });
        rows.push_back(static_cast<std::uint32_t>(columns.size() - before));
      }
    });
  }
  archive.add(name + "_kinds", join_on_first(shard.ranks(), kinds));
  archive.add(name + "_rows", join_on_first(shard.ranks(), rows));
  archive.add(name + "_columns", join_on_first(shard.ranks(), columns));
  archive.add(name + "_masses", join_on_first(shard.ranks(), masses));
}

std::vector<Plan> unpack_plans(const io::Archive& archive, const std::string& name,
                               std::span<const Sample> samples, Index columns, Shard& shard) {
  const auto& all = archive.values<std::uint8_t>(name + "_kinds");
  if (all.size() != 0 && all.size() != shard.total()) Reader::fail();
  if (all.size() == 0) return {};
  const auto kinds = all.view().subspan(shard.first(), shard.own());
  std::size_t rows = 0;
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] != none) rows += samples[s].source.weights.size();
  }
  Reader reader(archive, name);
  const std::vector<std::size_t> rows_of_ranks = shard.gather(rows);
  for (int r = 0; shard.ranks() != nullptr && r < shard.ranks()->rank(); ++r) {
    reader.skip(rows_of_ranks[r]);
  }
  std::vector<Plan> plans;
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] == none) {
      plans.emplace_back();
      continue;
    }
    const Vector& weights = samples[s].source.weights;
    plans.push_back(plan_of(static_cast<Kind>(kinds[s]), weights,
                            reader.take(weights.size(), columns), columns));
  }
  return plans;
}

}  // namespace srgw::detail
