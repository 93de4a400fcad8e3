// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

struct Colour {
  double red = 0, green = 0, blue = 0;  ///< each in [0, 1], as sRGB has them
  [[nodiscard]] std::string hex() const;

  friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour no_cluster{0.72, 0.72, 0.72};

/// Colours of things that are told apart: the eight of Okabe and Ito (black and yellow replaced,
/// which are ink and too light on paper), then darker and lighter ones of the same.
[[nodiscard]] Colour category(Index k);

/// A ramp whose lightness rises evenly, violet over green to yellow (viridis), for t in [0, 1]:
/// those who do not see red from green see its order too.
[[nodiscard]] Colour ramp(double t);

/// Shades of grey for t in [0, 1]: paper to ink.
[[nodiscard]] Colour grey(double t);

/// The mean of colours, of their light and not of their numbers. Shares need not sum to 1.
[[nodiscard]] Colour mix(std::span<const Colour> colours, std::span<const double> shares);

/// Whether text on this colour is to be white.
[[nodiscard]] bool is_dark(const Colour& colour);

/// The colour of each node: that of its label, or the mix of the columns that its row of the plan
/// is spread over. Rows without mass keep the colour of their label.
[[nodiscard]] std::vector<Colour> node_colours(const Assignment& labels, const Plan* plan,
                                               const std::vector<Colour>& colours);

/// The mix of the colours of source nodes that each target node receives.
[[nodiscard]] std::vector<Colour> received_colours(const Plan& plan,
                                                   const std::vector<Colour>& source);

}  // namespace srgw::detail
