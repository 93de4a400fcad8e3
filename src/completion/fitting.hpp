// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "baselines/gdl/unmixer.hpp"
#include "completion/free_entries.hpp"
#include "dictionary/projector.hpp"

namespace srgw::detail {

/// A model to which graphs are fitted whose free entries are filled in.
class Fitting {
 public:
  Fitting() = default;
  Fitting(const Fitting&) = delete;
  Fitting& operator=(const Fitting&) = delete;
  virtual ~Fitting() = default;

  struct Fit {
    Plan plan;
    double value = 0;
  };
  /// From that plan, as a fit before has left the rest of the model; or from the product.
  [[nodiscard]] virtual Fit fit(const Sample& sample, const Plan* start) = 0;
  /// From the product plan, without a search.
  [[nodiscard]] virtual double product_value(const Sample& sample) = 0;
  /// The target of plans; a fit may change it.
  [[nodiscard]] virtual const Atom& target() const = 0;
  /// Plans to start from, of which the best end counts.
  [[nodiscard]] virtual std::vector<Plan> starts(const PartialGraph& /*graph*/,
                                                 const Sample& filled,
                                                 const Alternation& /*scheme*/,
                                                 std::uint64_t /*seed*/) {
    return {fit(filled, nullptr).plan};
  }
};

/// One atom, whose weights are free.
class AtomFitting final : public Fitting {
 public:
  AtomFitting(const Atom& atom, const Projection& projection);
  [[nodiscard]] Fit fit(const Sample& sample, const Plan* start) override;
  [[nodiscard]] double product_value(const Sample& sample) override;
  [[nodiscard]] const Atom& target() const override { return atom_; }
  /// The plan with the least value. Where plans are not hard, or other terms count, the plan of the
  /// filled graph, too.
  [[nodiscard]] std::vector<Plan> starts(const PartialGraph& graph, const Sample& filled,
                                         const Alternation& scheme, std::uint64_t seed) override;

 private:
  [[nodiscard]] Assignment with_hidden(const std::vector<Index>& seen, const Assignment& of_seen,
                                       const Sample& filled) const;

  const Atom& atom_;
  const Projection& projection_;
  Projector projector_;
};

/// A mixture of atoms.
class MixtureFitting final : public Fitting {
 public:
  explicit MixtureFitting(const LinearDictionary& dictionary);
  [[nodiscard]] Fit fit(const Sample& sample, const Plan* start) override;
  [[nodiscard]] double product_value(const Sample& sample) override;
  [[nodiscard]] const Atom& target() const override { return mixed_; }

 private:
  const LinearDictionary& dictionary_;
  Unmixer unmixer_;
  Vector shares_;
  Atom mixed_;
};

}  // namespace srgw::detail
