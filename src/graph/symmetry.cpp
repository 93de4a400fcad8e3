// SPDX-License-Identifier: MIT
#include "graph/symmetry.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

namespace {

bool equal_weights(double a, double b) {
  return std::abs(a - b) <= symmetry_tolerance * std::max(std::abs(a), std::abs(b));
}

/// The entries of rows [begin, end) above the diagonal against their mirrors. In a symmetric matrix
/// the rows below meet their entries in order, so that a cursor for each row is enough.
template <class Offset>
class MirrorPass {
 public:
  struct Counts {
    Index above = 0, below = 0, on_diagonal = 0;
  };

  explicit MirrorPass(const CsrRows<Offset>& rows) : rows_(rows) {}

  /// False: some entry has no mirror, or another pass found one.
  bool run(Index begin, Index end, std::atomic<bool>& failed) {
    place_cursors(begin);
    for (Index row = begin; row < end; ++row) {
      if (row % block_rows == 0) {
        throw_if_stopped();
        if (failed) return false;
      }
      if (!match_row(row)) {
        failed = true;
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  // Behind the entries that belong to earlier passes.
  void place_cursors(Index begin) {
    cursors_.assign(rows_.size(), 0);
    if (begin == 0) return;
    StopCounter stop(1 << 16);
    for (Index row = begin; row < rows_.size(); ++row) {
      stop.throw_if_stopped();
      const auto columns =
          rows_.columns.subspan(rows_.begin(row), rows_.end(row) - rows_.begin(row));
      const auto found = std::lower_bound(columns.begin(), columns.end(), begin);
      cursors_[row] = static_cast<NodeId>(found - columns.begin());
    }
  }

  bool match_row(Index row) {
    for (std::size_t entry = rows_.begin(row); entry < rows_.end(row); ++entry) {
      const Index column = rows_.columns[entry];
      if (column <= row) {
        ++(column < row ? counts_.below : counts_.on_diagonal);
        continue;
      }
      ++counts_.above;
      const std::size_t mirror = rows_.begin(column) + cursors_[column]++;
      if (mirror >= rows_.end(column) || rows_.columns[mirror] != row) return false;
      if (!rows_.values.empty() && !equal_weights(rows_.values[entry], rows_.values[mirror])) {
        return false;
      }
    }
    return true;
  }

  CsrRows<Offset> rows_;
  std::vector<NodeId> cursors_;
  Counts counts_;
};

}  // namespace

Mirrors find_mirrors(const Csr& csr, int threads) {
  constexpr int most_passes = 8;  // each has a cursor for each row
  constexpr Index few_rows = 1 << 14;
  return with_rows(csr, [&]<class Offset>(const CsrRows<Offset>& rows) -> Mirrors {
    const int passes =
        rows.size() <= few_rows ? 1 : std::min(resolve_threads(threads), most_passes);
    std::vector<MirrorPass<Offset>> all(passes, MirrorPass<Offset>(rows));
    std::atomic<bool> failed = false;
    parallel_for(passes, passes, [&](Index pass, int) {
      const Index begin = rows.size() * pass / passes, end = rows.size() * (pass + 1) / passes;
      all[pass].run(begin, end, failed);
    });
    if (failed) return {};
    Index above = 0, below = 0, loops = 0;
    for (const auto& pass : all) {
      above += pass.counts().above;
      below += pass.counts().below;
      loops += pass.counts().on_diagonal;
    }
    return {above == below, loops};  // no two entries above have the same mirror
  });
}

}  // namespace srgw::detail
