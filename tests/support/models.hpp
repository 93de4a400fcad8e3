// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "srgw/dictionary.hpp"

namespace srgw::test {

/// The model from a file that it was written to; its atoms are expected to be the same.
template <class Model>
Model through_file(const Model& model, const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("srgw_" + name + ".npz");
  save(model, path);
  const Model read = load<Model>(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.atoms.size(), model.atoms.size());
  for (std::size_t a = 0; a < std::min(read.atoms.size(), model.atoms.size()); ++a) {
    EXPECT_EQ(read.atoms[a].structure, model.atoms[a].structure);
    EXPECT_EQ(read.atoms[a].features, model.atoms[a].features);
  }
  return read;
}

/// Expects that two runs of learning, on other numbers of threads, found the same.
template <class Learned>
void expect_same_learning(const Learned& one, const Learned& other) {
  EXPECT_EQ(one.losses, other.losses);
  EXPECT_EQ(one.embedding.coordinates, other.embedding.coordinates);
}

}  // namespace srgw::test
