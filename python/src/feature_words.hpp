// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/samples.hpp"
#include "words.hpp"

namespace srgw::python {

constexpr std::array take_words{
    Word{"auto", NodeFeatures::automatic}, Word{"none", NodeFeatures::none},
    Word{"labels", NodeFeatures::labels}, Word{"attributes", NodeFeatures::attributes},
    Word{"both", NodeFeatures::both}};
constexpr std::array standardisation_words{Word{"none", Standardisation::none},
                                           Word{"graphs", Standardisation::graphs},
                                           Word{"nodes", Standardisation::nodes}};

}  // namespace srgw::python
