// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "dictionary/projector.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs that are seen once: by row descent where that serves, by the method of the
/// dictionary from the product otherwise. Nothing is allocated for a graph once larger ones were
/// seen.
class Embedder {
 public:
  /// Without `rows` by the method alone.
  Embedder(const Projection& projection, bool rows, int threads);

  void set_atom(const Atom& atom) { projector_.set_atom(atom); }

  struct Starts {
    /// With some, the method of the dictionary is tried besides, from the product and from so many
    /// random labels.
    int random = 0;
    std::uint64_t seed = 0, item = 0;
  };
  struct Projected {
    double value = 0;
    Vector weights;  ///< of the target
  };
  /// The lowest value, the first of equals. Valid until the next call of the same worker.
  const Projected& embed(int worker, const Sample& sample, const Starts& starts);

 private:
  Projector projector_;
  std::vector<Projected> found_;  // of each worker
};

}  // namespace srgw::detail
