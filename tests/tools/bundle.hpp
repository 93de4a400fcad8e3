// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::test {

/// A JSON document with arrays of numbers, for handing data to and from Python without rounding.
///
/// A file is one line of JSON and then bytes. Where the document means an array it has
/// {"array": type, "shape": [...], "offset": first of the bytes}, with type "f8" or "u4", row-major
/// and little-endian. bench/peers/bundle.py is the other side.
class Bundle {
 public:
  nlohmann::json document;

  static Bundle read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot be read");
    Bundle bundle;
    bundle.document = nlohmann::json::parse(line);
    bundle.bytes_.assign(std::istreambuf_iterator<char>(file), {});
    return bundle;
  }

  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file << document.dump() << '\n';
    file.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
  }

  [[nodiscard]] Vector vector(const nlohmann::json& array) const {
    const auto numbers = elements<double>(array, "f8");
    return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
  }
  [[nodiscard]] Matrix matrix(const nlohmann::json& array) const {
    const auto numbers = elements<double>(array, "f8");
    return Eigen::Map<const Matrix>(numbers.data(), array["shape"].at(0), array["shape"].at(1));
  }
  [[nodiscard]] std::vector<NodeId> ids(const nlohmann::json& array) const {
    return elements<NodeId>(array, "u4");
  }

  /// Appends an array and returns what stands for it in the document.
  nlohmann::json store(const Vector& array) { return append(array, {array.size()}); }
  nlohmann::json store(const Matrix& array) { return append(array, {array.rows(), array.cols()}); }

 private:
  template <class Array>
  nlohmann::json append(const Array& array, std::vector<Index> shape) {
    const std::size_t offset = bytes_.size();
    bytes_.resize(offset + static_cast<std::size_t>(array.size()) * sizeof(double));
    std::memcpy(bytes_.data() + offset, array.data(), bytes_.size() - offset);
    return {{"array", "f8"}, {"shape", std::move(shape)}, {"offset", offset}};
  }

  template <class T>
  [[nodiscard]] std::vector<T> elements(const nlohmann::json& array, const char* type) const {
    if (array.at("array") != type)
      throw std::runtime_error("array is not of type " + std::string(type));
    std::size_t size = 1;
    for (const std::size_t length : array.at("shape")) size *= length;
    const std::size_t offset = array.at("offset");
    if (offset + size * sizeof(T) > bytes_.size()) throw std::runtime_error("array is cut short");
    std::vector<T> result(size);
    std::memcpy(result.data(), bytes_.data() + offset, size * sizeof(T));
    return result;
  }

  std::vector<char> bytes_;
};

}  // namespace srgw::test
