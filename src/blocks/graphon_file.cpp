// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <string>

#include "dictionary/model_parts.hpp"
#include "srgw/blocks.hpp"

namespace srgw {

namespace {

constexpr const char* archive_kind = "graphon";
constexpr int newest_version = 1;

/// The labels of all graphs in a row, and where those of each begin.
struct LabelRows {
  std::vector<std::uint32_t> labels;
  std::vector<std::uint64_t> offsets{0};
};

void describe(auto& parts, auto& graphon, auto& rows) {
  parts.value("weighted", graphon.weighted);
  parts.numbers("value", graphon.value);
  parts.array("sample_values", graphon.sample_values);
  parts.array("values", graphon.values);
  parts.array("standard_errors", graphon.standard_errors);
  parts.array("pairs", graphon.pairs);
  parts.array("widths", graphon.widths);
  parts.array("labels", rows.labels);
  parts.array("offsets", rows.offsets);
}

bool is_square(const Matrix& matrix, Index steps) {
  return matrix.rows() == steps && matrix.cols() == steps && matrix.allFinite();
}

/// The first fault of a graphon that was read; empty: there is none.
std::string complaint(const Graphon& graphon, const LabelRows& rows) {
  const Index steps = graphon.steps();
  if (steps < 1 || !graphon.widths.allFinite() || graphon.widths.minCoeff() < 0 ||
      !(graphon.widths.sum() > 0)) {
    return "widths are not positive numbers";
  }
  if (!is_square(graphon.values, steps) || !is_square(graphon.standard_errors, steps) ||
      !is_square(graphon.pairs, steps)) {
    return fmt::format("values, standard_errors and pairs are not {} x {} finite numbers", steps,
                       steps);
  }
  if (graphon.values != graphon.values.transpose() || graphon.values.minCoeff() < 0) {
    return "values are not symmetric, or below 0";
  }
  if (rows.offsets.empty() || rows.offsets.front() != 0 ||
      rows.offsets.back() != rows.labels.size() || !std::ranges::is_sorted(rows.offsets) ||
      rows.offsets.size() != graphon.sample_values.size() + 1) {
    return "offsets do not fit the labels";
  }
  for (const std::uint32_t label : rows.labels) {
    if (static_cast<Index>(label) >= steps) {
      return fmt::format("a label is {}, expected one below {}, the number of steps", label, steps);
    }
  }
  return {};
}

}  // namespace

void save(const Graphon& graphon, const std::filesystem::path& path) {
  LabelRows rows;
  for (const Assignment& labels : graphon.labels) {
    rows.labels.insert(rows.labels.end(), labels.begin(), labels.end());
    rows.offsets.push_back(rows.labels.size());
  }
  detail::write_parts(archive_kind, newest_version, [&](auto& parts) {
    describe(parts, graphon, rows);
  }).write(path);
}

Graphon load_graphon(const std::filesystem::path& path) {
  Graphon graphon;
  LabelRows rows;
  detail::read_parts(io::Archive::read(path, archive_kind, newest_version), archive_kind,
                     [&](auto& parts) { describe(parts, graphon, rows); });
  if (const std::string wrong = complaint(graphon, rows); !wrong.empty()) {
    throw Error(Error::Kind::format, fmt::format("{}: {}", path.string(), wrong));
  }
  for (std::size_t s = 0; s + 1 < rows.offsets.size(); ++s) {
    graphon.labels.emplace_back(
        rows.labels.begin() + static_cast<std::ptrdiff_t>(rows.offsets[s]),
        rows.labels.begin() + static_cast<std::ptrdiff_t>(rows.offsets[s + 1]));
  }
  return graphon;
}

}  // namespace srgw
