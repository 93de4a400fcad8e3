// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "dictionary/atom_sums.hpp"
#include "srgw/baselines.hpp"
#include "srgw/solve.hpp"

namespace srgw::detail {

/// The weight of the penalty follows values.
[[nodiscard]] Unmixing times_power_of_two(const Unmixing& unmixing, int exponent);
[[nodiscard]] LinearDictionary times_power_of_two(LinearDictionary dictionary, int exponent);

/// The mixture that expresses one graph.
struct Mixture {
  Unmixed unmixed;
  AtomSums sums;  ///< T'C T and T'F of its plan
};

/// Unmixes graphs over one dictionary after the other, with a workspace for each thread.
class Unmixer {
 public:
  explicit Unmixer(int threads) : workers_(threads) {}

  /// The dictionary must outlive its use.
  void set_dictionary(const LinearDictionary& dictionary);
  /// From equal shares and the product.
  [[nodiscard]] Mixture unmix(int worker, const Sample& sample);
  struct Start {
    Vector shares;
    Plan plan;
  };
  [[nodiscard]] Mixture unmix(int worker, const Sample& sample, Start start);

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()); }

 private:
  struct Worker {
    std::optional<Solver> solver;
    Matrix cost;
  };

  [[nodiscard]] Vector linear_part(const AtomSums& sums) const;

  const LinearDictionary* dictionary_ = nullptr;
  double alpha_ = 1;
  Matrix form_;  // of the shares: the Gram matrix less the regularisation
  bool symmetric_ = true;
  std::vector<Worker> workers_;
};

}  // namespace srgw::detail
